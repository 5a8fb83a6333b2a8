#include "fluid_shape.hpp"

#include <algorithm>

#include "dual.hpp"
#include "dynamics.hpp"

namespace phyzctl {
namespace {

constexpr double pi = 3.14159265358979323846;

template <class T> struct Three {
  T x, y, z;
};

template <class T> Three<T> operator+(const Three<T> &a, const Three<T> &b) {
  return {a.x + b.x, a.y + b.y, a.z + b.z};
}
template <class T> Three<T> cross(const Three<T> &a, const Three<T> &b) {
  return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
template <class T> Three<T> times(const T &factor, const Three<T> &a) {
  return {factor * a.x, factor * a.y, factor * a.z};
}
template <class T> Three<T> weighed(const double (&weights)[3], const Three<T> &a) {
  return {weights[0] * a.x, weights[1] * a.y, weights[2] * a.z};
}
template <class T> T square(const Three<T> &a) { return a.x * a.x + a.y * a.y + a.z * a.z; }

// What of an ellipsoid counts, with axes sorted.
struct Measures {
  explicit Measures(const double (&r)[3])
      : most(std::max({r[0], r[1], r[2]})), least(std::min({r[0], r[1], r[2]})),
        middle(r[0] + r[1] + r[2] - most - least), volume(4.0 / 3.0 * pi * r[0] * r[1] * r[2]),
        mean((r[0] + r[1] + r[2]) / 3.0), largest_area(pi * most * middle) {
    for (int i = 0; i < 3; ++i) {
      const double a = r[(i + 1) % 3], b = r[(i + 2) % 3], wide = std::max(a, b);
      faces[i] = a * b * a * b;
      swept[i] = 8.0 / 15.0 * pi * r[i] * wide * wide * wide * wide;
    }
    largest_swept = 8.0 / 15.0 * pi * middle * most * most * most * most;
  }
  double most, least, middle, volume, mean, largest_area, largest_swept;
  double faces[3]; // squares of products of the other two axes
  double swept[3]; // moments of what turning about an axis sweeps
};

template <class T> struct Motion {
  Three<T> angular, linear;
};

// The momentum of what moves along turns with the shape.
template <class T> Motion<T> added_mass(const FluidShape &shape, double density, const Motion<T> &v) {
  const Three<T> momentum = times(T(density), weighed(shape.added_mass, v.linear));
  const Three<T> spin = times(T(density), weighed(shape.added_inertia, v.angular));
  return {cross(momentum, v.linear) + cross(spin, v.angular), cross(momentum, v.angular)};
}

// `shadow`: the area that it covers, seen along its way.
template <class T>
Three<T> kutta_lift(const FluidShape &shape, const Measures &of, double density, const T &shadow,
                    const Three<T> &v) {
  const Three<T> normal = weighed(of.faces, v);
  const T part = normal.x * v.x + normal.y * v.y + normal.z * v.z;
  const T cosine = quotient(part, root(square(v)) * square(normal));
  const Three<T> circulation = times((shape.kutta * density) * (cosine * shadow), cross(normal, v));
  return cross(circulation, v);
}

template <class T>
Motion<T> drag(const FluidShape &shape, const Measures &of, const Medium &medium, const T &shadow,
               const Motion<T> &v) {
  const double rho = medium.density, eta = medium.viscosity;
  const T area = shape.blunt * shadow + shape.slender * (T(of.largest_area) - shadow);
  const T along = T(6.0 * pi * of.mean * eta) + rho * (root(square(v.linear)) * area);
  double moments[3];
  for (int i = 0; i < 3; ++i) {
    moments[i] = shape.angular * of.swept[i] + shape.slender * (of.largest_swept - of.swept[i]);
  }
  const T turning = root(square(weighed(moments, v.angular)));
  const T about = T(8.0 * pi * of.mean * of.mean * of.mean * eta) + rho * turning;
  return {times(T(-1.0) * about, v.angular), times(T(-1.0) * along, v.linear)};
}

template <class T>
void find_force(const FluidShape &shape, const Medium &medium, const T (&speed)[6], T (&force)[6]) {
  const Motion<T> v{{speed[0], speed[1], speed[2]}, {speed[3], speed[4], speed[5]}};
  const Measures of(shape.axes);
  const double rho = medium.density;
  const Three<T> flat = weighed(of.faces, v.linear);
  const T seen = flat.x * v.linear.x + flat.y * v.linear.y + flat.z * v.linear.z;
  const T shadow = pi * root(quotient(square(flat), seen));
  const Motion<T> added = added_mass(shape, rho, v);
  const Motion<T> dragged = drag(shape, of, medium, shadow, v);
  const Three<T> magnus = times(T(shape.magnus * rho * of.volume), cross(v.angular, v.linear));
  const Three<T> torque = added.angular + dragged.angular;
  const Three<T> along = added.linear + dragged.linear + magnus +
                         kutta_lift(shape, of, rho, shadow, v.linear);
  const T all[6] = {torque.x, torque.y, torque.z, along.x, along.y, along.z};
  std::copy_n(all, 6, force);
}

} // namespace

FluidShape FluidShape::of(std::int32_t body, const double *row) {
  FluidShape shape{};
  shape.body = body;
  shape.frame = {{row[0], row[1], row[2]}, normalized({row[3], row[4], row[5], row[6]})};
  std::copy_n(row + 7, 3, shape.axes);
  shape.blunt = row[10];
  shape.slender = row[11];
  shape.angular = row[12];
  shape.kutta = row[13];
  shape.magnus = row[14];
  std::copy_n(row + 15, 3, shape.added_mass);
  std::copy_n(row + 18, 3, shape.added_inertia);
  return shape;
}

void fluid_force(const FluidShape &shape, const Medium &medium, const double (&speed)[6],
                 double (&force)[6]) {
  find_force(shape, medium, speed, force);
}

FluidForce fluid_slope(const FluidShape &shape, const Medium &medium, const double (&speed)[6]) {
  Dual<6> at[6], force[6];
  for (std::size_t k = 0; k < 6; ++k) {
    at[k] = Dual<6>::variable(speed[k], k);
  }
  find_force(shape, medium, at, force);
  FluidForce result;
  for (std::size_t i = 0; i < 6; ++i) {
    result.value[i] = force[i].value;
    std::copy_n(force[i].slope, 6, result.slope[i]);
  }
  return result;
}

} // namespace phyzctl
