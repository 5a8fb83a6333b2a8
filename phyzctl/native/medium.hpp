// Forces of a medium on bodies that move through it: MuJoCo's, by which a body is the box that has
// its inertia. Each side of the box is dragged by the density, and its mean by the viscosity. A body
// with shapes of its own is these instead (fluid_shape.hpp).
#pragma once

#include "dynamics.hpp"

namespace phyzctl {

// Of a body whose principal axes are turned like that.
Box drag_box(const Medium &medium, const Mass &mass, const Quat<double> &turn);

// Adds to work.passive. After `move`.
void medium_forces(const Dynamics &dynamics, Workspace &work);

// Adds to a matrix on paths h times how much those forces fall with the velocity.
void add_medium(const Dynamics &dynamics, double h, Workspace &work, std::vector<double> &matrix);

} // namespace phyzctl
