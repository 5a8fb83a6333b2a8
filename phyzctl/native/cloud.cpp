#include "cloud.hpp"

#include <algorithm>
#include <cmath>

#include "trigonometry.hpp"

namespace phyzctl {
namespace {

constexpr double pi = 3.14159265358979323846;
constexpr int sides = 32;  // of the prism around a cylinder
constexpr int bands = 12;  // of the points around an ellipsoid, from pole to pole

} // namespace

Cloud::Cloud(const Shape &shape) : radius_(shape.radius) {
  const Vec &s = shape.size;
  switch (shape.type) {
  case ShapeType::capsule:
    add(0.0, 0.0, s.y);
    add(0.0, 0.0, -s.y);
    break;
  case ShapeType::box:
    for (int i = 0; i < 8; ++i) {
      add(i & 1 ? s.x : -s.x, i & 2 ? s.y : -s.y, i & 4 ? s.z : -s.z);
    }
    break;
  case ShapeType::cylinder:
    add_prism(s.x, s.y);
    break;
  case ShapeType::ellipsoid:
    add_ellipsoid(s);
    break;
  case ShapeType::hull:
    for (std::int32_t i = 0; i < shape.hull.count; ++i) {
      const Vec &v = shape.hull.vertices[i];
      add(v.x, v.y, v.z);
    }
    break;
  default:
    add(0.0, 0.0, 0.0);
  }
}

void Cloud::add(double x, double y, double z) {
  x_.push_back(x);
  y_.push_back(y);
  z_.push_back(z);
}

// A regular prism whose sides touch the cylinder.
void Cloud::add_prism(double radius, double half) {
  const double corner = radius / sincos(pi / sides).cos;
  for (int i = 0; i < sides; ++i) {
    const SinCos<double> turn = sincos(2.0 * pi * i / sides);
    add(corner * turn.cos, corner * turn.sin, half);
    add(corner * turn.cos, corner * turn.sin, -half);
  }
}

// Points on a grid of latitude and longitude, no direction farther than an angle t from all of
// them: moved out by 1 / cos t, their hull has a support of at least 1 in every direction, so it
// holds the unit ball; stretched along the axes, it holds the ellipsoid.
void Cloud::add_ellipsoid(const Vec &axes) {
  const double step = pi / bands;
  const double out = 1.0 / sincos(step * 0.70710678118654752 + 1e-9).cos;
  for (int i = 0; i <= bands; ++i) {
    const SinCos<double> down = sincos(step * i);
    const int around = i == 0 || i == bands ? 1 : 2 * bands;
    for (int k = 0; k < around; ++k) {
      const SinCos<double> turn = sincos(step * k);
      add(out * axes.x * down.sin * turn.cos, out * axes.y * down.sin * turn.sin,
          out * axes.z * down.cos);
    }
  }
}

double Cloud::reach(const Step &step) const {
  if (step.type == StepType::slide) {
    return 0.0;
  }
  const Vec &a = step.axis, &o = step.anchor;
  const double k = step.type == StepType::ball ? 0.0 : 1.0; // what lies along the axis is free
  double most = 0.0;
  for (std::size_t i = 0; i < size(); ++i) {
    const double x = x_[i] - o.x, y = y_[i] - o.y, z = z_[i] - o.z;
    const double along = k * (x * a.x + y * a.y + z * a.z);
    const double px = x - along * a.x, py = y - along * a.y, pz = z - along * a.z;
    most = std::max(most, px * px + py * py + pz * pz);
  }
  return std::sqrt(most);
}

void Cloud::heights(const Vec &n, double *values) const {
  for (std::size_t i = 0; i < size(); ++i) {
    values[i] = n.x * x_[i] + n.y * y_[i] + n.z * z_[i];
  }
}

double Cloud::raise(const Step &step, const Vec &n, double width, double *values) const {
  double most = -infinity;
  if (step.type == StepType::slide) {
    const double k = width * std::fabs(dot(n, step.axis));
    for (std::size_t i = 0; i < size(); ++i) {
      values[i] += k;
      most = std::max(most, values[i]);
    }
  } else if (step.type == StepType::ball) {
    const Vec &o = step.anchor;
    for (std::size_t i = 0; i < size(); ++i) {
      const Vec lever{x_[i] - o.x, y_[i] - o.y, z_[i] - o.z};
      values[i] += width * length(cross(lever, n));
      most = std::max(most, values[i]);
    }
  } else {
    const Vec g = scaled(width, cross(n, step.axis)); // n . (a x r) = (n x a) . r
    const double d = dot(g, step.anchor);
    for (std::size_t i = 0; i < size(); ++i) {
      values[i] += std::fabs(g.x * x_[i] + g.y * y_[i] + g.z * z_[i] - d);
      most = std::max(most, values[i]);
    }
  }
  return most;
}

} // namespace phyzctl
