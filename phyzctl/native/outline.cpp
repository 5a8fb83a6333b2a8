// Two points, one of each outline, show how near the shapes are at most; the plane across the line
// between them, how far at least: along n, outlines at w from each other with half axes u and v
// and radii r and s leave a gap of n w - sum |n u| - sum |n v| - (r + s) |n|. That holds for any
// two points; they only need to be the nearest ones for the two bounds to meet.
#include "outline.hpp"

namespace phyzctl {
namespace {

struct Boxed {
  Vec centre, half;
  double outer; // radius around the box, so that the shape is inside
  Vec core;     // half extents of a box inside,
  double inner; // and the radius around that, so that it still is; or below 0 for none
};

// A box as one that is thinner by the least of its extents, and rounded by that.
Boxed boxed(const Vec &half, double radius, const Vec &inside) {
  double thin = infinity;
  for (const double size : {inside.x, inside.y, inside.z}) {
    thin = std::min(thin, size);
  }
  return {{}, half, radius, inside - Vec{thin, thin, thin}, radius + thin};
}

Boxed boxed(const Shape &shape) {
  const Vec &s = shape.size;
  const double r = shape.radius;
  switch (shape.type) {
  case ShapeType::sphere:
    return {{}, {}, r, {}, r};
  case ShapeType::capsule:
    return {{}, {0.0, 0.0, s.y}, r, {0.0, 0.0, s.y}, r};
  case ShapeType::box:
    return boxed(s, r, s);
  case ShapeType::cylinder:
    if (s.x > s.y) { // a disc is more like a box
      const double across = s.x / std::sqrt(2.0);
      return boxed({s.x, s.x, s.y}, r, {across, across, s.y});
    }
    return {{}, {0.0, 0.0, s.y}, s.x + r, {0.0, 0.0, s.y - s.x}, s.x + r};
  default:
    return {shape.centre, shape.half - Vec{r, r, r}, r, {}, -1.0};
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
  const double cores[3] = {box.core.x, box.core.y, box.core.z};
  int order[3] = {0, 1, 2};
  std::stable_sort(order, order + 3, [&](int i, int j) { return sizes[i] > sizes[j]; });
  result.form = sizes[order[1]] > 0.0   ? Form::box
                : sizes[order[0]] > 0.0 ? Form::segment
                                        : Form::ball;
  const int axes = result.form == Form::box ? 3 : result.form == Form::segment ? 1 : 0;
  for (int k = 0; k < axes; ++k) {
    const double length = sizes[order[k]];
    result.axis[k] = placement.add_direction(geom.body, turned(scaled(length, unit(order[k]))));
    result.core[k] = length > 0.0 ? static_cast<float>(cores[order[k]] / length) : 0.0F;
    result.inverse[k] = length > 1e-9 ? static_cast<float>(1.0 / (length * length)) : 0.0F;
  }
  return result;
}

// Bounds in single precision are off by less than this much times the coordinates: a centre and
// the axes by some 10 units in the last place each (2^-24, 6e-8), and what is made of them by
// less than ten more. Never less than 1e-9 m, so that no square falls below what a float can hold.
double slack(double coordinates) { return 2e-5 * coordinates + 1e-9; }

constexpr float whole[3] = {1.0F, 1.0F, 1.0F};

// One of two outlines in some configurations: its axes, as far as it has any.
template <int count> struct Axes {
  Vec3<Floats> axis[3];
  const float *inverse, *core;

  Axes(const Placement &placement, const Outline &outline, std::size_t first)
      : inverse(outline.inverse), core(outline.core) {
    for (int k = 0; k < count; ++k) {
      axis[k] = placement.at(outline.axis[k]).from(first);
    }
  }

  // The point of the axes, or of a share of each, nearest to p, both from the centre.
  Vec3<Floats> nearest(const Vec3<Floats> &p) const { return nearest(p, whole); }
  Vec3<Floats> nearest(const Vec3<Floats> &p, const float *share) const {
    Vec3<Floats> point{};
    for (int k = 0; k < count; ++k) {
      point = point + scaled(clamped(dot(axis[k], p) * inverse[k], share[k]), axis[k]);
    }
    return point;
  }

  // How far the axes, or a share of each, reach along n.
  Floats spread(const Vec3<Floats> &n) const { return spread(n, whole); }
  Floats spread(const Vec3<Floats> &n, const float *share) const {
    Floats sum{};
    for (int k = 0; k < count; ++k) {
      sum += size(dot(axis[k], n)) * share[k];
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
    return w - scaled(clamped(dot(v, w) * b.inverse[0], 1.0F), v);
  } else {
    const Vec3<Floats> &u = a.axis[0], &v = b.axis[0];
    const Floats uw = dot(u, w), vw = dot(v, w), uv = dot(u, v);
    const float over_uu = a.inverse[0], over_vv = b.inverse[0];
    const Floats across = 1.0F - uv * uv * (over_uu * over_vv); // the sine's square
    const Floats s =
        clamped((uw - uv * vw * over_vv) * over_uu / larger(across, Floats{} + 1e-6F), 1.0F);
    return w + scaled(clamped((s * uv - vw) * over_vv, 1.0F), v);
  }
}

struct Limits {
  Floats apart, overlap; // squared distances of the axes' points
};

// Where the plane across n, which leads from one point of the axes to another, parts the outlines.
template <int p, int q>
Mask parted(const Axes<p> &a, const Axes<q> &b, const Vec3<Floats> &w, const Vec3<Floats> &n,
            Floats limit) {
  const Floats gap = dot(n, w) - a.spread(n) - b.spread(n);
  return below(Floats{}, gap) & below(limit * dot(n, n), gap * gap);
}

template <int p, int q>
Verdict judge_some(const Axes<p> &a, const Axes<q> &b, const Vec3<Floats> &w,
                   const Limits &limits) {
  constexpr Mask all = (Mask{1} << width) - 1;
  const Vec3<Floats> to = of_second(a, b, w), from = a.nearest(to);
  Mask apart = parted(a, b, w, to - from, limits.apart);
  if (p + q > 2 && apart != all) {
    apart |= parted(a, b, w, w + b.nearest(from - w) - from, limits.apart);
  }
  if (apart == all) {
    return {apart, 0};
  }
  const Vec3<Floats> inside = a.nearest(to, a.core);
  const Vec3<Floats> between = w + b.nearest(inside - w, b.core) - inside;
  return {apart, below(dot(between, between), limits.overlap)};
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
    const Axes<q> axes(ask.placement, b, i);
    const Floats height = dot(n, w);
    verdict.apart |= below(high, height - axes.spread(n)) << i;
    verdict.overlap |= below(height - axes.spread(n, b.core), low) << i;
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
