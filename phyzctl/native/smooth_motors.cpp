#include "smooth_motors.hpp"

#include <cmath>

#include "passive.hpp"

namespace phyzctl {
namespace {

std::size_t index(std::int32_t i) { return static_cast<std::size_t>(i); }

// What an actuator's law takes as u: the control or, behind dynamics, the activation. Notes the
// activation's rate.
double drive(const Actuator &actuator, double control, const Inputs &inputs, Workspace &work) {
  const double u = actuator.control.clamp(control);
  if (actuator.dynamics == Activation::none) {
    return u;
  }
  const std::size_t place = index(actuator.activation);
  const double activation = inputs.activations[place];
  double &rate = work.rates[place];
  rate = 0.0;
  if (actuator.dynamics == Activation::integrator) {
    rate = u;
  } else if (actuator.dynamics == Activation::muscle) {
    rate = activation_rate(actuator.times, u, activation);
  } else if (actuator.dynamics != Activation::idle) {
    rate = (u - activation) / std::max(1e-15, actuator.times[0]);
  }
  return actuator.early ? next_activation(actuator, activation, rate, inputs.h) : activation;
}

void pull(const Dynamics &dynamics, std::size_t a, const Inputs &inputs, const double *q,
          const double *v, Workspace &work) {
  const Actuator &actuator = dynamics.actuators[a];
  const double length = transmission_length(dynamics, actuator, q, work);
  double u = drive(actuator, inputs.controls[a], inputs, work);
  if (actuator.period > 0.0) {
    u -= actuator.period * std::round((u - length) / actuator.period);
  }
  double speed = 0.0;
  visit_levers(dynamics, actuator, q, work,
               [&](const Lever &lever) { speed += lever.arm * v[lever.velocity]; });
  double gain = actuator.gain[0] + actuator.gain[1] * length + actuator.gain[2] * speed;
  double bias = actuator.bias[0] + actuator.bias[1] * length + actuator.bias[2] * speed;
  double gain_by_speed = actuator.gain[2];
  if (actuator.muscle >= 0) {
    const Muscle &muscle = dynamics.muscles[index(actuator.muscle)];
    const MuscleForce active = active_force(muscle.gain, length, speed);
    gain += active.value;
    gain_by_speed += active.by_speed;
    bias += passive_force(muscle.bias, length);
  }
  const double force = gain * u + bias;
  work.asked[a] = force;
  work.pulls[a] = actuator.force.clamp(force);
  const bool saturated = actuator.force.finite() && actuator.force.reached(force);
  work.speed_gains[a] = saturated ? 0.0 : actuator.bias[2] + gain_by_speed * u;
}

// Scale what is pulled on each tendon so that the sum lies in what it allows; at its bounds the
// motors add no damping.
void share_tendons(const Dynamics &dynamics, Workspace &work) {
  if (dynamics.tendons.empty()) {
    return;
  }
  std::fill(work.tendon_sums.begin(), work.tendon_sums.end(), 0.0);
  for (std::size_t a = 0; a < dynamics.actuators.size(); ++a) {
    const Actuator &actuator = dynamics.actuators[a];
    if (actuator.transmission == Transmission::tendon) {
      work.tendon_sums[index(actuator.target)] += work.pulls[a];
    }
  }
  for (std::size_t a = 0; a < dynamics.actuators.size(); ++a) {
    const Actuator &actuator = dynamics.actuators[a];
    if (actuator.transmission != Transmission::tendon) {
      continue;
    }
    const double sum = work.tendon_sums[index(actuator.target)];
    const Bounds &allowed = dynamics.tendons[index(actuator.target)].force;
    if (allowed.finite() && allowed.reached(sum)) {
      work.speed_gains[a] = 0.0;
    }
    if (allowed.clamp(sum) != sum && sum != 0.0) {
      work.pulls[a] *= allowed.clamp(sum) / sum;
    }
  }
}

// Each joint's total within what its motors can do.
void clamp_joints(const Dynamics &dynamics, double *forces) {
  for (std::size_t j = 0; j < dynamics.joints.size(); ++j) {
    const JointForces &joint = dynamics.joints[j];
    const std::int32_t count = velocity_count(dynamics.system.joints[j].type);
    for (std::int32_t k = 0; k < count && joint.force.finite(); ++k) {
      forces[joint.velocity + k] = joint.force.clamp(forces[joint.velocity + k]);
    }
  }
}

// Motors of a joint that is held at its bound add no damping.
void release_clamped(const Dynamics &dynamics, Workspace &work) {
  for (std::size_t a = 0; a < dynamics.actuators.size(); ++a) {
    const Actuator &actuator = dynamics.actuators[a];
    if (actuator.transmission != Transmission::joint &&
        actuator.transmission != Transmission::joint_in_parent) {
      continue;
    }
    const JointForces &joint = dynamics.joints[index(actuator.target)];
    if (joint.force.finite() && joint.force.reached(work.motors[index(joint.velocity)])) {
      work.speed_gains[a] = 0.0;
    }
  }
}

} // namespace

double transmission_length(const Dynamics &dynamics, const Actuator &actuator, const double *q,
                           const Workspace &work) {
  if (actuator.position >= 0) {
    return actuator.gear[0] * q[actuator.position];
  }
  if (actuator.transmission == Transmission::tendon) {
    return actuator.gear[0] * work.lengths[index(actuator.target)];
  }
  if (on_sites(actuator)) {
    return reach_site(actuator, work).length;
  }
  if (actuator.transmission == Transmission::none ||
      actuator.transmission == Transmission::body) {
    return 0.0;
  }
  const Joint &joint = dynamics.system.joints[index(actuator.target)];
  if (joint.type != JointType::ball) {
    return 0.0;
  }
  const double *here = q + joint.position;
  return dot(Vec{actuator.gear[0], actuator.gear[1], actuator.gear[2]},
             rotation_vector(normalized({here[0], here[1], here[2], here[3]})));
}

double next_activation(const Actuator &actuator, double activation, double rate, double h) {
  const double time = std::max(1e-15, actuator.times[0]);
  const bool exactly = actuator.dynamics == Activation::filterexact;
  const double change = exactly ? rate * time * (1.0 - std::exp(-h / time)) : rate * h;
  return actuator.activations.clamp(activation + change);
}

void motor_forces(const Dynamics &dynamics, const double *q, const double *v,
                  const Inputs &inputs, Workspace &work) {
  double *forces = work.motors.data();
  if (dynamics.actuators.empty()) {
    std::copy_n(inputs.controls, dynamics.velocity_count, forces);
  } else if (!dynamics.actuated) {
    for (std::vector<double> *still : {&work.motors, &work.rates, &work.speed_gains}) {
      std::fill(still->begin(), still->end(), 0.0);
    }
    return;
  } else {
    for (std::size_t a = 0; a < dynamics.actuators.size(); ++a) {
      pull(dynamics, a, inputs, q, v, work);
    }
    share_tendons(dynamics, work);
    std::fill_n(forces, dynamics.velocity_count, 0.0);
    for (std::size_t a = 0; a < dynamics.actuators.size(); ++a) {
      visit_levers(dynamics, dynamics.actuators[a], q, work, [&](const Lever &lever) {
        forces[lever.velocity] += lever.arm * work.pulls[a];
      });
    }
  }
  if (dynamics.any_gravity_compensation) {
    for (std::size_t j = 0; j < dynamics.joints.size(); ++j) {
      const JointForces &joint = dynamics.joints[j];
      const std::int32_t count = velocity_count(dynamics.system.joints[j].type);
      for (std::int32_t k = 0; k < count && joint.compensated_by_motors; ++k) {
        const auto d = index(joint.velocity + k);
        forces[d] += work.gravity_compensation[d];
      }
    }
  }
  if (dynamics.any_joint_range) {
    clamp_joints(dynamics, forces);
    release_clamped(dynamics, work);
  }
}

} // namespace phyzctl
