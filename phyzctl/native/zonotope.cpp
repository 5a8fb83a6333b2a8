#include "zonotope.hpp"

namespace phyzctl {
namespace {

double extent(const Zonotope &zonotope, const Vec &axis) {
  double sum = 0.0;
  for (int i = 0; i < zonotope.count; ++i) {
    sum += std::fabs(dot(zonotope.edges[i], axis));
  }
  return sum;
}

// Edges nearer to parallel than this span no axis worth a look: what it would part, a
// neighbouring axis parts within rounding.
constexpr double parallel = 1e-7;

} // namespace

Zonotope zonotope(const Placed &placed) {
  const Vec &s = placed.shape->size;
  const Vec z = column(placed.rotation, 2);
  if (placed.shape->type != ShapeType::box) {
    return {placed.position, {scaled(s.y, z)}, 1};
  }
  return {placed.position,
          {scaled(s.x, column(placed.rotation, 0)), scaled(s.y, column(placed.rotation, 1)),
           scaled(s.z, z)},
          3};
}

AxisDepth axis_depth(const Zonotope &a, const Zonotope &b, double margin) {
  const Vec between = b.centre - a.centre;
  AxisDepth best{infinity, {0.0, 0.0, 1.0}};
  const auto parted = [&](const Vec &e, const Vec &f) {
    const Vec axis = cross(e, f);
    const double size = squared(axis);
    if (!(size > parallel * parallel * squared(e) * squared(f))) {
      return false;
    }
    const Vec unit = scaled(1.0 / std::sqrt(size), axis);
    const double offset = dot(unit, between);
    const double depth = extent(a, unit) + extent(b, unit) - std::fabs(offset);
    if (depth < best.depth) {
      best = {depth, offset < 0.0 ? -unit : unit};
    }
    return -depth > margin;
  };
  for (const Zonotope *each : {&a, &b}) {
    for (int i = 0; i < each->count; ++i) {
      for (int j = 0; j < i; ++j) {
        if (parted(each->edges[i], each->edges[j])) {
          return best;
        }
      }
    }
  }
  for (int i = 0; i < a.count; ++i) {
    for (int j = 0; j < b.count; ++j) {
      if (parted(a.edges[i], b.edges[j])) {
        return best;
      }
    }
  }
  return best;
}

} // namespace phyzctl
