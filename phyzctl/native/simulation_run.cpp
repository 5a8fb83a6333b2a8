// Many states over many steps.
#include <algorithm>
#include <atomic>
#include <cmath>
#include <limits>
#include <thread>

#include "simulation.hpp"

namespace phyzctl {
namespace {

constexpr double limit = 1e10, far_off = 1e-2;
constexpr int patience = 10;

// The first number that is none or too large, or none such: the size.
std::size_t first_bad(const std::vector<double> &numbers) {
  const auto found = std::find_if(numbers.begin(), numbers.end(), [](double x) {
    return !(std::fabs(x) <= limit);
  });
  return static_cast<std::size_t>(found - numbers.begin());
}

// The degree of freedom that a place in q belongs to.
std::size_t dof_of(const Dynamics &dynamics, std::size_t place) {
  std::size_t dof = 0;
  for (std::size_t j = 0; j < dynamics.joints.size(); ++j) {
    if (static_cast<std::size_t>(dynamics.system.joints[j].position) <= place) {
      dof = static_cast<std::size_t>(dynamics.joints[j].velocity);
    }
  }
  return dof;
}

// One state on its way.
struct Traveller {
  const Simulation &simulation;
  const RunPlan &plan;
  RunRows rows; // from this state's on
  SimulationWork &work;

  void load() {
    Workspace &smooth = work.held.smooth;
    std::copy_n(rows.q, smooth.q.size(), smooth.q.begin());
    std::copy_n(rows.v, smooth.v.size(), smooth.v.begin());
    std::copy_n(rows.act, work.act.size(), work.act.begin());
    std::copy_n(rows.warm, work.warm.size(), work.warm.begin());
  }

  void store(double *q, double *v, double *act, double *warm) const {
    const Workspace &smooth = work.held.smooth;
    std::copy(smooth.q.begin(), smooth.q.end(), q);
    std::copy(smooth.v.begin(), smooth.v.end(), v);
    std::copy(work.act.begin(), work.act.end(), act);
    std::copy(work.warm.begin(), work.warm.end(), warm);
  }

  // True where the next state can be gone to.
  bool good() {
    const Workspace &smooth = work.held.smooth;
    const std::size_t v = first_bad(smooth.next_v), q = first_bad(smooth.next_q);
    if (v < smooth.next_v.size() || q < smooth.next_q.size()) {
      *rows.status = static_cast<std::int32_t>(RunStatus::not_finite);
      const std::size_t dof = v < smooth.next_v.size()
                                  ? v
                                  : dof_of(simulation.constraints.dynamics, q);
      *rows.element = static_cast<std::int32_t>(dof);
      return false;
    }
    if (first_bad(work.next_act) < work.next_act.size()) {
      *rows.status = static_cast<std::int32_t>(RunStatus::not_finite);
      return false;
    }
    return true;
  }

  // Counts what the solver did; false where it failed too often.
  bool solved() {
    const SolverReport &report = work.report;
    *rows.capped += report.capped;
    unsolved = report.capped && !(report.gap <= far_off) ? unsolved + 1 : 0;
    if (unsolved < patience) {
      return true;
    }
    *rows.status = static_cast<std::int32_t>(RunStatus::unsolved);
    const std::vector<double> &gradient = work.held.solver.gradient;
    const auto most = std::max_element(
        gradient.begin(), gradient.end(),
        [](double a, double b) { return std::fabs(a) < std::fabs(b); });
    *rows.element = static_cast<std::int32_t>(most - gradient.begin());
    return false;
  }

  void note(std::size_t block) {
    const Workspace &smooth = work.held.smooth;
    store(rows.qs + block * smooth.q.size(), rows.vs + block * smooth.v.size(),
          rows.acts + block * work.act.size(), rows.warms + block * smooth.v.size());
    double *solver = rows.solver + 4 * block;
    solver[0] = static_cast<double>(iterations);
    solver[1] = gap;
    solver[2] = work.held.contacts ? static_cast<double>(work.held.contacts->contacts.size()) : 0.0;
    solver[3] = static_cast<double>(work.held.rows.blocks.size());
    iterations = 0;
    gap = 0.0;
  }

  std::size_t roll() {
    const std::size_t width = simulation.constraints.dynamics.control_count();
    Workspace &smooth = work.held.smooth;
    for (std::size_t made = 0; made < plan.steps; ++made) {
      const std::size_t row = plan.control_rows == 1 ? 0 : made;
      step(simulation, {rows.controls + row * width, rows.applied, rows.wrenches, rows.active},
           work);
      if (!good() || !solved()) {
        return made;
      }
      iterations = std::max(iterations, work.report.iterations);
      gap = std::max(gap, work.report.gap);
      std::swap(smooth.q, smooth.next_q);
      std::swap(smooth.v, smooth.next_v);
      std::swap(work.act, work.next_act);
      std::swap(work.warm, work.next_warm);
      if ((made + 1) % plan.every == 0) {
        note(made / plan.every);
      }
    }
    return plan.steps;
  }

  std::size_t iterations = 0;
  double gap = 0.0;
  int unsolved = 0;
};

RunRows rows_of(const Simulation &simulation, const RunPlan &plan, const RunRows &all,
                std::size_t i) {
  const Constraints &constraints = simulation.constraints;
  const Dynamics &dynamics = constraints.dynamics;
  const std::size_t nq = dynamics.system.position_count, nv = dynamics.velocity_count;
  const std::size_t na = dynamics.activation_count, blocks = plan.steps / plan.every;
  const auto at = [i](auto *rows, std::size_t width) {
    return rows == nullptr ? nullptr : rows + i * width;
  };
  return {at(all.q, nq), at(all.v, nv), at(all.act, na), at(all.warm, nv),
          at(all.controls, plan.control_rows * dynamics.control_count()), at(all.applied, nv),
          at(all.wrenches, 6 * dynamics.system.bodies.size()),
          at(all.active, constraints.equalities.size()), at(all.qs, blocks * nq),
          at(all.vs, blocks * nv), at(all.acts, blocks * na), at(all.warms, blocks * nv),
          at(all.solver, blocks * 4), at(all.made, 1), at(all.capped, 1), at(all.status, 1),
          at(all.element, 1)};
}

void travel(const Simulation &simulation, const RunPlan &plan, const RunRows &rows,
            SimulationWork &work) {
  const std::size_t blocks = plan.steps / plan.every;
  const std::size_t nq = work.held.smooth.q.size(), nv = work.warm.size(), na = work.act.size();
  *rows.status = *rows.element = 0;
  *rows.capped = 0;
  Traveller traveller{simulation, plan, rows, work};
  traveller.load();
  const std::size_t made = traveller.roll();
  constexpr double nan = std::numeric_limits<double>::quiet_NaN();
  const std::size_t full = made / plan.every;
  std::fill(rows.qs + full * nq, rows.qs + blocks * nq, nan);
  std::fill(rows.vs + full * nv, rows.vs + blocks * nv, nan);
  std::fill(rows.acts + full * na, rows.acts + blocks * na, nan);
  std::fill(rows.warms + full * nv, rows.warms + blocks * nv, nan);
  std::fill(rows.solver + full * 4, rows.solver + blocks * 4, nan);
  traveller.store(rows.q, rows.v, rows.act, rows.warm);
  *rows.made = static_cast<std::int64_t>(made);
}

} // namespace

void run(const Simulation &simulation, const RunPlan &plan, std::size_t count,
         const RunRows &rows) {
  std::atomic<std::size_t> next{0};
  const auto work_off = [&] {
    std::unique_ptr<SimulationWork> work = simulation.take();
    for (std::size_t i = next++; i < count; i = next++) {
      travel(simulation, plan, rows_of(simulation, plan, rows, i), *work);
    }
    simulation.give(std::move(work));
  };
  std::vector<std::thread> helpers;
  for (std::size_t k = 1; k < std::min(plan.threads, count); ++k) {
    helpers.emplace_back(work_off);
  }
  work_off();
  for (std::thread &helper : helpers) {
    helper.join();
  }
}

} // namespace phyzctl
