#include "held.hpp"

#include <algorithm>

#include "adhesion.hpp"
#include "followers.hpp"

namespace phyzctl {

void gather(const Constraints &constraints, const ContactWorld *world, const Inputs &acting,
            const RowInputs &inputs, HeldWork &work) {
  const Dynamics &dynamics = constraints.dynamics;
  Workspace &smooth = work.smooth;
  place(dynamics, inputs.q, smooth);
  move(dynamics, inputs.v, smooth);
  RowInputs at = inputs;
  if (world != nullptr) {
    find_contacts(*world, smooth.poses.data(), *work.contacts);
    at.pairs = world->pairs.data();
    at.contacts = work.contacts->contacts.data();
    at.contact_count = work.contacts->contacts.size();
  }
  if (dynamics.adhesives > 0) {
    adhere(dynamics, at.pairs, at.contacts, at.contact_count, smooth);
  }
  load(dynamics, inputs.q, inputs.v, acting, smooth);
  if (constraints.diagexact || (world != nullptr && world->rebounds)) {
    smooth.factor = smooth.M;
    factorize(dynamics.pattern, smooth.factor.data());
  }
  make_rows(constraints, at, smooth, work.rows);
  press(at, work.rows, smooth.total);
}

SolverReport act_held(const Constraints &constraints, const ContactWorld *world,
                             const Inputs &acting, const RowInputs &inputs,
                             const SolverOptions &options, const double *warm, HeldWork &work) {
  const Dynamics &dynamics = constraints.dynamics;
  Workspace &smooth = work.smooth;
  gather(constraints, world, acting, inputs, work);
  if (!work.holds()) {
    return {};
  }
  fold(dynamics, smooth.total.data());
  fold(dynamics, work.rows);
  const SolverReport report =
      minimize(dynamics, work.rows, options, warm, smooth, work.solver);
  std::copy(work.solver.a.begin(), work.solver.a.end(), smooth.acceleration.begin());
  stop_slip(dynamics, work.rows, constraints.noslip, smooth, work.solver, work.noslip);
  unfold(dynamics, smooth.acceleration.data());
  for (std::size_t d = 0; d < dynamics.velocity_count; ++d) {
    smooth.total[d] += work.solver.force[d];
  }
  return report;
}

} // namespace phyzctl
