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

void add_feedback(const Feedback &law, const double *q, const double *v, double *controls) {
  for (std::size_t i = 0; i < law.count; ++i) {
    controls[law.controls[i]] += law.offsets[i];
  }
  for (std::size_t j = 0; j < law.count; ++j) {
    const double away = q[law.positions[j]] - law.rest[j];
    const double wanted = -law.stiffness * away - law.damping * v[law.velocities[j]];
    for (std::size_t i = 0; i < law.count; ++i) {
      controls[law.controls[i]] += law.gains[j * law.count + i] * wanted;
    }
  }
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

  // The controls of a step from the present state.
  const double *drive(std::size_t made) {
    const std::size_t row = plan.control_rows == 1 ? 0 : made;
    const double *given = rows.controls + row * work.controls.size();
    if (plan.feedback == nullptr) {
      return given;
    }
    std::copy_n(given, work.controls.size(), work.controls.begin());
    add_feedback(*plan.feedback, work.held.smooth.q.data(), work.held.smooth.v.data(),
                 work.controls.data());
    return work.controls.data();
  }

  void note(std::size_t sample, const double *controls) {
    const Workspace &smooth = work.held.smooth;
    store(rows.qs + sample * smooth.q.size(), rows.vs + sample * smooth.v.size(),
          rows.acts + sample * work.act.size(), rows.warms + sample * smooth.v.size());
    std::copy_n(controls, work.controls.size(), rows.ctrls + sample * work.controls.size());
    solver = rows.solver + 4 * sample;
    std::fill_n(solver, 4, -1.0); // less than any count
  }

  void note_solver() const {
    if (solver[2] < 0.0) {
      solver[2] = work.held.contacts ? static_cast<double>(work.held.contacts->contacts.size()) : 0.0;
      solver[3] = static_cast<double>(work.report.islands);
    }
    solver[0] = std::max(solver[0], static_cast<double>(work.report.iterations));
    solver[1] = std::max(solver[1], work.report.gap);
  }

  std::size_t roll() {
    Workspace &smooth = work.held.smooth;
    for (std::size_t made = 0; made < plan.steps; ++made) {
      const double *controls = drive(made);
      if (made % plan.every == 0) {
        note(made / plan.every, controls);
      }
      step(simulation, {controls, rows.applied, rows.wrenches, rows.active}, work);
      if (!good() || !solved()) {
        return made;
      }
      note_solver();
      std::swap(smooth.q, smooth.next_q);
      std::swap(smooth.v, smooth.next_v);
      std::swap(work.act, work.next_act);
      std::swap(work.warm, work.next_warm);
    }
    return plan.steps;
  }

  double *solver = nullptr; // of the sample that was last noted
  int unsolved = 0;
};

RunRows rows_of(const Simulation &simulation, const RunPlan &plan, const RunRows &all,
                std::size_t i) {
  const Constraints &constraints = simulation.constraints;
  const Dynamics &dynamics = constraints.dynamics;
  const std::size_t nq = dynamics.system.position_count, nv = dynamics.velocity_count;
  const std::size_t na = dynamics.activation_count, nu = dynamics.control_count();
  const std::size_t samples = plan.samples();
  const auto at = [i](auto *rows, std::size_t width) {
    return rows == nullptr ? nullptr : rows + i * width;
  };
  return {at(all.q, nq), at(all.v, nv), at(all.act, na), at(all.warm, nv),
          at(all.controls, plan.control_rows * nu), at(all.applied, nv),
          at(all.wrenches, 6 * dynamics.system.bodies.size()),
          at(all.active, constraints.equalities.size()), at(all.qs, samples * nq),
          at(all.vs, samples * nv), at(all.acts, samples * na), at(all.warms, samples * nv),
          at(all.ctrls, samples * nu), at(all.solver, samples * 4), at(all.made, 1),
          at(all.capped, 1), at(all.status, 1), at(all.element, 1)};
}

void travel(const Simulation &simulation, const RunPlan &plan, const RunRows &rows,
            SimulationWork &work) {
  *rows.status = *rows.element = 0;
  *rows.capped = 0;
  Traveller traveller{simulation, plan, rows, work};
  traveller.load();
  const std::size_t made = traveller.roll();
  const std::size_t full = (made + plan.every - 1) / plan.every;
  const auto blank = [&](double *of, std::size_t width) {
    std::fill(of + full * width, of + plan.samples() * width,
              std::numeric_limits<double>::quiet_NaN());
  };
  blank(rows.qs, work.held.smooth.q.size());
  blank(rows.vs, work.warm.size());
  blank(rows.acts, work.act.size());
  blank(rows.warms, work.warm.size());
  blank(rows.ctrls, work.controls.size());
  blank(rows.solver, 4);
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
