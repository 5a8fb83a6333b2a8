#include "passive.hpp"

#include <algorithm>

#include "carry.hpp"
#include "medium.hpp"
#include "trigonometry.hpp"

namespace phyzctl {
namespace {

std::size_t index(std::int32_t i) { return static_cast<std::size_t>(i); }

Quat<double> unit(const double *q) { return normalized({q[0], q[1], q[2], q[3]}); }

// The turn from where the spring rests to q, as a rotation vector in the body.
void spring_turn(double stiffness, const double *q, const double *rest, double *force) {
  const Quat<double> from = unit(rest);
  const Vec away = rotation_vector(Quat<double>{from.w, -from.x, -from.y, -from.z} * unit(q));
  force[0] -= stiffness * away.x;
  force[1] -= stiffness * away.y;
  force[2] -= stiffness * away.z;
}

void joint_springs(const Dynamics &dynamics, const double *q, double *forces) {
  for (std::size_t j = 0; j < dynamics.joints.size(); ++j) {
    const Joint &joint = dynamics.system.joints[j];
    const double stiffness = dynamics.joints[j].stiffness;
    if (stiffness == 0.0) {
      continue;
    }
    const double *here = q + joint.position, *rest = dynamics.spring_q.data() + joint.position;
    double *force = forces + dynamics.joints[j].velocity;
    switch (joint.type) {
    case JointType::free:
      for (int k = 0; k < 3; ++k) {
        force[k] -= stiffness * (here[k] - rest[k]);
      }
      spring_turn(stiffness, here + 3, rest + 3, force + 3);
      break;
    case JointType::ball:
      spring_turn(stiffness, here, rest, force);
      break;
    case JointType::slide:
    case JointType::hinge:
      force[0] -= stiffness * (here[0] - rest[0]);
      break;
    case JointType::fixed:
      break;
    }
  }
}

// A tendon's spring is slack between its rest lengths.
void tendon_forces(const Dynamics &dynamics, const double *v, const Workspace &work,
                   double *forces) {
  for (std::size_t t = 0; t < dynamics.tendons.size(); ++t) {
    const Tendon &tendon = dynamics.tendons[t];
    if (tendon.stiffness == 0.0 && tendon.damping == 0.0) {
      continue;
    }
    double speed = 0.0;
    for (auto k = index(tendon.first_term); k < index(tendon.end_term); ++k) {
      speed += work.arms[k] * v[dynamics.terms[k].velocity];
    }
    const double length = work.lengths[t];
    const double stretch = length > tendon.rest.high  ? length - tendon.rest.high
                           : length < tendon.rest.low ? length - tendon.rest.low
                                                      : 0.0;
    const double force = -tendon.stiffness * stretch - tendon.damping * speed;
    for (auto k = index(tendon.first_term); k < index(tendon.end_term); ++k) {
      forces[dynamics.terms[k].velocity] += work.arms[k] * force;
    }
  }
}

void compensate_gravity(const Dynamics &dynamics, Workspace &work) {
  for (std::size_t i = 0; i < dynamics.masses.size(); ++i) {
    const Mass &mass = dynamics.masses[i];
    const Vec force = scaled(-mass.gravity_compensation * mass.mass, dynamics.gravity);
    work.forces[i] = about_point(dynamics, work, i, force, {});
  }
  carry_forces(dynamics, work, [&](std::size_t joint, std::size_t d, double force) {
    work.gravity_compensation[d] = force;
    work.passive[d] += dynamics.joints[joint].compensated_by_motors ? 0.0 : force;
  });
}

} // namespace

Vec rotation_vector(const Quat<double> &q) {
  const Vec axis{q.x, q.y, q.z};
  const double sine = length(axis);
  if (sine == 0.0) {
    return {0.0, 0.0, 0.0};
  }
  constexpr double pi = 3.14159265358979323846;
  double angle = 2.0 * std::atan2(sine, q.w);
  if (angle > pi) {
    angle -= 2.0 * pi;
  }
  return scaled(angle / sine, axis);
}

Quat<double> turn_by(const Vec &rotation) {
  const double angle = length(rotation);
  if (angle == 0.0) {
    return {1.0, 0.0, 0.0, 0.0};
  }
  const SinCos<double> half = sincos(0.5 * angle);
  const Vec axis = scaled(half.sin / angle, rotation);
  return {half.cos, axis.x, axis.y, axis.z};
}

void passive_forces(const Dynamics &dynamics, const double *q, const double *v, Workspace &work) {
  for (std::size_t d = 0; d < dynamics.velocity_count; ++d) {
    work.passive[d] = -dynamics.damping[d] * v[d];
  }
  if (dynamics.any_stiffness) {
    joint_springs(dynamics, q, work.passive.data());
  }
  tendon_forces(dynamics, v, work, work.passive.data());
  if (dynamics.any_gravity_compensation) {
    compensate_gravity(dynamics, work);
  }
  if (dynamics.medium.exists()) {
    medium_forces(dynamics, work);
  }
}

} // namespace phyzctl
