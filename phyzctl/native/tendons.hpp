// Lengths of tendons, and how they change with the velocity.
#pragma once

#include "dynamics.hpp"

namespace phyzctl {

// Of tendons that are sums of positions: work.lengths.
void sum_tendons(const Dynamics &dynamics, const double *q, Workspace &work);

// work.lengths of all tendons, and work.arms of those that are paths through space. After bodies have
// been placed.
void reach_tendons(const Dynamics &dynamics, const double *q, Workspace &work);

} // namespace phyzctl
