// Spatial vectors and inertias in world axes about one point of a tree. Taken about the same point
// those of all its bodies simply add.
#pragma once

#include "matrix.hpp"

namespace phyzctl {

// A velocity (angular, and linear of what passes the point) or a force (torque about the point,
// and force), as `angular` and `linear`.
struct Spatial {
  Vec angular, linear;
};

inline Spatial operator+(const Spatial &a, const Spatial &b) {
  return {a.angular + b.angular, a.linear + b.linear};
}
inline Spatial scaled(double k, const Spatial &s) {
  return {scaled(k, s.angular), scaled(k, s.linear)};
}
inline double dot(const Spatial &a, const Spatial &b) {
  return dot(a.angular, b.angular) + dot(a.linear, b.linear);
}

// How fast the motion s changes that rides on a body of velocity v.
inline Spatial cross_motion(const Spatial &v, const Spatial &s) {
  return {cross(v.angular, s.angular), cross(v.angular, s.linear) + cross(v.linear, s.angular)};
}

// How fast the momentum p changes that rides on a body of velocity v.
inline Spatial cross_force(const Spatial &v, const Spatial &p) {
  return {cross(v.angular, p.angular) + cross(v.linear, p.linear), cross(v.angular, p.linear)};
}

// A symmetric matrix.
struct Symmetric {
  double xx, yy, zz, xy, xz, yz;
};

inline Vec operator*(const Symmetric &m, const Vec &v) {
  return {m.xx * v.x + m.xy * v.y + m.xz * v.z, m.xy * v.x + m.yy * v.y + m.yz * v.z,
          m.xz * v.x + m.yz * v.y + m.zz * v.z};
}

// m as seen from the frame that R leads into.
inline Symmetric turned(const Mat3 &R, const Symmetric &m) {
  const Vec x = m * R.x, y = m * R.y, z = m * R.z;
  return {dot(R.x, x), dot(R.y, y), dot(R.z, z), dot(R.x, y), dot(R.x, z), dot(R.y, z)};
}

struct Inertia {
  double mass;
  Vec moment; // mass times centre of mass
  Symmetric rotational;
};

// Of a mass whose inertia about its centre, at `centre` from the point, is `central`.
inline Inertia inertia_about_point(double mass, const Vec &centre, const Symmetric &central) {
  const Vec m = scaled(mass, centre);
  const double xx = m.x * centre.x, yy = m.y * centre.y, zz = m.z * centre.z;
  return {mass,
          m,
          {central.xx + yy + zz, central.yy + xx + zz, central.zz + xx + yy,
           central.xy - m.x * centre.y, central.xz - m.x * centre.z, central.yz - m.y * centre.z}};
}

inline Inertia operator+(const Inertia &a, const Inertia &b) {
  const Symmetric &i = a.rotational, &j = b.rotational;
  return {a.mass + b.mass, a.moment + b.moment,
          {i.xx + j.xx, i.yy + j.yy, i.zz + j.zz, i.xy + j.xy, i.xz + j.xz, i.yz + j.yz}};
}

// The momentum at the velocity v, or the force for the acceleration v.
inline Spatial operator*(const Inertia &inertia, const Spatial &v) {
  return {inertia.rotational * v.angular + cross(inertia.moment, v.linear),
          scaled(inertia.mass, v.linear) - cross(inertia.moment, v.angular)};
}

} // namespace phyzctl
