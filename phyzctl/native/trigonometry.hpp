// Sine and cosine from additions and multiplications alone, so that every machine gets the same
// bits; the libraries' own differ in the last one. No branches: T is a double or a Pack of them.
#pragma once

#include <cmath>

#include "pack.hpp"

namespace phyzctl {

template <class T> struct SinCos {
  T sin, cos;
};

// The nearest integer, for |x| below 2^51: adding this number leaves no room for a fraction.
template <class T> T nearest(T x) {
  constexpr double shift = 0x1.8p52;
  const T shifted = x + shift;
  return shifted - shift;
}

// On [-pi/4, pi/4] Taylor's series, whose first term left out is below 1e-17 of the result. The
// argument is r + tail; what `tail` adds is its product with the derivative.
template <class T> SinCos<T> sincos_reduced(T r, T tail) {
  const T z = r * r;
  T s = z * (1.0 / 355687428096000.0); // 17!
  s = (s - 1.0 / 1307674368000.0) * z;
  s = (s + 1.0 / 6227020800.0) * z;
  s = (s - 1.0 / 39916800.0) * z;
  s = (s + 1.0 / 362880.0) * z;
  s = (s - 1.0 / 5040.0) * z;
  s = (s + 1.0 / 120.0) * z;
  s = (s - 1.0 / 6.0) * z;
  T c = z * (1.0 / 20922789888000.0); // 16!
  c = (c - 1.0 / 87178291200.0) * z;
  c = (c + 1.0 / 479001600.0) * z;
  c = (c - 1.0 / 3628800.0) * z;
  c = (c + 1.0 / 40320.0) * z;
  c = (c - 1.0 / 720.0) * z;
  c = (c + 1.0 / 24.0) * z;
  const T half = 0.5 * z;
  const T rounded = 1.0 - half;
  const T lost = (1.0 - rounded) - half; // what rounding took from 1 - half
  return {r + (r * s + tail * rounded), rounded + (lost + (z * c - r * tail))};
}

// From the quarter turn k that the argument was reduced by. Exactly one of `even` and `odd` is
// not zero, and it is 1 or -1.
template <class T> SinCos<T> quarter_turns(SinCos<T> reduced, T k) {
  const T half = nearest(0.5 * k);
  const T odd = k - 2.0 * half;
  const T halves_odd = half - 2.0 * nearest(0.5 * half);
  const T even = (1.0 - odd * odd) * (1.0 - 2.0 * halves_odd * halves_odd);
  return {even * reduced.sin + odd * reduced.cos, even * reduced.cos - odd * reduced.sin};
}

// The same angle within a turn, where it is too large for `sincos`. NaN if it is not finite.
inline double tamed(double angle) {
  constexpr double two_pi = 6.283185307179586477;
  return std::abs(angle) < 1.0e6 ? angle : std::remainder(angle, two_pi);
}

#if defined(__GNUC__) || defined(__clang__)
inline Pack tamed(Pack angle) {
  bool tame = true;
  for (std::size_t i = 0; i < lanes; ++i) {
    tame = tame && std::abs(angle[i]) < 1.0e6;
  }
  for (std::size_t i = 0; !tame && i < lanes; ++i) {
    angle[i] = tamed(angle[i]);
  }
  return angle;
}
#endif

// Within one unit in the last place for |x| up to 1e6; beyond, within the last place of x itself.
// NaN and infinity give NaN.
template <class T> inline SinCos<T> sincos(T angle) {
  constexpr double two_over_pi = 0.63661977236758134308;
  // pi / 2 as two numbers of 33 bits, whose products with k are exact, and the rest.
  constexpr double high = 0x1.921fb544p+0, middle = 0x1.0b4611a6p-34, low = 0x1.3198a2e037073p-69;
  const T x = tamed(angle);
  const T k = nearest(x * two_over_pi);
  const T a = x - k * high;
  const T b = k * middle;
  const T r = a - b;
  const T tail = ((a - r) - b) - k * low;
  return quarter_turns(sincos_reduced(r, tail), k);
}

} // namespace phyzctl
