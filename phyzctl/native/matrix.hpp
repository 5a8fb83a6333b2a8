// Plain vectors of doubles and rotation matrices, for the narrow phase.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>

#include "rotation.hpp"

namespace phyzctl {

using Vec = Vec3<double>;

constexpr double infinity = std::numeric_limits<double>::infinity();

inline double dot(const Vec &a, const Vec &b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
inline double squared(const Vec &v) { return dot(v, v); }
inline double length(const Vec &v) { return std::sqrt(squared(v)); }
inline Vec operator-(const Vec &v) { return {-v.x, -v.y, -v.z}; }
inline double largest(const Vec &v) {
  return std::max({std::fabs(v.x), std::fabs(v.y), std::fabs(v.z)});
}

// A rotation: row by row, the axes of the outer frame as seen from the inner one.
struct Mat3 {
  Vec x, y, z;
};

inline Vec operator*(const Mat3 &m, const Vec &v) { return {dot(m.x, v), dot(m.y, v), dot(m.z, v)}; }

// The transposed matrix times a vector: back into the inner frame.
inline Vec back(const Mat3 &m, const Vec &v) {
  return {m.x.x * v.x + m.y.x * v.y + m.z.x * v.z, m.x.y * v.x + m.y.y * v.y + m.z.y * v.z,
          m.x.z * v.x + m.y.z * v.y + m.z.z * v.z};
}

// Into the frame of a, from that of b.
inline Mat3 operator*(const Mat3 &a, const Mat3 &b) {
  return {back(b, a.x), back(b, a.y), back(b, a.z)};
}

inline Vec column(const Mat3 &m, int i) {
  return i == 0 ? Vec{m.x.x, m.y.x, m.z.x} : i == 1 ? Vec{m.x.y, m.y.y, m.z.y}
                                                    : Vec{m.x.z, m.y.z, m.z.z};
}

// a transposed times b: the inner frame of b as seen from the inner frame of a.
inline Mat3 relative(const Mat3 &a, const Mat3 &b) {
  const Vec x = back(a, column(b, 0)), y = back(a, column(b, 1)), z = back(a, column(b, 2));
  return {{x.x, y.x, z.x}, {x.y, y.y, z.y}, {x.z, y.z, z.z}};
}

// Of a unit quaternion.
inline Mat3 matrix(const Quat<double> &q) {
  const double xx = q.x * q.x, yy = q.y * q.y, zz = q.z * q.z;
  const double xy = q.x * q.y, xz = q.x * q.z, yz = q.y * q.z;
  const double wx = q.w * q.x, wy = q.w * q.y, wz = q.w * q.z;
  return {{1.0 - 2.0 * (yy + zz), 2.0 * (xy - wz), 2.0 * (xz + wy)},
          {2.0 * (xy + wz), 1.0 - 2.0 * (xx + zz), 2.0 * (yz - wx)},
          {2.0 * (xz - wy), 2.0 * (yz + wx), 1.0 - 2.0 * (xx + yy)}};
}

// Of length one, and across v, which may have any length but zero.
inline Vec perpendicular(const Vec &v) {
  const double x = std::fabs(v.x), y = std::fabs(v.y), z = std::fabs(v.z);
  const Vec least = x <= y && x <= z ? Vec{1, 0, 0} : y <= z ? Vec{0, 1, 0} : Vec{0, 0, 1};
  const Vec across = cross(v, least);
  return scaled(1.0 / length(across), across);
}

} // namespace phyzctl
