// Two points, one of each outline, show how near the shapes are at most; the plane across the line
// between them, how far at least: along n, outlines at w from each other with half axes u and v
// and radii r and s leave a gap of n w - sum |n u| - sum |n v| - (r + s) |n|. That holds for any
// two points; they only need to be the nearest ones for the two bounds to meet.
#include "outline.hpp"

namespace phyzctl {
namespace {

struct Boxed {
  Vec centre, half;
  double outer, inner;
};

// A radius around a box, so that the shape is inside.
Boxed boxed(const Shape &shape) {
  const Vec &s = shape.size;
  const double r = shape.radius;
  switch (shape.type) {
  case ShapeType::sphere:
    return {{}, {}, r, r};
  case ShapeType::capsule:
    return {{}, {0.0, 0.0, s.y}, r, r};
  case ShapeType::box:
    return {{}, s, r, r};
  case ShapeType::cylinder:
    if (s.x > s.y) { // a disc is more like a box
      return {{}, {s.x, s.x, s.y}, r, -1.0};
    }
    return {{}, {0.0, 0.0, s.y}, s.x + r, r};
  default:
    return {shape.centre, shape.half - Vec{r, r, r}, r, -1.0};
  }
}

Vec unit(int axis) {
  return {axis == 0 ? 1.0 : 0.0, axis == 1 ? 1.0 : 0.0, axis == 2 ? 1.0 : 0.0};
}

} // namespace

Outline outline(const Geom &geom, const Shape &shape, Placement &placement) {
  Outline result;
  const Boxed box = boxed(shape);
  const auto turned = [&](const Vec &v) { return rotate(geom.pose.q, v); };
  const Vec centre = geom.pose.p + turned(box.centre);
  result.centre = placement.add_point(geom.body, centre);
  result.half_space = shape.type == ShapeType::half_space;
  result.outer = box.outer;
  result.inner = box.inner;
  result.reach = result.half_space ? infinity : shape.reach;
  result.extent = std::max({largest(centre), largest(box.half), box.outer});
  if (result.half_space) {
    result.axis[0] = placement.add_direction(geom.body, turned(unit(2)));
    return result;
  }
  const double sizes[3] = {box.half.x, box.half.y, box.half.z};
  int order[3] = {0, 1, 2};
  std::stable_sort(order, order + 3, [&](int i, int j) { return sizes[i] > sizes[j]; });
  result.axes = sizes[order[1]] > 0.0 ? 3 : sizes[order[0]] > 0.0 ? 1 : 0;
  for (int k = 0; k < result.axes; ++k) {
    const double length = sizes[order[k]];
    result.axis[k] = placement.add_direction(geom.body, turned(scaled(length, unit(order[k]))));
    result.inverse[k] = length > 1e-9 ? static_cast<float>(1.0 / (length * length)) : 0.0F;
  }
  return result;
}

Mask within(const Vectors &a, const Vectors &b, double far) {
  const Floats limit = Floats{} + static_cast<float>(far * far * (1.0 + 1e-6));
  Mask mask = 0;
  for (std::size_t i = 0; i < block; i += width) {
    const Vec3<Floats> apart = a.from(i) - b.from(i);
    mask |= below(dot(apart, apart), limit) << i;
  }
  return mask;
}

namespace {

// One of two outlines in some configurations: its axes, as far as it has any.
struct Axes {
  int count;
  Vec3<Floats> axis[3];
  float inverse[3];

  Axes(const Placement &placement, const Outline &outline, std::size_t first)
      : count(outline.axes) {
    for (int k = 0; k < 3; ++k) {
      axis[k] = k < count ? placement.at(outline.axis[k]).from(first) : Vec3<Floats>{};
      inverse[k] = outline.inverse[k];
    }
  }

  // The point nearest to p, both from the centre.
  Vec3<Floats> nearest(const Vec3<Floats> &p) const {
    Vec3<Floats> point{};
    for (int k = 0; k < count; ++k) {
      point = point + scaled(within_one(dot(axis[k], p) * inverse[k]), axis[k]);
    }
    return point;
  }

  Floats spread(const Vec3<Floats> &n) const {
    Floats sum{};
    for (int k = 0; k < count; ++k) {
      sum += size(dot(axis[k], n));
    }
    return sum;
  }
};

// From a point of the segment a to one of b, whose centre is at w, nearest to each other but for
// rounding.
Vec3<Floats> between_segments(const Axes &a, const Axes &b, const Vec3<Floats> &w,
                              Vec3<Floats> &point_of_b) {
  const Vec3<Floats> &u = a.axis[0], &v = b.axis[0];
  const Floats uw = dot(u, w), vw = dot(v, w), uv = dot(u, v);
  const Floats across = 1.0F - uv * uv * (a.inverse[0] * b.inverse[0]); // squared sine
  const Floats s =
      within_one((uw - uv * vw * b.inverse[0]) * a.inverse[0] / larger(across, Floats{} + 1e-6F));
  const Floats t = within_one((s * uv - vw) * b.inverse[0]);
  point_of_b = w + scaled(t, v);
  return point_of_b - scaled(within_one((uw + t * uv) * a.inverse[0]), u);
}

struct Limits {
  Floats apart, overlap; // squared distances of the axes' points
};

Verdict judge_along(const Axes &a, const Axes &b, const Vec3<Floats> &w, const Vec3<Floats> &n,
                    const Limits &limits) {
  const Floats squared = dot(n, n);
  const Floats gap = dot(n, w) - a.spread(n) - b.spread(n);
  return {below(Floats{}, gap) & below(limits.apart * squared, gap * gap),
          below(squared, limits.overlap)};
}

Verdict judge_some(const Axes &a, const Axes &b, const Vec3<Floats> &w, const Limits &limits) {
  Vec3<Floats> point;
  Vec3<Floats> n = between_segments(a, b, w, point);
  Verdict verdict = judge_along(a, b, w, n, limits);
  constexpr Mask all = (Mask{1} << width) - 1;
  if (a.count + b.count > 2 && (verdict.apart | verdict.overlap) != all) {
    point = a.nearest(point);
    n = w + b.nearest(point - w) - point;
    const Verdict second = judge_along(a, b, w, n, limits);
    verdict = {verdict.apart | second.apart, verdict.overlap | second.overlap};
  }
  return verdict;
}

// Above the half-space a by more than the margin, or not.
Verdict judge_plane(const Placement &placement, const Outline &a, const Outline &b, double margin,
                    double slack) {
  const double radii = a.outer + b.outer;
  const Floats high = Floats{} + static_cast<float>(radii + margin + slack);
  const Floats low = Floats{} + static_cast<float>(a.outer + b.inner - slack);
  Verdict verdict;
  for (std::size_t i = 0; i < block; i += width) {
    const Vec3<Floats> n = placement.at(a.axis[0]).from(i);
    const Vec3<Floats> w = placement.at(b.centre).from(i) - placement.at(a.centre).from(i);
    const Floats gap = dot(n, w) - Axes(placement, b, i).spread(n);
    verdict.apart |= below(high, gap) << i;
    verdict.overlap |= below(gap, low) << i;
  }
  return b.inner < 0.0 ? Verdict{verdict.apart, 0} : verdict;
}

} // namespace

Verdict judge(const Placement &placement, const Outline &a, const Outline &b, Mask asked,
              double margin, double slack) {
  if (a.half_space || b.half_space) {
    return a.half_space ? judge_plane(placement, a, b, margin, slack)
                        : judge_plane(placement, b, a, margin, slack);
  }
  const double outer = a.outer + b.outer + margin + slack;
  const double inner = std::min(a.inner, b.inner) < 0.0 ? 0.0 : a.inner + b.inner - slack;
  const Limits limits{Floats{} + static_cast<float>(outer * outer),
                      Floats{} + static_cast<float>(inner > 1e-9 ? inner * inner : 0.0)};
  const Vectors &from = placement.at(a.centre), &to = placement.at(b.centre);
  Verdict verdict;
  for (std::size_t i = 0; i < block; i += width) {
    if (((asked >> i) & ((Mask{1} << width) - 1)) != 0) {
      const Verdict some = judge_some(Axes(placement, a, i), Axes(placement, b, i),
                                      to.from(i) - from.from(i), limits);
      verdict = {verdict.apart | some.apart << i, verdict.overlap | some.overlap << i};
    }
  }
  return verdict;
}

} // namespace phyzctl
