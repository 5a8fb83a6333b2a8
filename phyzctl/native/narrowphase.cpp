#include "narrowphase.hpp"

#include "bounds.hpp"
#include "epa.hpp"
#include "gjk.hpp"
#include "zonotope.hpp"

namespace phyzctl {
namespace {

enum class Way { half_space, round, sphere_and_solid, zonotopes, general };

bool has_volume(const Shape &shape) {
  return std::min({shape.size.x, shape.size.y, shape.size.z}) > 0.0;
}

// How to treat a pair whose types are in ascending order.
Way way(const Shape &a, const Shape &b) {
  if (a.type == ShapeType::half_space) {
    return Way::half_space;
  }
  if (b.type <= ShapeType::capsule) {
    return Way::round;
  }
  const bool box = b.type == ShapeType::box;
  if (a.type == ShapeType::sphere && (box || b.type == ShapeType::cylinder)) {
    return Way::sphere_and_solid;
  }
  const bool edged = a.type == ShapeType::capsule || (a.type == ShapeType::box && has_volume(a));
  return box && edged && has_volume(b) ? Way::zonotopes : Way::general;
}

Separation in_world(const Placed &a, const Placed &b, double gap, const Vec &normal,
                    const Vec &point) {
  Separation result;
  const double radii = a.shape->radius + b.shape->radius;
  result.distance = gap - radii;
  result.normal = a.rotation * normal;
  result.a = a.position + a.rotation * (point + scaled(a.shape->radius, normal));
  result.b = result.a + scaled(result.distance, result.normal);
  return result;
}

// Overlapping boxes and segments: the axes tell depth and normal. Moved apart by a little more
// than the depth, their nearest points are those that were deepest.
Separation deep_zonotopes(const Placed &a, const Placed &b, const Pair &pair) {
  const AxisDepth found = axis_depth(zonotope(a), zonotope(b), infinity);
  Pair parted = pair;
  const Vec normal = back(a.rotation, found.normal);
  const double slit = 1e-9 * (a.shape->reach + b.shape->reach);
  parted.position = pair.position + scaled(std::max(found.depth, 0.0) + slit, normal);
  const Gap gap = core_gap(parted);
  const Vec point = gap.apart ? gap.a : support(*a.shape, normal);
  return in_world(a, b, -found.depth, normal, point);
}

// From the gap between the cores.
Separation separation(const Placed &a, const Placed &b, const Pair &pair, const Gap &gap,
                      bool zonotopes, std::size_t &capped) {
  if (gap.apart) {
    capped += gap.capped ? 1 : 0;
    return in_world(a, b, gap.distance, gap.normal, gap.a);
  }
  if (zonotopes) {
    return deep_zonotopes(a, b, pair);
  }
  const Depth depth = gap.held ? core_depth(pair, gap.around) : core_depth(pair);
  capped += depth.capped ? 1 : 0;
  return in_world(a, b, -depth.depth, depth.normal, depth.a);
}

Separation general(const Placed &a, const Placed &b, bool zonotopes, std::size_t &capped) {
  const Pair pair = relative(a, b);
  return separation(a, b, pair, core_gap(pair), zonotopes, capped);
}

Separation ordered_distance(const Placed &a, const Placed &b, std::size_t &capped) {
  const Way which = way(*a.shape, *b.shape);
  switch (which) {
  case Way::half_space:
    return half_space_and(a, b);
  case Way::round:
    return round_and_round(a, b);
  case Way::sphere_and_solid:
    return sphere_and_solid(a, b);
  default:
    return general(a, b, which == Way::zonotopes, capped);
  }
}

// Longer than wide or not: a cylinder lies inside of the capsule around its axis.
bool is_around_axis(const Shape &shape) {
  return shape.type == ShapeType::capsule || shape.type == ShapeType::cylinder;
}

double beyond_core(const Shape &shape) {
  return shape.type == ShapeType::cylinder ? shape.size.x : 0.0;
}

// True when the capsules around two shapes with axes are apart by more than `room` beyond cores.
bool axes_apart(const Placed &a, const Placed &b, double room) {
  return is_around_axis(*a.shape) && is_around_axis(*b.shape) &&
         !axes_within(a, b, room + beyond_core(*a.shape) + beyond_core(*b.shape) + 1e-9);
}

bool ordered_overlap(const Placed &a, const Placed &b, double margin) {
  const double room = margin + a.shape->radius + b.shape->radius;
  const Way which = way(*a.shape, *b.shape);
  switch (which) {
  case Way::half_space:
    return !clear_of_half_space(a, b, margin) && half_space_and(a, b).distance <= margin;
  case Way::round:
    return axes_within(a, b, room);
  case Way::sphere_and_solid:
    return sphere_and_solid(a, b).distance <= margin;
  default:
    break;
  }
  if (axes_apart(a, b, room)) {
    return false;
  }
  const Pair pair = relative(a, b);
  if (boxes_gap(pair) > margin) {
    return false;
  }
  if (which == Way::zonotopes) {
    const double depth = axis_depth(zonotope(a), zonotope(b), room).depth;
    if (depth >= 0.0 || -depth > room) {
      return depth >= 0.0;
    }
  }
  // Boxes that no axis parts by so much may still be farther apart, corner from corner.
  return cores_within(pair, room);
}

Separation swapped(const Separation &s) { return {s.distance, -s.normal, s.b, s.a}; }

} // namespace

bool overlap(const Placed &a, const Placed &b, double margin) {
  return a.shape->type <= b.shape->type ? ordered_overlap(a, b, margin)
                                        : ordered_overlap(b, a, margin);
}

Separation distance(const Placed &a, const Placed &b, std::size_t &capped) {
  return a.shape->type <= b.shape->type ? ordered_distance(a, b, capped)
                                        : swapped(ordered_distance(b, a, capped));
}

bool near(const Placed &a, const Placed &b, double limit, Separation &result,
          std::size_t &capped) {
  const Way which = way(*a.shape, *b.shape);
  const double room = limit + a.shape->radius + b.shape->radius;
  if (which != Way::general && which != Way::zonotopes) {
    result = ordered_distance(a, b, capped);
  } else if (axes_apart(a, b, room)) {
    return false;
  } else {
    const Pair pair = relative(a, b);
    if (boxes_gap(pair) >= limit) {
      return false;
    }
    result = separation(a, b, pair, core_gap(pair, room), which == Way::zonotopes, capped);
  }
  return result.distance < limit;
}

double clearance(const Placed &a, const Placed &b, double limit) {
  const Placed &first = a.shape->type <= b.shape->type ? a : b, &second = &first == &a ? b : a;
  const Way which = way(*first.shape, *second.shape);
  std::size_t capped = 0;
  if (which != Way::general && which != Way::zonotopes) {
    return ordered_distance(first, second, capped).distance;
  }
  const Pair pair = relative(first, second);
  if (boxes_gap(pair) > limit) {
    return infinity;
  }
  const double radii = first.shape->radius + second.shape->radius;
  const Gap gap = core_gap(pair, limit + radii);
  return gap.apart ? gap.distance - radii : ordered_distance(first, second, capped).distance;
}

} // namespace phyzctl
