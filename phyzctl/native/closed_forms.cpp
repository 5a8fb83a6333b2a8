#include "closed_forms.hpp"

#include "support.hpp"

namespace phyzctl {
namespace {

// Vectors shorter than this have no direction that their squares would still tell.
constexpr double tiny = 1e-100;

Vec unit_or(const Vec &v, double size, const Vec &otherwise) {
  return size > tiny ? scaled(1.0 / size, v) : otherwise;
}

// From core points and the direction between them to surfaces.
Separation around(const Vec &a, double gap, const Vec &normal, double radius_a, double radius_b) {
  Separation result;
  result.distance = gap - radius_a - radius_b;
  result.normal = normal;
  result.a = a + scaled(radius_a, normal);
  result.b = result.a + scaled(result.distance, normal);
  return result;
}

// Half of the axis from its middle; nothing for a sphere.
Vec half_segment(const Placed &placed) {
  const double half = placed.shape->type == ShapeType::sphere ? 0.0 : placed.shape->size.y;
  return scaled(half, column(placed.rotation, 2));
}

double within(double t) { return std::min(1.0, std::max(-1.0, t)); }

// Where on the segment c + t u, -1 <= t <= 1, the nearest point to p is.
double nearest_on(const Vec &c, const Vec &u, const Vec &p) {
  const double size = squared(u);
  return size > 0.0 ? within(dot(u, p - c) / size) : 0.0;
}

// Nearest points of the segments s u and w + t v. The crossing of lines is solved through the
// cross product, which doesn't lose the small angle of nearly parallel ones.
struct Crossing {
  double s, t;
};

Crossing nearest_between(const Vec &u, const Vec &w, const Vec &v) {
  const Vec across = cross(u, v);
  const double size = squared(across);
  double s = 0.0;
  if (size > 1e-30 * squared(u) * squared(v)) {
    s = within(dot(cross(w, v), across) / size);
  }
  const double t = nearest_on(w, v, scaled(s, u));
  return {nearest_on({}, u, w + scaled(t, v)), t};
}

// The surface of a solid nearest to a point inside of it: along an axis of the solid's frame.
struct Exit {
  double depth;
  Vec normal; // out of the solid
};

Exit exit_of_box(const Vec &half, const Vec &p) {
  const double x = half.x - std::fabs(p.x), y = half.y - std::fabs(p.y),
               z = half.z - std::fabs(p.z);
  if (x <= y && x <= z) {
    return {x, {std::copysign(1.0, p.x), 0.0, 0.0}};
  }
  return y <= z ? Exit{y, {0.0, std::copysign(1.0, p.y), 0.0}}
                : Exit{z, {0.0, 0.0, std::copysign(1.0, p.z)}};
}

Exit exit_of_cylinder(const Vec &size, const Vec &p) {
  const double across = std::sqrt(p.x * p.x + p.y * p.y);
  const double side = size.x - across, end = size.y - std::fabs(p.z);
  if (end <= side) {
    return {end, {0.0, 0.0, std::copysign(1.0, p.z)}};
  }
  const Vec outwards = unit_or({p.x, p.y, 0.0}, across, {1.0, 0.0, 0.0});
  return {side, outwards};
}

Vec nearest_in_solid(const Shape &solid, const Vec &p) {
  const Vec &s = solid.size;
  if (solid.type == ShapeType::box) {
    return {std::min(s.x, std::max(-s.x, p.x)), std::min(s.y, std::max(-s.y, p.y)),
            std::min(s.z, std::max(-s.z, p.z))};
  }
  const double across = std::sqrt(p.x * p.x + p.y * p.y);
  const double k = across > s.x ? s.x / across : 1.0;
  return {k * p.x, k * p.y, std::min(s.y, std::max(-s.y, p.z))};
}

} // namespace

Separation half_space_and(const Placed &a, const Placed &b) {
  const Vec normal = column(a.rotation, 2);
  const Vec lowest = b.position + b.rotation * support(*b.shape, back(b.rotation, -normal));
  const double height = dot(normal, lowest - a.position);
  return around(lowest - scaled(height, normal), height, normal, a.shape->radius, b.shape->radius);
}

bool clear_of_half_space(const Placed &a, const Placed &b, double margin) {
  const Vec centre = b.position + b.rotation * b.shape->centre;
  const double height = dot(column(a.rotation, 2), centre - a.position);
  return height > b.shape->reach + a.shape->radius + margin + 1e-9 * largest(centre);
}

bool axes_within(const Placed &a, const Placed &b, double room) {
  const Vec v = half_segment(b), w = b.position - a.position;
  if (a.shape->type == ShapeType::sphere) {
    return squared(w + scaled(nearest_on(w, v, {}), v)) <= room * room;
  }
  const Vec u = half_segment(a);
  const Crossing at = nearest_between(u, w, v);
  return squared(w + scaled(at.t, v) - scaled(at.s, u)) <= room * room;
}

Separation round_and_round(const Placed &a, const Placed &b) {
  const Vec u = half_segment(a), v = half_segment(b), w = b.position - a.position;
  const Crossing at = nearest_between(u, w, v);
  const Vec from = scaled(at.s, u), between = w + scaled(at.t, v) - from;
  const double gap = length(between);
  // Cores that cross part fastest across both; a gap that is nothing but rounding tells nothing.
  Vec normal = unit_or(between, gap, {});
  if (!(gap > tiny + 1e-15 * (largest(u) + largest(v)))) {
    const Vec across = cross(u, v), along = squared(u) > squared(v) ? u : v;
    const double size = length(across);
    normal = size > 0.0             ? scaled(1.0 / size, across)
             : squared(along) > 0.0 ? perpendicular(along)
                                    : Vec{0.0, 0.0, 1.0};
  }
  return around(a.position + from, gap, normal, a.shape->radius, b.shape->radius);
}

Separation sphere_and_solid(const Placed &a, const Placed &b) {
  const Vec p = back(b.rotation, a.position - b.position);
  const Vec towards = nearest_in_solid(*b.shape, p) - p;
  const double gap = length(towards);
  if (gap > tiny + 1e-14 * largest(p)) {
    const Vec normal = b.rotation * scaled(1.0 / gap, towards);
    return around(a.position, gap, normal, a.shape->radius, b.shape->radius);
  }
  const Exit exit = b.shape->type == ShapeType::box ? exit_of_box(b.shape->size, p)
                                                    : exit_of_cylinder(b.shape->size, p);
  return around(a.position, -exit.depth, b.rotation * -exit.normal, a.shape->radius,
                b.shape->radius);
}

} // namespace phyzctl
