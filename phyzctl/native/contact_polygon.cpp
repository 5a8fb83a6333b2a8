// Cut side by side, as Sutherland and Hodgman do.
#include "contact_polygon.hpp"

#include <algorithm>

namespace phyzctl {
namespace {

// How far outside of a side a point still counts as inside.
constexpr double slack = 1e-15;

int cut(const Vec &at, const Vec &inwards, const Vec *points, int count, Vec *result) {
  int kept = 0;
  for (int i = 0; i < count; ++i) {
    const Vec &p = points[i], &q = points[i + 1 < count ? i + 1 : 0];
    const double deep = dot(inwards, p - at), next = dot(inwards, q - at);
    const bool inside = deep > -slack, stays = next > -slack;
    if (inside != stays && next != deep) {
      const double t = std::min(1.0, std::max(0.0, deep / (deep - next)));
      result[kept++] = p + scaled(t, q - p);
    }
    if (stays) {
      result[kept++] = q;
    }
  }
  return kept;
}

// The corner farthest against `inwards`, from a start: downhill around a polygon that turns the same
// way at every corner.
int lowest(const Vec &inwards, const Vec *points, int count, int start) {
  int at = start;
  double least = dot(inwards, points[at]);
  for (const int step : {1, count - 1}) {
    for (;;) {
      const int next = at + step < count ? at + step : at + step - count;
      const double height = dot(inwards, points[next]);
      if (!(height < least)) {
        break;
      }
      at = next;
      least = height;
    }
  }
  return at;
}

} // namespace

int clip_to(const Vec *clipper, int clipper_count, const Vec &normal, Vec *points, int count,
            Vec *spare, bool turning) {
  Vec *from = points, *to = spare;
  int low = 0; // around a polygon's sides the other's corners that reach farthest follow each other
  for (int i = 0; i < clipper_count; ++i) {
    const Vec &a = clipper[i], &b = clipper[i + 1 < clipper_count ? i + 1 : 0];
    const Vec inwards = cross(b - a, normal);
    if (turning && count > 4) {
      low = lowest(inwards, from, count, low < count ? low : 0);
      if (dot(inwards, from[low] - a) > 0.0) {
        continue;
      }
    }
    const double size = length(inwards);
    if (size > 0.0) {
      count = cut(a, scaled(1.0 / size, inwards), from, count, to);
      std::swap(from, to);
    }
  }
  if (from != points) {
    std::copy_n(from, count, points);
  }
  return count;
}

} // namespace phyzctl
