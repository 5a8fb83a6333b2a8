// Strings around spheres and cylinders.
#pragma once

#include "matrix.hpp"

namespace phyzctl {

struct Obstacle {
  Pose<double> pose;
  double radius;
  bool cylinder; // endless, along its z
};

// Where a string touches an obstacle first and last, and how long it is between.
struct Wrap {
  Vec points[2];
  double length;
};

// The shortest string from a to b that doesn't enter the obstacle; false where that is straight. Where
// there is a `side`, it goes round the obstacle as the way from a by that point to b does; if the
// point is inside, the string goes through the obstacle, and touches it from within.
bool wrap(const Obstacle &obstacle, const Vec &a, const Vec &b, const Vec *side, Wrap &result);

} // namespace phyzctl
