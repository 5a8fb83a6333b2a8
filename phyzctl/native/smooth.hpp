// Motion where nothing constrains it: accelerations and steps in time.
#pragma once

#include "dynamics.hpp"

namespace phyzctl {

enum class Integrator : std::int32_t { euler = 0, implicitfast = 1, rk4 = 2, best = 3 };

// `applied` (velocity_count) and `activations`, where there are none, may be null.
struct Inputs {
  const double *controls, *applied;
  const double *activations = nullptr;
  double h = 0.0; // how long a step will be, for forces that look ahead
  const double *wrenches = nullptr; // per body force at the centre of mass and torque, or null
};

// All that acts on bodies that have been placed and move; the sum is work.total.
void load(const Dynamics &dynamics, const double *q, const double *v, const Inputs &inputs,
          Workspace &work);

// The same at a state where nothing touches.
void act(const Dynamics &dynamics, const double *q, const double *v, const Inputs &inputs,
         Workspace &work);

// And work.acceleration.
void accelerate(const Dynamics &dynamics, const double *q, const double *v, const Inputs &inputs,
                Workspace &work);

// From the state in work.q, work.v to that in work.next_q, work.next_v, `h` seconds later.
void step(const Dynamics &dynamics, Integrator integrator, double h, const Inputs &inputs,
          Workspace &work);

// q moved by the velocity v for the time h.
void integrate(const Dynamics &dynamics, const double *q, const double *v,
               double h, double *result);

// What a rollout is asked for, and where its states go.
struct Rollout {
  std::size_t steps, every, control_rows; // one row of controls a step, or one for all
  double h;
  Integrator integrator;
};

// `count` states move on: after every `every` steps a row goes into `qs` and `vs`. One whose
// numbers are no longer finite, or beyond 1e10, stops: `made` says after how many steps, the rows
// that are left are NaN, and the last good state stands in `q` and `v`.
struct RolloutRows {
  double *q, *v;
  const double *controls, *applied;
  double *qs, *vs;
  std::int64_t *made;
};

void rollout(const Dynamics &dynamics, const Rollout &plan, std::size_t count,
             const RolloutRows &rows);

} // namespace phyzctl
