// Single precision for what is looked at first in a block of configurations: it does twice as many
// at once as double would, and is good enough for bounds with some slack.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

#include "rotation.hpp"

namespace phyzctl {

using Mask = std::uint32_t; // a bit for each configuration of a block

#if defined(__GNUC__) || defined(__clang__)
using Floats = float __attribute__((vector_size(16)));
inline std::size_t lowest(Mask mask) { return static_cast<std::size_t>(__builtin_ctz(mask)); }
#else
using Floats = float;
inline std::size_t lowest(Mask mask) {
  std::size_t i = 0;
  for (; (mask & 1U) == 0; mask >>= 1U) {
    ++i;
  }
  return i;
}
#endif
constexpr std::size_t width = sizeof(Floats) / sizeof(float);

// One bit a lane: where a is less than b, so nowhere that either isn't a number.
inline Mask below(Floats a, Floats b) {
#if defined(__SSE2__)
  return static_cast<Mask>(
      _mm_movemask_ps(_mm_cmplt_ps(reinterpret_cast<__m128>(a), reinterpret_cast<__m128>(b))));
#else
  float x[width], y[width];
  std::memcpy(x, &a, sizeof a);
  std::memcpy(y, &b, sizeof b);
  Mask mask = 0;
  for (std::size_t i = 0; i < width; ++i) {
    mask |= static_cast<Mask>(x[i] < y[i]) << i;
  }
  return mask;
#endif
}

inline Floats larger(Floats a, Floats b) { return a > b ? a : b; }
inline Floats size(Floats a) { return larger(a, -a); }
inline double largest(Floats a) {
  float x[width];
  std::memcpy(x, &a, sizeof a);
  return *std::max_element(x, x + width);
}

// To within `most` on either side of zero; what isn't a number stays none or becomes any.
inline Floats clamped(Floats a, float most) {
  const Floats high = Floats{} + most;
  const Floats low = a > -high ? a : -high;
  return low < high ? low : high;
}

inline Floats dot(const Vec3<Floats> &a, const Vec3<Floats> &b) {
  return a.x * b.x + a.y * b.y + a.z * b.z;
}

// A vector a configuration.
struct Vectors {
  alignas(16) float x[block], y[block], z[block];

  Vec3<Floats> from(std::size_t first) const {
    Vec3<Floats> v;
    std::memcpy(&v.x, x + first, sizeof v.x);
    std::memcpy(&v.y, y + first, sizeof v.y);
    std::memcpy(&v.z, z + first, sizeof v.z);
    return v;
  }

  void set(std::size_t first, const Vec3<Floats> &v) {
    std::memcpy(x + first, &v.x, sizeof v.x);
    std::memcpy(y + first, &v.y, sizeof v.y);
    std::memcpy(z + first, &v.z, sizeof v.z);
  }
};

} // namespace phyzctl
