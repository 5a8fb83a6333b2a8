// Forces that come from a state alone: springs, dampers, and weight taken off.
#pragma once

#include "dynamics.hpp"

namespace phyzctl {

// Axis times angle, at most pi, of a unit quaternion.
Vec rotation_vector(const Quat<double> &q);

// The quaternion that turns by a rotation vector.
Quat<double> turn_by(const Vec &rotation);

// work.passive at q and v, and work.gravity_compensation. After `place`.
void passive_forces(const Dynamics &dynamics, const double *q, const double *v, Workspace &work);

} // namespace phyzctl
