// Velocities taken at the end of the step: what damps can't overshoot.
#pragma once

#include "dynamics.hpp"

namespace phyzctl {

// Both after `act`, and both write work.acceleration. The first takes the joints' damping as it
// will be after h, MuJoCo's Euler; h = 0 gives the acceleration at the state.
void accelerate_damped(const Dynamics &dynamics, double h, Workspace &work);

// M + h D on paths, D how all forces but Coriolis and centrifugal ones change with the velocity as far
// as the mass matrix has entries for it. More may be added before `fold_sum`. After `act`.
std::vector<double> &implicit_sum(const Dynamics &dynamics, double h, Workspace &work);

// What was summed, in the pattern: work.factor.
void fold_sum(const Dynamics &dynamics, Workspace &work);

// The second all forces but Coriolis and centrifugal ones, as far as the mass matrix has entries
// for it; those of free bodies that carry nothing it takes whole: MuJoCo's implicitfast.
void accelerate_implicitly(const Dynamics &dynamics, double h, Workspace &work);

} // namespace phyzctl
