// Motion that no force acts on, for half a step: what turns freely keeps its angular momentum.
#pragma once

#include "dynamics.hpp"

namespace phyzctl {

// A body, with all that is welded to it, on a free or ball joint to the world and nothing moving
// on it. It turns about its centre of mass, or the ball's anchor.
struct Spinner {
  std::int32_t body, velocity, position; // where its turn starts in v and q
  bool free;
  Vec centre;      // of mass, in the body; of free ones
  Vec axes[3];     // principal, in the body
  double moments[3];
};

// Those of a Dynamics. Ones with reflected inertia (armature) are not among them, nor any without
// inertia.
std::vector<Spinner> spinners(const Dynamics &dynamics);

// q and v after the time h. Spinners keep momentum and angular momentum in the world, by turns about
// their principal axes one after the other, back and forth; all else its v.
void drift(const Dynamics &dynamics, const std::vector<Spinner> &spinners, double h,
           const double *q, const double *v, double *next_q, double *next_v);

} // namespace phyzctl
