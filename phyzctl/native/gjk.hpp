// The algorithm of Gilbert, Johnson and Keerthi: how far two convex cores are apart.
#pragma once

#include "support.hpp"

namespace phyzctl {

struct Gap {
  bool apart = false; // else the cores overlap, or touch within rounding, and the rest is void
  bool capped = false; // out of iterations: `distance` is the best lower bound
  double distance = 0.0;
  Vec normal{}; // of length one, from A to B, in the frame of A
  Vec a{};      // the point of A's core nearest to B's, in the frame of A
  bool held = false; // the cores overlap, and the origin is inside of a tetrahedron of A - B
  Corner around[4];  // that
};

// The distance of the cores, radii left aside. Above `limit` it may be infinite, and the rest void.
Gap core_gap(const Pair &pair, double limit = infinity);

// True when the cores come within `margin` of each other. Doesn't find out how far they are.
bool cores_within(const Pair &pair, double margin);

} // namespace phyzctl
