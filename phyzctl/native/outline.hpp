// Shapes made simple, for a first look at many configurations at once: a ball, a segment or a box
// with a radius around it. What it can't tell is left to the narrow phase.
#pragma once

#include "placement.hpp"

namespace phyzctl {

enum class Form { ball, segment, box, half_space };

struct Outline {
  Form form = Form::ball;
  std::size_t centre = 0;   // a spot of a Placement, as are
  std::size_t axis[3] = {}; // half axes, the longest first; or the normal of a half-space
  float inverse[3] = {};    // of an axis's squared length, or 0 where it is next to nothing
  float core[3] = {};       // the share of each axis that matters for `inner`
  double outer = 0.0;       // the shape is inside of what has this radius around the axes; what
  double inner = 0.0;       // has this one around their cores is inside of it; below 0 for none
  double reach = 0.0;       // radius of the bounding sphere; a half-space's is infinite
  double extent = 0.0;      // the largest of all these lengths and of the centre's coordinates
};

// In which configurations two shapes are sure to be apart, and in which to overlap.
struct Verdict {
  Mask apart = 0, overlap = 0;
};

// The outlines of some geoms of a robot, from block to block.
class Outlines {
public:
  Outlines(const System &system, const Shapes &shapes, const std::vector<std::size_t> &geoms);

  // A point on a body, the world being -1, to be known in every block. Returns its number.
  std::size_t add_point(std::int32_t body, const Vec &point);

  // Go on to up to `block` other configurations, rows of system.position_count numbers.
  void place(const double *q, std::size_t size);

  // In which configurations two such points are no farther apart than `far`, or some more.
  Mask within(std::size_t a, std::size_t b, double far) const;

  // Calls back with each configuration, of those asked for, in which two geoms may be within
  // `margin` (not negative) of each other, and with whether they are sure to overlap.
  template <class Each>
  void each_near(std::size_t a, std::size_t b, Mask asked, double margin, const Each &each) const {
    Mask near = maybe_near(a, b, margin) & asked;
    if (near == 0) {
      return;
    }
    const Verdict verdict = judge(a, b, near, margin);
    for (near &= ~verdict.apart; near != 0; near &= near - 1) {
      const std::size_t i = lowest(near);
      each(i, ((verdict.overlap >> i) & 1U) != 0);
    }
  }

  // A geom in one configuration, in double precision.
  const Placed &exact(std::size_t geom, std::size_t i) { return placement_.exact(geom, i); }

private:
  // By the bounding spheres.
  Mask maybe_near(std::size_t a, std::size_t b, double margin) const;

  // By the outlines, of the configurations asked for.
  Verdict judge(std::size_t a, std::size_t b, Mask asked, double margin) const;

  Placement placement_;
  std::vector<Outline> outlines_; // a geom
  double extent_ = 0.0;           // the largest length in them
  double slack_ = 0.0;            // that bounds may be off by rounding, in this block
  Mask all_ = 0;                  // configurations there are in this block
};

} // namespace phyzctl
