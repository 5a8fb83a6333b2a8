// Spheres and capsules.
#include "closed_forms.hpp"
#include "contact_shapes.hpp"

namespace phyzctl {
namespace {

double within(double low, double t, double high) { return std::min(high, std::max(low, t)); }

// The middle between the surfaces of two balls, and how far these are apart.
void meet_balls(const Vec &a, double radius_a, const Vec &b, double radius_b, Touches &out) {
  const Vec between = b - a;
  const double apart = length(between), distance = apart - radius_a - radius_b;
  const Vec normal = apart > 0.0 ? scaled(1.0 / apart, between) : Vec{1.0, 0.0, 0.0};
  out.add(distance, a + scaled(radius_a + 0.5 * distance, normal), normal);
}

// Segments a + s u and b + t v, 0 <= s, t <= 1.
class Segments {
public:
  Segments(const Vec &a, const Vec &u, const Vec &b, const Vec &v) : u_(u), v_(v), w_(a - b) {
    uu_ = squared(u);
    vv_ = squared(v);
    uv_ = dot(u, v);
    uw_ = dot(u, w_);
    vw_ = dot(v, w_);
  }

  struct Place {
    double s, t;
  };

  // One place where they are nearest, or, of parallel ones, both ends of where they are.
  int nearest(Place *places) const {
    if (!(uu_ > 1e-15) || !(vv_ > 1e-15)) {
      places[0] = {uu_ > 1e-15 ? within(0.0, -uw_ / uu_, 1.0) : 0.0,
                   vv_ > 1e-15 ? within(0.0, vw_ / vv_, 1.0) : 0.0};
      return 1;
    }
    const Vec across = cross(u_, v_);
    const double size = squared(across);
    if (size > 1e-8 * uu_ * vv_) {
      places[0] = beside(within(0.0, dot(across, cross(v_, w_)) / size, 1.0));
      return 1;
    }
    places[0] = beside(0.0);
    places[1] = beside(1.0);
    return 2;
  }

private:
  // The point of the second segment that is nearest to the first one's at s; where that is beyond
  // an end, the end, and the first one's point nearest to it.
  Place beside(double s) const {
    const double t = (uv_ * s + vw_) / vv_;
    if (t >= 0.0 && t <= 1.0) {
      return {s, t};
    }
    const double end = t < 0.0 ? 0.0 : 1.0;
    return {within(0.0, (uv_ * end - uw_) / uu_, 1.0), end};
  }

  Vec u_, v_, w_;
  double uu_, vv_, uv_, uw_, vw_;
};

void meet_capsules(const Placed &a, const Placed &b, Touches &out) {
  const Vec half_a = scaled(a.shape->size.y, column(a.rotation, 2)),
            half_b = scaled(b.shape->size.y, column(b.rotation, 2));
  const Vec from_a = a.position - half_a, from_b = b.position - half_b;
  const Vec u = half_a + half_a, v = half_b + half_b;
  Segments::Place places[2];
  const int count = Segments(from_a, u, from_b, v).nearest(places);
  for (int i = 0; i < count; ++i) {
    meet_balls(from_a + scaled(places[i].s, u), a.shape->size.x, from_b + scaled(places[i].t, v),
               b.shape->size.x, out);
  }
}

void touch(const Separation &found, Touches &out) {
  out.add(found.distance, found.a + scaled(0.5 * found.distance, found.normal), found.normal);
}

} // namespace

void meet_round(const Placed &a, const Placed &b, Touches &out) {
  if (a.shape->type == ShapeType::capsule) {
    meet_capsules(a, b, out);
  } else if (b.shape->type <= ShapeType::capsule) {
    touch(round_and_round(a, b), out);
  } else {
    touch(sphere_and_solid(a, b), out);
  }
}

} // namespace phyzctl
