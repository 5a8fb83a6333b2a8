// All happens in a plane, around a circle: of a sphere that through both ends and the centre, of a
// cylinder the one across its axis. There, a string that turns about the centre by an angle is
// straight for the part acos(r / distance) of it at either end, and keeps to the circle for what is
// left; where nothing is left, it doesn't touch.
#include "wrapping.hpp"

#include <algorithm>
#include <cmath>

namespace phyzctl {
namespace {

constexpr double tiny = 1e-15;

struct Flat {
  double x, y;
};

double length(const Flat &p) { return std::hypot(p.x, p.y); }

// From one direction to another, from -pi to pi.
double turn(const Flat &from, const Flat &to) {
  return std::atan2(from.x * to.y - from.y * to.x, from.x * to.x + from.y * to.y);
}

// A point at the distance r from the centre, `p` turned by an angle of that cosine and sine.
Flat turned(const Flat &p, double r, double cosine, double sine) {
  const double share = r / length(p);
  return {share * (cosine * p.x - sine * p.y), share * (sine * p.x + cosine * p.y)};
}

// Round the outside, turning by `angle` all the way.
bool wrap_outside(const Flat (&ends)[2], double r, double angle, Flat (&points)[2], double &arc) {
  double rest = std::fabs(angle);
  for (int k = 0; k < 2; ++k) {
    const double far = length(ends[k]);
    const double straight = std::sqrt((far - r) * (far + r));
    const bool forward = (angle > 0.0) == (k == 0);
    points[k] = turned(ends[k], r, r / far, (forward ? straight : -straight) / far);
    rest -= std::atan2(straight, r);
  }
  arc = r * rest;
  return rest > 0.0;
}

// How steeply a string from a point at `far` meets the inside of the circle, at an angle from that
// point, and how that changes with the angle.
struct Meeting {
  Meeting(double far, double r, double angle) {
    const double c = far * std::cos(angle), s = far * std::sin(angle);
    steepness = std::atan2(s, c - r);
    slope = (far * far - r * c) / (far * far + r * r - 2.0 * r * c);
  }
  double steepness, slope;
};

// The angle from the first end, of the whole one, at which a string touches from within: there it is
// as steep on both sides, since it slides until it is. Newton's method between bounds.
double touching(double far, double other, double r, double whole) {
  double low = std::max(0.0, whole - std::acos(r / other));
  double high = std::min(whole, std::acos(r / far));
  double angle = 0.5 * (low + high);
  for (int tries = 0; tries < 60; ++tries) {
    const Meeting first(far, r, angle), second(other, r, whole - angle);
    const double miss = first.steepness - second.steepness;
    (miss > 0.0 ? high : low) = angle;
    double next = angle - miss / (first.slope + second.slope);
    if (!(next > low && next < high)) {
      next = 0.5 * (low + high);
    }
    if (std::fabs(next - angle) <= 1e-16 * whole) {
      break;
    }
    angle = next;
  }
  return angle;
}

// A string that crosses the circle, or whose ends are across from each other, is straight.
bool wrap_inside(const Flat (&ends)[2], double r, Flat (&points)[2], double &arc) {
  const double far = length(ends[0]), other = length(ends[1]);
  const double whole = turn(ends[0], ends[1]);
  arc = 0.0;
  if (!(std::fabs(whole) < std::acos(r / far) + std::acos(r / other))) {
    return false;
  }
  const double angle = std::copysign(touching(far, other, r, std::fabs(whole)), whole);
  points[0] = points[1] = turned(ends[0], r, std::cos(angle), std::sin(angle));
  return true;
}

// The axes of the plane, in the obstacle's frame.
void find_plane(bool cylinder, const Vec &a, const Vec &b, Vec (&axes)[2]) {
  if (cylinder) {
    axes[0] = {1.0, 0.0, 0.0};
    axes[1] = {0.0, 1.0, 0.0};
    return;
  }
  axes[0] = scaled(1.0 / length(a), a);
  Vec normal = cross(a, b);
  if (length(normal) < tiny) {
    const Vec size{std::fabs(axes[0].x), std::fabs(axes[0].y), std::fabs(axes[0].z)};
    const bool z = size.z > size.x && size.z > size.y, y = !z && size.y > size.x;
    normal = cross(axes[0], Vec{z || y ? 1.0 : 0.0, y ? 0.0 : 1.0, z ? 0.0 : 1.0});
  }
  const Vec second = cross(normal, axes[0]);
  axes[1] = scaled(1.0 / length(second), second);
}

// Along a cylinder a string rises evenly.
void rise(const Vec &a, const Vec &b, const Flat (&ends)[2], const Flat (&points)[2],
          Wrap &result) {
  const double first = std::hypot(ends[0].x - points[0].x, ends[0].y - points[0].y);
  const double last = std::hypot(ends[1].x - points[1].x, ends[1].y - points[1].y);
  const double slope = (b.z - a.z) / (first + result.length + last);
  result.points[0].z = a.z + slope * first;
  result.points[1].z = a.z + slope * (first + result.length);
  result.length = std::hypot(result.length, slope * result.length);
}

} // namespace

bool wrap(const Obstacle &obstacle, const Vec &a, const Vec &b, const Vec *side, Wrap &result) {
  const Mat3 R = matrix(obstacle.pose.q);
  const double r = obstacle.radius;
  const Vec from = back(R, a - obstacle.pose.p), to = back(R, b - obstacle.pose.p);
  if (length(from) < tiny || length(to) < tiny || r < tiny) {
    return false;
  }
  Vec axes[2];
  find_plane(obstacle.cylinder, from, to, axes);
  const auto flat = [&](const Vec &p) { return Flat{dot(p, axes[0]), dot(p, axes[1])}; };
  const Flat ends[2] = {flat(from), flat(to)};
  if (length(ends[0]) < r || length(ends[1]) < r) {
    return false;
  }
  Flat points[2];
  bool touches = false;
  const Vec by = side == nullptr ? Vec{} : back(R, *side - obstacle.pose.p);
  if (side != nullptr && length(by) < r) {
    touches = wrap_inside(ends, r, points, result.length);
  } else {
    const double angle = side == nullptr ? turn(ends[0], ends[1])
                                         : turn(ends[0], flat(by)) + turn(flat(by), ends[1]);
    touches = wrap_outside(ends, r, angle, points, result.length);
  }
  if (!touches) {
    return false;
  }
  for (int k = 0; k < 2; ++k) {
    result.points[k] = scaled(points[k].x, axes[0]) + scaled(points[k].y, axes[1]);
  }
  if (obstacle.cylinder) {
    rise(from, to, ends, points, result);
  }
  for (Vec &point : result.points) {
    point = obstacle.pose.p + R * point;
  }
  return true;
}

} // namespace phyzctl
