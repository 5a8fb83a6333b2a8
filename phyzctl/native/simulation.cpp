#include "simulation.hpp"

#include <algorithm>

#include "followers.hpp"
#include "runge_kutta.hpp"
#include "smooth_implicit.hpp"
#include "smooth_motors.hpp"

namespace phyzctl {
namespace {

std::size_t index(std::int32_t i) { return static_cast<std::size_t>(i); }

// All that acts at a state, constraints too.
void act(const Simulation &simulation, const Acting &acting, const double *q,
                const double *v, SimulationWork &work) {
  const SimulationOptions &options = simulation.options;
  const Inputs inputs{acting.controls, acting.applied, work.act.data(), options.h,
                      acting.wrenches};
  const RowInputs rows{q, v, options.h, acting.active, nullptr, nullptr, 0};
  const SolverReport report =
      act_held(simulation.constraints, simulation.world, inputs, rows, options.solver,
                      options.warmstart ? work.warm.data() : nullptr, work.held);
  work.report.iterations += report.iterations;
  work.report.gap = std::max(work.report.gap, report.gap);
  work.report.capped = work.report.capped || report.capped;
  work.report.islands = report.islands;
}

void advance_activations(const Dynamics &dynamics, double h, const std::vector<double> &rates,
                         SimulationWork &work) {
  work.next_act = work.act;
  for (const Actuator &actuator : dynamics.actuators) {
    if (actuator.dynamics != Activation::none && actuator.dynamics != Activation::idle) {
      const auto place = index(actuator.activation);
      work.next_act[place] = next_activation(actuator, work.act[place], rates[place], h);
    }
  }
}

void step_rk4(const Simulation &simulation, const Acting &acting, SimulationWork &work) {
  const Dynamics &dynamics = simulation.constraints.dynamics;
  const double h = simulation.options.h;
  std::fill(work.mean_rates.begin(), work.mean_rates.end(), 0.0);
  work.next_act = work.act; // the activations of the step's start
  const std::vector<double> &rates = work.held.smooth.rates;
  step_runge_kutta(dynamics, h, work.held.smooth, [&](const double *q, const double *v, int stage) {
    if (stage > 0) {
      advance(work.next_act, stage_times[stage] * h, rates, work.act);
    }
    act(simulation, acting, q, v, work);
    if (!work.held.holds()) {
      accelerate_damped(dynamics, 0.0, work.held.smooth);
    }
    for (std::size_t i = 0; i < rates.size(); ++i) {
      work.mean_rates[i] += stage_weights[stage] * rates[i];
    }
    if (stage == 0) {
      work.next_warm = work.held.smooth.acceleration;
    }
  });
  work.act = work.next_act;
  advance_activations(dynamics, h, work.mean_rates, work);
}

// Followers move by rounding apart from what they follow.
void step_all(const Simulation &simulation, const Acting &acting, SimulationWork &work) {
  const SimulationOptions &options = simulation.options;
  const Dynamics &dynamics = simulation.constraints.dynamics;
  Workspace &smooth = work.held.smooth;
  work.report = {};
  if (options.integrator == Integrator::rk4) {
    step_rk4(simulation, acting, work);
    return;
  }
  if (options.integrator == Integrator::best) {
    const Inputs inputs{acting.controls, acting.applied, work.act.data(), options.h,
                        acting.wrenches};
    work.report = step_midpoint(simulation.constraints, simulation.world, options.h, inputs,
                                acting.active, options.solver,
                                options.warmstart ? work.warm.data() : nullptr, work.held,
                                work.midpoint);
    work.next_warm = smooth.acceleration;
    advance_activations(dynamics, options.h, smooth.rates, work);
    return;
  }
  act(simulation, acting, smooth.q.data(), smooth.v.data(), work);
  const bool damped = dynamics.eulerdamp && dynamics.any_damping;
  if (options.integrator == Integrator::implicitfast) {
    accelerate_implicitly(dynamics, options.h, smooth);
  } else if (damped || !work.held.holds()) {
    accelerate_damped(dynamics, damped ? options.h : 0.0, smooth);
  }
  work.next_warm = work.held.holds() ? work.held.solver.a : smooth.acceleration;
  advance_activations(dynamics, options.h, smooth.rates, work);
  advance(smooth.v, options.h, smooth.acceleration, smooth.next_v);
  integrate(dynamics, smooth.q.data(), smooth.next_v.data(), options.h, smooth.next_q.data());
}

} // namespace

SimulationWork::SimulationWork(const Constraints &constraints, const ContactWorld *world)
    : held(constraints.dynamics, world), midpoint(constraints), act(constraints.dynamics.activation_count),
      next_act(act.size()), mean_rates(act.size()), warm(constraints.dynamics.velocity_count),
      next_warm(warm.size()), controls(constraints.dynamics.control_count()), report{} {}

std::unique_ptr<SimulationWork> Simulation::take() const {
  {
    const std::lock_guard<std::mutex> lock(guard_);
    if (!idle_.empty()) {
      std::unique_ptr<SimulationWork> work = std::move(idle_.back());
      idle_.pop_back();
      return work;
    }
  }
  return std::make_unique<SimulationWork>(constraints, world);
}

void Simulation::give(std::unique_ptr<SimulationWork> work) const {
  const std::lock_guard<std::mutex> lock(guard_);
  idle_.push_back(std::move(work));
}

void step(const Simulation &simulation, const Acting &acting, SimulationWork &work) {
  const Dynamics &dynamics = simulation.constraints.dynamics;
  Workspace &smooth = work.held.smooth;
  step_all(simulation, acting, work);
  follow(dynamics, smooth.next_q.data(), smooth.next_v.data());
  for (const Follower &each : dynamics.followers) {
    work.next_warm[index(each.dof)] = 0.0; // the solver's variables are folded
  }
}

} // namespace phyzctl
