// Sine and cosine from additions and multiplications alone, so that every machine gets the same
// bits; the libraries' own differ in the last one.
#pragma once

#include <cmath>

namespace phyzctl {

struct SinCos {
  double sin, cos;
};

// On [-pi/4, pi/4] Taylor's series, whose first term left out is below 1e-17 of the result. The
// argument is r + tail; what `tail` adds is its product with the derivative.
inline SinCos sincos_reduced(double r, double tail) {
  const double z = r * r;
  double s = 1.0 / 355687428096000.0; // 17!
  s = s * z - 1.0 / 1307674368000.0;
  s = s * z + 1.0 / 6227020800.0;
  s = s * z - 1.0 / 39916800.0;
  s = s * z + 1.0 / 362880.0;
  s = s * z - 1.0 / 5040.0;
  s = s * z + 1.0 / 120.0;
  s = s * z - 1.0 / 6.0;
  double c = 1.0 / 20922789888000.0; // 16!
  c = c * z - 1.0 / 87178291200.0;
  c = c * z + 1.0 / 479001600.0;
  c = c * z - 1.0 / 3628800.0;
  c = c * z + 1.0 / 40320.0;
  c = c * z - 1.0 / 720.0;
  c = c * z + 1.0 / 24.0;
  const double half = 0.5 * z;
  const double sine = r + (r * z * s + tail * (1.0 - half));
  const double rounded = 1.0 - half; // what rounding it lost is given back
  const double cosine = rounded + (((1.0 - rounded) - half) + (z * z * c - r * tail));
  return {sine, cosine};
}

// Within one unit in the last place for |x| up to 1e6; beyond, within the last place of x itself.
// NaN and infinity give NaN.
inline SinCos sincos(double x) {
  constexpr double two_over_pi = 0.63661977236758134308;
  // pi / 2 as two numbers of 33 bits, whose products with k are exact, and the rest.
  constexpr double high = 0x1.921fb544p+0, middle = 0x1.0b4611a6p-34, low = 0x1.3198a2e037073p-69;
  constexpr double two_pi = 6.283185307179586477;
  if (!(std::abs(x) < 1.0e6)) {
    x = std::remainder(x, two_pi);
  }
  const double k = std::rint(x * two_over_pi);
  const double a = x - k * high;
  const double b = k * middle;
  const double r = a - b;
  const double tail = ((a - r) - b) - k * low;
  const SinCos reduced = sincos_reduced(r, tail);
  const double quadrant = k - 4.0 * std::floor(0.25 * k);
  const bool swapped = quadrant == 1.0 || quadrant == 3.0;
  const double sine = swapped ? reduced.cos : reduced.sin;
  const double cosine = swapped ? reduced.sin : reduced.cos;
  return {quadrant >= 2.0 ? -sine : sine, quadrant == 1.0 || quadrant == 2.0 ? -cosine : cosine};
}

} // namespace phyzctl
