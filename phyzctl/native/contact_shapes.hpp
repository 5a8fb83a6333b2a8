// The contacts of two placed shapes, by kinds. Types ascend: the first has the smaller number.
//
// Points and counts are MuJoCo's, so that what stands on them moves alike.
#pragma once

#include "contact_touches.hpp"
#include "hull_faces.hpp"
#include "shapes.hpp"

namespace phyzctl {

// A half-space and anything else, whose faces are given if it is a hull: up to 4.
void meet_half_space(const Placed &a, const Placed &b, const HullFaces *faces, Touches &out);

// Two of spheres and capsules; a sphere and a cylinder or box: 1, parallel capsules 2.
void meet_round(const Placed &a, const Placed &b, Touches &out);

// A capsule and a box: up to 2.
void meet_capsule_and_box(const Placed &a, const Placed &b, Touches &out);

// Two boxes: up to 8.
void meet_boxes(const Placed &a, const Placed &b, Touches &out);

// A shape as a manifold sees it. Only hulls have `faces`.
struct Solid {
  const Placed &placed;
  const HullFaces *faces;
};

// Room for polygons: as many corners as two faces have.
struct PolygonRoom {
  Vec *first, *second, *clipped, *spare;
};

// Any two of the others: up to 4, or 1 without `manifold`. Counts up `capped` when iterations ran
// out.
void meet_convex(const Solid &a, const Solid &b, bool manifold, const PolygonRoom &room,
                 std::size_t &capped, Touches &out);

} // namespace phyzctl
