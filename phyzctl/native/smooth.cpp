#include "smooth.hpp"

#include <algorithm>
#include <limits>

#include "carry.hpp"
#include "followers.hpp"
#include "passive.hpp"
#include "runge_kutta.hpp"
#include "smooth_implicit.hpp"
#include "smooth_motors.hpp"

namespace phyzctl {
namespace {

void write(const Quat<double> &q, double *result) {
  result[0] = q.w;
  result[1] = q.x;
  result[2] = q.y;
  result[3] = q.z;
}

void integrate_turn(const double *q, const double *v, double h, double *result) {
  const Quat<double> from = normalized({q[0], q[1], q[2], q[3]});
  write(normalized(from * turn_by(scaled(h, Vec{v[0], v[1], v[2]}))), result);
}

// The velocity of the rotation vector u that stands for a turn since the step's start, where the
// body turns at w: the inverse of the exponential's derivative, to the order that RK4 keeps.
void rotation_speed(const Vec &u, double *w) {
  const Vec rate{w[0], w[1], w[2]};
  const Vec once = cross(u, rate), twice = cross(u, once);
  const Vec result = rate + scaled(0.5, once) + scaled(1.0 / 12.0, twice);
  w[0] = result.x;
  w[1] = result.y;
  w[2] = result.z;
}

void step_rk4(const Dynamics &dynamics, double h, const Inputs &inputs, Workspace &work) {
  step_runge_kutta(dynamics, h, work, [&](const double *q, const double *v, int) {
    accelerate(dynamics, q, v, inputs, work);
  });
}

// What forces and torques on bodies do to the degrees of freedom.
void add_wrenches(const Dynamics &dynamics, const double *wrenches, Workspace &work) {
  for (std::size_t i = 0; i < dynamics.system.bodies.size(); ++i) {
    const double *row = wrenches + 6 * i;
    work.forces[i] = about_point(dynamics, work, i, {row[0], row[1], row[2]}, {row[3], row[4], row[5]});
  }
  carry_forces(dynamics, work, [&](std::size_t, std::size_t d, double force) {
    work.total[d] += force;
  });
}

bool good(const std::vector<double> &numbers) {
  return std::all_of(numbers.begin(), numbers.end(),
                     [](double x) { return std::fabs(x) <= 1e10; }); // false for NaN
}

std::size_t roll(const Dynamics &dynamics, const Rollout &plan, const RolloutRows &rows,
                 Workspace &work) {
  const std::size_t nq = work.q.size(), nv = work.v.size();
  const std::size_t width = dynamics.control_count();
  for (std::size_t made = 0; made < plan.steps; ++made) {
    const std::size_t row = plan.control_rows == 1 ? 0 : made;
    step(dynamics, plan.integrator, plan.h, {rows.controls + row * width, rows.applied}, work);
    if (!good(work.next_q) || !good(work.next_v)) {
      return made;
    }
    std::swap(work.q, work.next_q);
    std::swap(work.v, work.next_v);
    if ((made + 1) % plan.every == 0) {
      const std::size_t block = made / plan.every;
      std::copy(work.q.begin(), work.q.end(), rows.qs + block * nq);
      std::copy(work.v.begin(), work.v.end(), rows.vs + block * nv);
    }
  }
  return plan.steps;
}

} // namespace

// The velocities of all turns become those of their rotation vectors h k since the start.
void rotation_speeds(const Dynamics &dynamics, double h, const double *k, double *v) {
  for (std::size_t j = 0; j < dynamics.joints.size(); ++j) {
    const JointType type = dynamics.system.joints[j].type;
    if (type == JointType::ball || type == JointType::free) {
      const std::int32_t at = dynamics.joints[j].velocity + (type == JointType::free ? 3 : 0);
      rotation_speed(scaled(h, Vec{k[at], k[at + 1], k[at + 2]}), v + at);
    }
  }
}

void advance(const std::vector<double> &from, double h, const std::vector<double> &rate,
             std::vector<double> &result) {
  for (std::size_t d = 0; d < from.size(); ++d) {
    result[d] = from[d] + h * rate[d];
  }
}

void integrate(const Dynamics &dynamics, const double *q, const double *v, double h,
               double *result) {
  for (std::size_t j = 0; j < dynamics.joints.size(); ++j) {
    const Joint &joint = dynamics.system.joints[j];
    const double *from = q + joint.position, *speed = v + dynamics.joints[j].velocity;
    double *to = result + joint.position;
    switch (joint.type) {
    case JointType::free:
      for (int k = 0; k < 3; ++k) {
        to[k] = from[k] + h * speed[k];
      }
      integrate_turn(from + 3, speed + 3, h, to + 3);
      break;
    case JointType::ball:
      integrate_turn(from, speed, h, to);
      break;
    case JointType::slide:
    case JointType::hinge:
      to[0] = from[0] + h * speed[0];
      break;
    case JointType::fixed:
      break;
    }
  }
}

void act(const Dynamics &dynamics, const double *q, const double *v, const Inputs &inputs,
         Workspace &work) {
  place(dynamics, q, work);
  move(dynamics, v, work);
  std::fill(work.adhesion.begin(), work.adhesion.end(), 0.0);
  load(dynamics, q, v, inputs, work);
}

void load(const Dynamics &dynamics, const double *q, const double *v, const Inputs &inputs,
          Workspace &work) {
  passive_forces(dynamics, q, v, work);
  motor_forces(dynamics, q, v, inputs, work);
  for (std::size_t d = 0; d < dynamics.velocity_count; ++d) {
    const double applied = inputs.applied == nullptr ? 0.0 : inputs.applied[d];
    work.total[d] = work.passive[d] + work.motors[d] + applied - work.bias[d];
  }
  if (inputs.wrenches != nullptr) {
    add_wrenches(dynamics, inputs.wrenches, work);
  }
}

void accelerate(const Dynamics &dynamics, const double *q, const double *v, const Inputs &inputs,
                Workspace &work) {
  act(dynamics, q, v, inputs, work);
  accelerate_damped(dynamics, 0.0, work);
}

void step(const Dynamics &dynamics, Integrator integrator, double h, const Inputs &inputs,
          Workspace &work) {
  if (integrator == Integrator::rk4) {
    step_rk4(dynamics, h, inputs, work);
    return follow(dynamics, work.next_q.data(), work.next_v.data());
  }
  act(dynamics, work.q.data(), work.v.data(), inputs, work);
  if (integrator == Integrator::implicitfast) {
    accelerate_implicitly(dynamics, h, work);
  } else {
    accelerate_damped(dynamics, dynamics.eulerdamp ? h : 0.0, work);
  }
  advance(work.v, h, work.acceleration, work.next_v);
  integrate(dynamics, work.q.data(), work.next_v.data(), h, work.next_q.data());
  follow(dynamics, work.next_q.data(), work.next_v.data());
}

void rollout(const Dynamics &dynamics, const Rollout &plan, std::size_t count,
             const RolloutRows &rows) {
  Workspace work(dynamics);
  const std::size_t nq = work.q.size(), nv = work.v.size(), blocks = plan.steps / plan.every;
  const std::size_t width = dynamics.control_count();
  constexpr double nan = std::numeric_limits<double>::quiet_NaN();
  for (std::size_t i = 0; i < count; ++i) {
    const RolloutRows mine{rows.q + i * nq,
                           rows.v + i * nv,
                           rows.controls + i * plan.control_rows * width,
                           rows.applied == nullptr ? nullptr : rows.applied + i * nv,
                           rows.qs + i * blocks * nq,
                           rows.vs + i * blocks * nv,
                           rows.made + i};
    std::copy_n(mine.q, nq, work.q.begin());
    std::copy_n(mine.v, nv, work.v.begin());
    const std::size_t made = roll(dynamics, plan, mine, work);
    std::fill(mine.qs + made / plan.every * nq, mine.qs + blocks * nq, nan);
    std::fill(mine.vs + made / plan.every * nv, mine.vs + blocks * nv, nan);
    std::copy(work.q.begin(), work.q.end(), mine.q);
    std::copy(work.v.begin(), work.v.end(), mine.v);
    *mine.made = static_cast<std::int64_t>(made);
  }
}

} // namespace phyzctl
