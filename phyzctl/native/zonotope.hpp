// Boxes and segments, which are sums of segments: all their separating axes are known.
#pragma once

#include "shapes.hpp"

namespace phyzctl {

struct Zonotope {
  Vec centre{};
  Vec edges[3]; // half edges, as many as count
  int count = 0;
};

// Of a box, or of the core of a capsule.
Zonotope zonotope(const Placed &placed);

struct AxisDepth {
  double depth = 0.0; // negative when an axis parts them, then by at least so much
  Vec normal{};       // of length one, from A to B
};

// The least depth over all axes, or the first one that parts them by more than `margin`.
AxisDepth axis_depth(const Zonotope &a, const Zonotope &b, double margin);

} // namespace phyzctl
