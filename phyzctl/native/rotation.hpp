// Vectors and unit quaternions, as small as the loops need them.
#pragma once

#include <cmath>

namespace phyzctl {

struct Vec3 {
  double x, y, z;
};

struct Quat {
  double w, x, y, z;
};

struct Pose {
  Vec3 p;
  Quat q;
};

inline Vec3 operator+(Vec3 a, Vec3 b) { return {a.x + b.x, a.y + b.y, a.z + b.z}; }
inline Vec3 operator-(Vec3 a, Vec3 b) { return {a.x - b.x, a.y - b.y, a.z - b.z}; }
inline Vec3 operator*(double k, Vec3 a) { return {k * a.x, k * a.y, k * a.z}; }

inline Vec3 cross(Vec3 a, Vec3 b) {
  return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

inline Quat operator*(Quat a, Quat b) {
  return {a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z,
          a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y,
          a.w * b.y - a.x * b.z + a.y * b.w + a.z * b.x,
          a.w * b.z + a.x * b.y - a.y * b.x + a.z * b.w};
}

inline Vec3 rotate(Quat q, Vec3 v) {
  const Vec3 u{q.x, q.y, q.z};
  const Vec3 t = 2.0 * cross(u, v);
  return v + q.w * t + cross(u, t);
}

inline Pose operator*(Pose a, Pose b) { return {a.p + rotate(a.q, b.p), a.q * b.q}; }

inline double dot(Quat a, Quat b) { return a.w * b.w + a.x * b.x + a.y * b.y + a.z * b.z; }

inline Quat scaled(double k, Quat q) { return {k * q.w, k * q.x, k * q.y, k * q.z}; }

// A product of unit quaternions is off by rounding only; one step of Newton's method mends that.
inline Quat mended(Quat q) { return scaled(1.5 - 0.5 * dot(q, q), q); }

// To length one; a quaternion too short to have a direction is no turn at all.
inline Quat normalized(Quat q) {
  const double length = std::sqrt(dot(q, q));
  return length < 1e-15 ? Quat{1.0, 0.0, 0.0, 0.0} : scaled(1.0 / length, q);
}

} // namespace phyzctl
