// Bounding spheres and boxes: the quick no.
#pragma once

#include "support.hpp"

namespace phyzctl {

// Distance of the bounding spheres; without bounds they overlap as deep as you like.
inline double spheres_gap(const Placed &a, const Placed &b) {
  if (a.shape->type == ShapeType::half_space || b.shape->type == ShapeType::half_space) {
    return -infinity;
  }
  const Vec apart = b.position + b.rotation * b.shape->centre -
                    (a.position + a.rotation * a.shape->centre);
  return length(apart) - a.shape->reach - b.shape->reach - 1e-9;
}

// How far apart the bounding boxes are along their own axes, at least; below zero if no axis of
// either parts them. The shapes are no nearer than that.
inline double boxes_gap(const Pair &pair) {
  const Shape &a = *pair.a, &b = *pair.b;
  const Mat3 &r = pair.rotation;
  const Vec between = pair.position + r * b.centre - a.centre;
  const Vec x{std::fabs(r.x.x), std::fabs(r.x.y), std::fabs(r.x.z)},
      y{std::fabs(r.y.x), std::fabs(r.y.y), std::fabs(r.y.z)},
      z{std::fabs(r.z.x), std::fabs(r.z.y), std::fabs(r.z.z)};
  const Vec spread = Mat3{x, y, z} * b.half; // of B along the axes of A
  const double first = std::max({std::fabs(between.x) - a.half.x - spread.x,
                                 std::fabs(between.y) - a.half.y - spread.y,
                                 std::fabs(between.z) - a.half.z - spread.z});
  const Vec seen = back(r, between), extent = back(Mat3{x, y, z}, a.half);
  const double second = std::max({std::fabs(seen.x) - b.half.x - extent.x,
                                  std::fabs(seen.y) - b.half.y - extent.y,
                                  std::fabs(seen.z) - b.half.z - extent.z});
  return std::max(first, second);
}

} // namespace phyzctl
