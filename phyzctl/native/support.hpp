// Support points: where a shape's core reaches farthest along a direction of any length.
#pragma once

#include "shapes.hpp"

namespace phyzctl {

// The vertex of a hull that is farthest along d.
inline std::int32_t top(const Hull &hull, const Vec &d) {
  if (hull.starts == nullptr) {
    std::int32_t best = 0;
    double most = dot(hull.vertices[0], d);
    for (std::int32_t i = 1; i < hull.count; ++i) {
      const double reach = dot(hull.vertices[i], d);
      if (reach > most) {
        most = reach;
        best = i;
      }
    }
    return best;
  }
  // Climb to the best neighbour until there is none: on a convex body that is the top.
  std::int32_t at = hull.starts[cell(d, hull.cells)], next = at;
  double most = dot(hull.vertices[at], d);
  for (;;) {
    for (std::int32_t k = hull.first[at]; k < hull.first[at + 1]; ++k) {
      const double reach = dot(hull.vertices[hull.neighbours[k]], d);
      if (reach > most) {
        most = reach;
        next = hull.neighbours[k];
      }
    }
    if (next == at) {
      return at;
    }
    at = next;
  }
}

inline Vec support(const Shape &shape, const Vec &d) {
  const Vec &s = shape.size;
  switch (shape.type) {
  case ShapeType::capsule:
    return {0.0, 0.0, std::copysign(s.y, d.z)};
  case ShapeType::box:
    return {std::copysign(s.x, d.x), std::copysign(s.y, d.y), std::copysign(s.z, d.z)};
  case ShapeType::cylinder: {
    const double across = std::sqrt(d.x * d.x + d.y * d.y);
    const double k = across > 0.0 ? s.x / across : 0.0;
    return {k * d.x, k * d.y, std::copysign(s.y, d.z)};
  }
  case ShapeType::ellipsoid: {
    const Vec stretched{s.x * d.x, s.y * d.y, s.z * d.z};
    const double size = length(stretched);
    const double k = size > 0.0 ? 1.0 / size : 0.0;
    return {k * s.x * stretched.x, k * s.y * stretched.y, k * s.z * stretched.z};
  }
  case ShapeType::hull:
    return shape.hull.vertices[top(shape.hull, d)];
  default:
    return {0.0, 0.0, 0.0};
  }
}

// Two shapes, the second seen from the frame of the first.
struct Pair {
  const Shape *a, *b;
  Mat3 rotation;
  Vec position;
};

inline Pair relative(const Placed &a, const Placed &b) {
  return {a.shape, b.shape, relative(a.rotation, b.rotation),
          back(a.rotation, b.position - a.position)};
}

// A point of the difference A - B of the cores, and the point of A it comes from.
struct Corner {
  Vec w, a;
};

// Where A - B reaches farthest along d.
inline Corner support(const Pair &pair, const Vec &d) {
  const Vec a = support(*pair.a, d);
  const Vec b = pair.position + pair.rotation * support(*pair.b, back(pair.rotation, -d));
  return {a - b, a};
}

} // namespace phyzctl
