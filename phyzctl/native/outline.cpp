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

// The outline of a geom; its spots are added to the placement.
Outline outline(const Geom &geom, const Shape &shape, Placement &placement) {
  Outline result;
  const Boxed box = boxed(shape);
  const auto turned = [&](const Vec &v) { return rotate(geom.pose.q, v); };
  const Vec centre = geom.pose.p + turned(box.centre);
  result.centre = placement.add_point(geom.body, centre);
  result.outer = box.outer;
  result.inner = box.inner;
  result.reach = shape.reach;
  result.extent = std::max({largest(centre), largest(box.half), box.outer});
  if (shape.type == ShapeType::half_space) {
    result.form = Form::half_space;
    result.reach = infinity;
    result.axis[0] = placement.add_direction(geom.body, turned(unit(2)));
    return result;
  }
  const double sizes[3] = {box.half.x, box.half.y, box.half.z};
  int order[3] = {0, 1, 2};
  std::stable_sort(order, order + 3, [&](int i, int j) { return sizes[i] > sizes[j]; });
  result.form = sizes[order[1]] > 0.0   ? Form::box
                : sizes[order[0]] > 0.0 ? Form::segment
                                        : Form::ball;
  const int axes = result.form == Form::box ? 3 : result.form == Form::segment ? 1 : 0;
  for (int k = 0; k < axes; ++k) {
    const double length = sizes[order[k]];
    result.axis[k] = placement.add_direction(geom.body, turned(scaled(length, unit(order[k]))));
    result.inverse[k] = length > 1e-9 ? static_cast<float>(1.0 / (length * length)) : 0.0F;
  }
  return result;
}

// Bounds in single precision are off by less than this much times the coordinates: a centre and
// the axes by some 10 units in the last place each (2^-24, 6e-8), and what is made of them by
// less than ten more. Never less than 1e-9 m, so that no square falls below what a float can hold.
double slack(double coordinates) { return 2e-5 * coordinates + 1e-9; }

// One of two outlines in some configurations: its axes, as far as it has any.
template <int count> struct Axes {
  Vec3<Floats> axis[3];
  const float *inverse;

  Axes(const Placement &placement, const Outline &outline, std::size_t first)
      : inverse(outline.inverse) {
    for (int k = 0; k < count; ++k) {
      axis[k] = placement.at(outline.axis[k]).from(first);
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

// Of the longest axis of b, whose centre is at w, the point nearest to the longest axis of a.
template <int p, int q>
Vec3<Floats> of_second(const Axes<p> &a, const Axes<q> &b, const Vec3<Floats> &w) {
  if constexpr (q == 0) {
    return w;
  } else if constexpr (p == 0) {
    const Vec3<Floats> &v = b.axis[0];
    return w - scaled(within_one(dot(v, w) * b.inverse[0]), v);
  } else {
    const Vec3<Floats> &u = a.axis[0], &v = b.axis[0];
    const Floats uw = dot(u, w), vw = dot(v, w), uv = dot(u, v);
    const float over_uu = a.inverse[0], over_vv = b.inverse[0];
    const Floats across = 1.0F - uv * uv * (over_uu * over_vv); // the sine's square
    const Floats s =
        within_one((uw - uv * vw * over_vv) * over_uu / larger(across, Floats{} + 1e-6F));
    return w + scaled(within_one((s * uv - vw) * over_vv), v);
  }
}

struct Limits {
  Floats apart, overlap; // squared distances of the axes' points
};

// Seen along n, which leads from one point of the axes to another.
template <int p, int q>
Verdict judge_along(const Axes<p> &a, const Axes<q> &b, const Vec3<Floats> &w,
                    const Vec3<Floats> &n, const Limits &limits) {
  const Floats squared = dot(n, n);
  const Floats gap = dot(n, w) - a.spread(n) - b.spread(n);
  return {below(Floats{}, gap) & below(limits.apart * squared, gap * gap),
          below(squared, limits.overlap)};
}

template <int p, int q>
Verdict judge_some(const Axes<p> &a, const Axes<q> &b, const Vec3<Floats> &w,
                   const Limits &limits) {
  const Vec3<Floats> to = of_second(a, b, w), from = a.nearest(to);
  const Verdict first = judge_along(a, b, w, to - from, limits);
  constexpr Mask all = (Mask{1} << width) - 1;
  if (p + q <= 2 || (first.apart | first.overlap) == all) {
    return first;
  }
  const Verdict second = judge_along(a, b, w, w + b.nearest(from - w) - from, limits);
  return {first.apart | second.apart, first.overlap | second.overlap};
}

struct Question {
  const Placement &placement;
  const Outline &a, &b;
  double margin, slack;
};

template <int p, int q> Verdict judge_axes(const Question &ask, Mask asked) {
  const Outline &a = ask.a, &b = ask.b;
  const double outer = a.outer + b.outer + ask.margin + ask.slack;
  const double inner = std::min(a.inner, b.inner) < 0.0 ? 0.0 : a.inner + b.inner - ask.slack;
  const Limits limits{Floats{} + static_cast<float>(outer * outer),
                      Floats{} + static_cast<float>(inner > 1e-9 ? inner * inner : 0.0)};
  const Vectors &from = ask.placement.at(a.centre), &to = ask.placement.at(b.centre);
  Verdict verdict;
  for (std::size_t i = 0; i < block; i += width) {
    if (((asked >> i) & ((Mask{1} << width) - 1)) != 0) {
      const Verdict some = judge_some(Axes<p>(ask.placement, a, i), Axes<q>(ask.placement, b, i),
                                      to.from(i) - from.from(i), limits);
      verdict = {verdict.apart | some.apart << i, verdict.overlap | some.overlap << i};
    }
  }
  return verdict;
}

// Above the half-space a by more than the margin, or not.
template <int q> Verdict judge_plane(const Question &ask, Mask) {
  const Outline &a = ask.a, &b = ask.b;
  const Floats high = Floats{} + static_cast<float>(a.outer + b.outer + ask.margin + ask.slack);
  const Floats low = Floats{} + static_cast<float>(a.outer + b.inner - ask.slack);
  Verdict verdict;
  for (std::size_t i = 0; i < block; i += width) {
    const Vec3<Floats> n = ask.placement.at(a.axis[0]).from(i);
    const Vec3<Floats> w = ask.placement.at(b.centre).from(i) - ask.placement.at(a.centre).from(i);
    const Floats gap = dot(n, w) - Axes<q>(ask.placement, b, i).spread(n);
    verdict.apart |= below(high, gap) << i;
    verdict.overlap |= below(gap, low) << i;
  }
  return b.inner < 0.0 ? Verdict{verdict.apart, 0} : verdict;
}

using Judge = Verdict (*)(const Question &, Mask asked);

Judge judge_of(Form a, Form b) {
  constexpr Judge judges[4][3] = {
      {judge_axes<0, 0>, judge_axes<0, 1>, judge_axes<0, 3>},
      {judge_axes<1, 0>, judge_axes<1, 1>, judge_axes<1, 3>},
      {judge_axes<3, 0>, judge_axes<3, 1>, judge_axes<3, 3>},
      {judge_plane<0>, judge_plane<1>, judge_plane<3>},
  };
  return judges[static_cast<int>(a)][static_cast<int>(b)];
}

} // namespace

Outlines::Outlines(const System &system, const Shapes &shapes,
                   const std::vector<std::size_t> &geoms)
    : placement_(system, shapes), outlines_(system.geoms.size()) {
  for (const std::size_t g : geoms) {
    outlines_[g] = outline(system.geoms[g], shapes.items[g], placement_);
    extent_ = std::max(extent_, outlines_[g].extent);
  }
}

std::size_t Outlines::add_point(std::int32_t body, const Vec &point) {
  extent_ = std::max(extent_, largest(point));
  return placement_.add_point(body, point);
}

void Outlines::place(const double *q, std::size_t size) {
  placement_.place(q, size);
  slack_ = slack(placement_.largest() + extent_);
  all_ = (Mask{1} << size) - 1;
}

Mask Outlines::within(std::size_t a, std::size_t b, double far) const {
  const double limit = far + slack_;
  const Floats squared = Floats{} + static_cast<float>(limit * limit);
  const Vectors &from = placement_.at(a), &to = placement_.at(b);
  Mask mask = 0;
  for (std::size_t i = 0; i < block; i += width) {
    const Vec3<Floats> apart = to.from(i) - from.from(i);
    mask |= below(dot(apart, apart), squared) << i;
  }
  return mask & all_;
}

Mask Outlines::maybe_near(std::size_t a, std::size_t b, double margin) const {
  const Outline &first = outlines_[a], &second = outlines_[b];
  const double reach = first.reach + second.reach;
  return reach < infinity ? within(first.centre, second.centre, reach + margin) : all_;
}

Verdict Outlines::judge(std::size_t a, std::size_t b, Mask asked, double margin) const {
  const bool swap = outlines_[b].form == Form::half_space;
  const Outline &first = outlines_[swap ? b : a], &second = outlines_[swap ? a : b];
  const Verdict found =
      judge_of(first.form, second.form)({placement_, first, second, margin, slack_}, asked);
  return {found.apart & asked, found.overlap & asked};
}

} // namespace phyzctl
