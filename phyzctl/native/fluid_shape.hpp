// Forces of a medium on an ellipsoid that moves through it, MuJoCo's for geoms whose fluidshape is
// that: added mass, drag, viscous resistance, and the lifts of Magnus and of Kutta's condition.
// https://mujoco.readthedocs.io/en/stable/computation/fluid.html
#pragma once

#include <cstdint>

#include "rotation.hpp"

namespace phyzctl {

struct Medium;

struct FluidShape {
  std::int32_t body;
  Pose<double> frame; // on the body, along the axes
  double axes[3];     // half of each
  double blunt, slender, angular, kutta, magnus; // coefficients
  double added_mass[3], added_inertia[3]; // of the moved medium, over its density

  static FluidShape of(std::int32_t body, const double *row);
};

// How it moves against the medium, along its axes: angular above linear; and what that makes.
struct FluidForce {
  double value[6];
  double slope[6][6]; // a row a force, a column a speed
};

void fluid_force(const FluidShape &shape, const Medium &medium, const double (&speed)[6],
                 double (&force)[6]);

// With its derivatives.
FluidForce fluid_slope(const FluidShape &shape, const Medium &medium, const double (&speed)[6]);

} // namespace phyzctl
