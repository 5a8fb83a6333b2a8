// Shapes made simple, for a first look at many configurations at once: a ball, a segment or a box
// with a radius around it. What it can't tell is left to the narrow phase.
#pragma once

#include "placement.hpp"

namespace phyzctl {

struct Outline {
  bool half_space = false;
  int axes = 0; // 0 of a ball, 1 of a segment, 3 of a box, the longest first; or a plane's normal
  std::size_t centre = 0, axis[3] = {}; // spots of a Placement
  float inverse[3] = {};  // of an axis's squared length, or 0 where it is next to nothing
  double outer = 0.0;     // the shape is inside of what has this radius around the axes,
  double inner = 0.0;     // and all of what has this one is inside of the shape; or below 0
  double reach = 0.0;     // radius of the bounding sphere; a half-space's is infinite
  double extent = 0.0;    // the largest of all these lengths, where the centre is included
};

// The outline of a geom; its spots are added to the placement.
Outline outline(const Geom &geom, const Shape &shape, Placement &placement);

// In which configurations two shapes are surely apart, and in which they surely overlap.
struct Verdict {
  Mask apart = 0, overlap = 0;
};

// Bounds in single precision are off by less than this much times the coordinates: a centre and
// the axes by some 10 units in the last place each (2^-24, 6e-8), and what is made of them by
// less than ten more. Never less than 1e-9 m, so that no square falls below what a float can hold.
inline double slack(double coordinates) { return 2e-5 * coordinates + 1e-9; }

// In which configurations two points are no farther apart than `far`.
Mask within(const Vectors &a, const Vectors &b, double far);

// Of the configurations asked for only. Apart means by more than `margin`, which isn't negative.
Verdict judge(const Placement &placement, const Outline &a, const Outline &b, Mask asked,
              double margin, double slack);

} // namespace phyzctl
