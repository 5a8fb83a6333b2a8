// Vectors and unit quaternions of doubles or of Packs, and products that mix the two.
#pragma once

#include <cmath>

#include "pack.hpp"

namespace phyzctl {

template <class T> struct Vec3 {
  T x, y, z;
};

template <class T> struct Quat {
  T w, x, y, z;
};

template <class T> struct Pose {
  Vec3<T> p;
  Quat<T> q;
};

template <class A, class B> using Product = decltype(A{} * B{});

template <class A, class B> Vec3<Product<A, B>> operator+(Vec3<A> a, Vec3<B> b) {
  return {a.x + b.x, a.y + b.y, a.z + b.z};
}

template <class A, class B> Vec3<Product<A, B>> operator-(Vec3<A> a, Vec3<B> b) {
  return {a.x - b.x, a.y - b.y, a.z - b.z};
}

template <class A, class B> Vec3<Product<A, B>> scaled(A k, Vec3<B> v) {
  return {k * v.x, k * v.y, k * v.z};
}

template <class A, class B> Vec3<Product<A, B>> cross(Vec3<A> a, Vec3<B> b) {
  return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

template <class A, class B> Quat<Product<A, B>> operator*(Quat<A> a, Quat<B> b) {
  return {a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z,
          a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y,
          a.w * b.y - a.x * b.z + a.y * b.w + a.z * b.x,
          a.w * b.z + a.x * b.y - a.y * b.x + a.z * b.w};
}

template <class A, class B> Vec3<Product<A, B>> rotate(Quat<A> q, Vec3<B> v) {
  const Vec3<A> u{q.x, q.y, q.z};
  const Vec3<Product<A, B>> half = cross(u, v);
  const Vec3<Product<A, B>> t = half + half;
  return v + scaled(q.w, t) + cross(u, t);
}

template <class A, class B> Pose<Product<A, B>> operator*(Pose<A> a, Pose<B> b) {
  return {a.p + rotate(a.q, b.p), a.q * b.q};
}

template <class T> Quat<T> scaled(T k, Quat<T> q) { return {k * q.w, k * q.x, k * q.y, k * q.z}; }

template <class T> T squared(Quat<T> q) { return q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z; }

// A product of unit quaternions is off by rounding only; one step of Newton's method mends that.
template <class T> Quat<T> mended(Quat<T> q) { return scaled(1.5 - 0.5 * squared(q), q); }

// To length one; a quaternion too short to have a direction is no turn at all.
inline Quat<double> normalized(Quat<double> q) {
  const double length = std::sqrt(squared(q));
  return length < 1e-15 ? Quat<double>{1.0, 0.0, 0.0, 0.0} : scaled(1.0 / length, q);
}

} // namespace phyzctl
