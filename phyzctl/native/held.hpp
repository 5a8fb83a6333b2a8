// Motion under constraints at one state.
#pragma once

#include <optional>

#include "contacts.hpp"
#include "noslip.hpp"
#include "rows.hpp"
#include "smooth.hpp"
#include "solver.hpp"

namespace phyzctl {

struct HeldWork {
  // `world` may be null.
  HeldWork(const Dynamics &dynamics, const ContactWorld *world)
      : smooth(dynamics), solver(dynamics) {
    if (world != nullptr) {
      contacts.emplace(*world);
    }
  }

  Workspace smooth;
  std::optional<ContactWork> contacts;
  Rows rows;
  SolverWork solver;
  NoslipWork noslip;

  bool holds() const { return !rows.blocks.empty(); }
};

// All that acts at a state, as work.smooth.total, and the rows that hold there, with the contacts of
// `world` if there is one.
void gather(const Constraints &constraints, const ContactWorld *world, const Inputs &acting,
            const RowInputs &inputs, HeldWork &work);

// The forces at a state; work.smooth.total has those of constraints too. Where something holds, and
// only there, work.smooth.acceleration is what follows. `inputs.q`, `v` are the state. Where there is a
// `world`, its contacts take the place of those in `inputs`.
SolverReport act_held(const Constraints &constraints, const ContactWorld *world,
                             const Inputs &acting, const RowInputs &inputs,
                             const SolverOptions &options, const double *warm, HeldWork &work);

} // namespace phyzctl
