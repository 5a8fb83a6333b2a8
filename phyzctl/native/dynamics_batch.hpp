// Dynamics of many states, for the door.
#pragma once

#include "smooth.hpp"

namespace phyzctl {

// Per row of q the whole mass matrix.
void mass_matrices(const Dynamics &dynamics, const double *q, std::size_t count, double *result);

// Per row of q and v the bias force.
void biases(const Dynamics &dynamics, const double *q, const double *v, std::size_t count,
            double *result);

// Per row of q and v how the bias force changes with v: entry (i, j) of force i by velocity j.
void bias_derivatives(const Dynamics &dynamics, const double *q, const double *v,
                      std::size_t count, double *result);

// Per row of q the lengths that actuators pull on, and how they change with the velocity (actuators
// × velocity_count).
void transmissions(const Dynamics &dynamics, const double *q, std::size_t count, double *lengths,
                   double *moments);

// Per row of q the Jacobian of a point fixed on a body, which is given in the body's frame.
void jacobians(const Dynamics &dynamics, const double *q, std::size_t count, std::int32_t body,
               const Vec &point, double *result);

// Rows of velocity_count numbers each.
struct ForceRows {
  double *bias, *passive, *motors, *acceleration;
};

// Per row of q, v, controls and, where not null, applied forces all that acts, and what follows.
void accelerations(const Dynamics &dynamics, const double *q, const double *v,
                   const Inputs &inputs, std::size_t count, const ForceRows &rows);

// What motors alone do, rows of velocity_count numbers.
void motor_forces(const Dynamics &dynamics, const double *q, const double *v,
                  const Inputs &inputs, std::size_t count, double *motors);

} // namespace phyzctl
