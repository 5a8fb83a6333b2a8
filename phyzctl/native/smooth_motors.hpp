// Actuators: the affine law p = gain u + bias0 + bias1 l + bias2 l', and its clamps.
#pragma once

#include <algorithm>

#include "site_reach.hpp"
#include "smooth.hpp"

namespace phyzctl {

// work.motors at q, v and the controls; also work.speed_gains, by how much the force on each
// transmission grows with its speed, and work.rates of the activations. After `passive_forces`.
// Without actuators the controls are generalised forces.
void motor_forces(const Dynamics &dynamics, const double *q, const double *v,
                  const Inputs &inputs, Workspace &work);

// An actuator's activation after the time h at the rate.
double next_activation(const Actuator &actuator, double activation, double rate, double h);

// What an actuator pulls on, its gear included; zero where that has no length. After `place`.
double transmission_length(const Dynamics &dynamics, const Actuator &actuator, const double *q,
                           const Workspace &work);

inline bool on_sites(const Actuator &actuator) {
  return actuator.transmission == Transmission::site ||
         actuator.transmission == Transmission::site_pair ||
         actuator.transmission == Transmission::slider_crank;
}

// One entry of a transmission's derivative by v.
struct Lever {
  std::int32_t velocity;
  double arm;
};

// Calls visit(Lever) for each degree of freedom that an actuator pulls on at q. After `place`.
template <class Visit>
void visit_levers(const Dynamics &dynamics, const Actuator &actuator, const double *q,
                  const Workspace &work, Visit visit) {
  if (actuator.velocity >= 0) {
    return visit(Lever{actuator.velocity, actuator.gear[0]});
  }
  if (actuator.transmission == Transmission::tendon) {
    const Tendon &tendon = dynamics.tendons[static_cast<std::size_t>(actuator.target)];
    for (auto k = static_cast<std::size_t>(tendon.first_term);
         k < static_cast<std::size_t>(tendon.end_term); ++k) {
      visit(Lever{dynamics.terms[k].velocity, actuator.gear[0] * work.arms[k]});
    }
    return;
  }
  if (on_sites(actuator)) {
    return visit_site_arms(dynamics, reach_site(actuator, work), work,
                           [&](std::int32_t d, double arm) { visit(Lever{d, arm}); });
  }
  if (actuator.transmission == Transmission::none) {
    return;
  }
  if (actuator.transmission == Transmission::body) {
    const auto size = static_cast<std::int32_t>(dynamics.velocity_count);
    const double *row = work.adhesion.data() + actuator.other * size;
    for (std::int32_t d = 0; d < size; ++d) {
      if (row[d] != 0.0) {
        visit(Lever{d, actuator.gear[0] * row[d]});
      }
    }
    return;
  }
  const auto number = static_cast<std::size_t>(actuator.target);
  const Joint &joint = dynamics.system.joints[number];
  const std::int32_t first = dynamics.joints[number].velocity;
  const std::int32_t count = velocity_count(joint.type);
  double gear[6];
  std::copy_n(actuator.gear, 6, gear);
  if (actuator.transmission == Transmission::joint_in_parent && count >= 3) {
    double *turned = gear + count - 3; // the angular part, from the parent's axes to the body's
    const double *at = q + joint.position + (count == 6 ? 3 : 0);
    const Mat3 R = matrix(normalized({at[0], at[1], at[2], at[3]}));
    const Vec local = back(R, {turned[0], turned[1], turned[2]});
    turned[0] = local.x;
    turned[1] = local.y;
    turned[2] = local.z;
  }
  for (std::int32_t k = 0; k < count; ++k) {
    visit(Lever{first + k, gear[k]});
  }
}

} // namespace phyzctl
