#include "dynamics_batch.hpp"

#include <algorithm>

#include "bias_derivative.hpp"
#include "passive.hpp"
#include "smooth_motors.hpp"
#include "tendons.hpp"

namespace phyzctl {
namespace {

// True where what motors do depends on where bodies are.
bool motors_look_at_bodies(const Dynamics &dynamics) {
  const bool paths = std::any_of(dynamics.tendons.begin(), dynamics.tendons.end(),
                                 [](const Tendon &each) { return each.spatial(); });
  return dynamics.any_gravity_compensation || paths ||
         std::any_of(dynamics.actuators.begin(), dynamics.actuators.end(), [](const Actuator &each) {
           return each.transmission != Transmission::joint &&
                  each.transmission != Transmission::tendon;
         });
}

} // namespace

void mass_matrices(const Dynamics &dynamics, const double *q, std::size_t count, double *result) {
  Workspace work(dynamics);
  const std::size_t nq = dynamics.system.position_count, nv = dynamics.velocity_count;
  for (std::size_t i = 0; i < count; ++i) {
    place(dynamics, q + i * nq, work);
    densify(dynamics.paths, whole_mass(dynamics, work).data(), result + i * nv * nv);
  }
}

void biases(const Dynamics &dynamics, const double *q, const double *v, std::size_t count,
            double *result) {
  Workspace work(dynamics);
  const std::size_t nq = dynamics.system.position_count, nv = dynamics.velocity_count;
  for (std::size_t i = 0; i < count; ++i) {
    place(dynamics, q + i * nq, work);
    move(dynamics, v + i * nv, work);
    std::copy(work.bias.begin(), work.bias.end(), result + i * nv);
  }
}

void bias_derivatives(const Dynamics &dynamics, const double *q, const double *v,
                      std::size_t count, double *result) {
  Workspace work(dynamics);
  BiasDerivativeWork mine(dynamics);
  GeneralMatrix matrix(dynamics.paths);
  const std::size_t nq = dynamics.system.position_count, nv = dynamics.velocity_count;
  std::fill_n(result, count * nv * nv, 0.0);
  for (std::size_t i = 0; i < count; ++i) {
    place(dynamics, q + i * nq, work);
    move(dynamics, v + i * nv, work);
    bias_derivative(dynamics, v + i * nv, work, mine, matrix);
    double *square = result + i * nv * nv;
    for (std::size_t d = 0; d < nv; ++d) {
      for (std::size_t at = dynamics.paths.start[d]; at < dynamics.paths.start[d + 1]; ++at) {
        const auto below = static_cast<std::size_t>(dynamics.paths.columns[at]);
        square[below * nv + d] = matrix.upper[at];
        square[d * nv + below] = matrix.lower[at];
      }
    }
  }
}

void transmissions(const Dynamics &dynamics, const double *q, std::size_t count, double *lengths,
                   double *moments) {
  Workspace work(dynamics);
  const std::size_t nq = dynamics.system.position_count, nv = dynamics.velocity_count;
  const std::size_t nu = dynamics.actuators.size();
  std::fill_n(moments, count * nu * nv, 0.0);
  for (std::size_t i = 0; i < count; ++i, q += nq, lengths += nu) {
    place(dynamics, q, work);
    for (std::size_t a = 0; a < nu; ++a, moments += nv) {
      const Actuator &actuator = dynamics.actuators[a];
      lengths[a] = transmission_length(dynamics, actuator, q, work);
      visit_levers(dynamics, actuator, q, work,
                   [&](const Lever &lever) { moments[lever.velocity] += lever.arm; });
    }
  }
}

void jacobians(const Dynamics &dynamics, const double *q, std::size_t count, std::int32_t body,
               const Vec &point, double *result) {
  Workspace work(dynamics);
  const std::size_t nq = dynamics.system.position_count, nv = dynamics.velocity_count;
  for (std::size_t i = 0; i < count; ++i) {
    place(dynamics, q + i * nq, work);
    const Pose<double> &pose = work.poses[static_cast<std::size_t>(body)];
    const Vec at = pose.p + rotate(pose.q, point);
    jacobian(dynamics, work, body, at, result + i * 6 * nv);
  }
}

void accelerations(const Dynamics &dynamics, const double *q, const double *v,
                   const Inputs &inputs, std::size_t count, const ForceRows &rows) {
  Workspace work(dynamics);
  const std::size_t nq = dynamics.system.position_count, nv = dynamics.velocity_count;
  const std::size_t width = dynamics.control_count();
  for (std::size_t i = 0; i < count; ++i) {
    const double *applied = inputs.applied == nullptr ? nullptr : inputs.applied + i * nv;
    const double *activations = inputs.activations + i * dynamics.activation_count;
    accelerate(dynamics, q + i * nq, v + i * nv,
               {inputs.controls + i * width, applied, activations, inputs.h}, work);
    std::copy(work.bias.begin(), work.bias.end(), rows.bias + i * nv);
    std::copy(work.passive.begin(), work.passive.end(), rows.passive + i * nv);
    std::copy(work.motors.begin(), work.motors.end(), rows.motors + i * nv);
    std::copy(work.acceleration.begin(), work.acceleration.end(), rows.acceleration + i * nv);
  }
}

void motor_forces(const Dynamics &dynamics, const double *q, const double *v,
                  const Inputs &inputs, std::size_t count, double *motors) {
  Workspace work(dynamics);
  const std::size_t nq = dynamics.system.position_count, nv = dynamics.velocity_count;
  const std::size_t nu = dynamics.control_count(), na = dynamics.activation_count;
  const bool looking = motors_look_at_bodies(dynamics);
  for (std::size_t i = 0; i < count; ++i, q += nq, v += nv, motors += nv) {
    if (looking) {
      place(dynamics, q, work);
      passive_forces(dynamics, q, v, work);
    } else {
      sum_tendons(dynamics, q, work);
    }
    const Inputs here{inputs.controls + i * nu, nullptr, inputs.activations + i * na, inputs.h};
    motor_forces(dynamics, q, v, here, work);
    std::copy(work.motors.begin(), work.motors.end(), motors);
  }
}

} // namespace phyzctl
