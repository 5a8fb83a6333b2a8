// Numbers that carry their derivatives by N variables along.
#pragma once

#include <cmath>
#include <cstddef>

namespace phyzctl {

template <std::size_t N> struct Dual {
  double value;
  double slope[N];

  Dual(double of = 0.0) : value(of), slope{} {}
  static Dual variable(double of, std::size_t which) {
    Dual result(of);
    result.slope[which] = 1.0;
    return result;
  }
  // f of this, by f's value and derivative there.
  Dual through(double f, double derivative) const {
    Dual result(f);
    for (std::size_t k = 0; k < N; ++k) {
      result.slope[k] = derivative * slope[k];
    }
    return result;
  }
};

// a f + b g of slopes, with the value given.
template <std::size_t N>
Dual<N> mixed(double value, double a, const Dual<N> &f, double b, const Dual<N> &g) {
  Dual<N> result(value);
  for (std::size_t k = 0; k < N; ++k) {
    result.slope[k] = a * f.slope[k] + b * g.slope[k];
  }
  return result;
}

template <std::size_t N> Dual<N> operator+(const Dual<N> &a, const Dual<N> &b) {
  return mixed(a.value + b.value, 1.0, a, 1.0, b);
}
template <std::size_t N> Dual<N> operator-(const Dual<N> &a, const Dual<N> &b) {
  return mixed(a.value - b.value, 1.0, a, -1.0, b);
}
template <std::size_t N> Dual<N> operator*(const Dual<N> &a, const Dual<N> &b) {
  return mixed(a.value * b.value, b.value, a, a.value, b);
}
template <std::size_t N> Dual<N> operator*(double a, const Dual<N> &b) {
  return b.through(a * b.value, a);
}

// Where nothing is divided or no root exists, nothing comes out, and that doesn't change.
inline double quotient(double a, double b) { return b > 0.0 ? a / b : 0.0; }
template <std::size_t N> Dual<N> quotient(const Dual<N> &a, const Dual<N> &b) {
  if (!(b.value > 0.0)) {
    return {};
  }
  return mixed(a.value / b.value, 1.0 / b.value, a, -a.value / (b.value * b.value), b);
}
inline double root(double a) { return a > 0.0 ? std::sqrt(a) : 0.0; }
template <std::size_t N> Dual<N> root(const Dual<N> &a) {
  const double value = root(a.value);
  return value > 0.0 ? a.through(value, 0.5 / value) : Dual<N>{};
}

} // namespace phyzctl
