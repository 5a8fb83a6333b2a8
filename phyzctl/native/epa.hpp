// The expanding polytope algorithm: how deep two convex cores overlap.
#pragma once

#include "support.hpp"

namespace phyzctl {

struct Depth {
  double depth = 0.0; // moving B by depth * normal separates the cores
  Vec normal{};       // of length one, from A to B, in the frame of A
  Vec a{};            // the point of A that is deepest in B, in the frame of A
  bool capped = false;
};

// For cores that overlap or touch. `depth` is never too small: along `normal`, it is exact. Out
// of iterations, it is the least seen. It comes out negative for cores that are a little apart.
Depth core_depth(const Pair &pair);

// The same, from a tetrahedron of A - B that has the origin inside.
Depth core_depth(const Pair &pair, const Corner *around);

} // namespace phyzctl
