// Bounding spheres of a block of configurations, compared at once. Single precision does twice as
// many as double would, and is wide enough for spheres once the rounding is added to their radii.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>

namespace phyzctl {

constexpr std::size_t block = 16; // configurations; one bit each in a Mask
using Mask = std::uint32_t;

// Where the centres of spheres are, one number a configuration.
struct Centres {
  float x[block], y[block], z[block];

  void set(std::size_t i, double px, double py, double pz) {
    x[i] = static_cast<float>(px);
    y[i] = static_cast<float>(py);
    z[i] = static_cast<float>(pz);
  }

  // The largest coordinate; what isn't a number counts for nothing, as it meets nothing.
  float largest() const {
    float most = 0.0F;
    for (const float *row : {x, y, z}) {
      for (std::size_t i = 0; i < block; ++i) {
        const float size = std::fabs(row[i]);
        most = size > most ? size : most;
      }
    }
    return most;
  }
};

// How far apart rounding may put two centres whose coordinates are no larger than this: each of
// three differences is off by less than three half units in the last place.
inline double rounding(double largest) { return 1e-6 * largest; }

#if defined(__GNUC__) || defined(__clang__)
using Floats = float __attribute__((vector_size(16)));
#else
using Floats = float;
#endif

// In which configurations two centres are no farther apart than `far`, not less and, by rounding,
// maybe a few more; where they aren't numbers, in none.
inline Mask within(const Centres &a, const Centres &b, double far) {
  constexpr std::size_t width = sizeof(Floats) / sizeof(float);
  const float limit = static_cast<float>(far * far * (1.0 + 1e-6)) + 1e-30F;
  float apart[block];
  Floats least = Floats{} + INFINITY;
  for (std::size_t i = 0; i < block; i += width) {
    Floats ax, ay, az, bx, by, bz;
    std::memcpy(&ax, a.x + i, sizeof ax);
    std::memcpy(&ay, a.y + i, sizeof ay);
    std::memcpy(&az, a.z + i, sizeof az);
    std::memcpy(&bx, b.x + i, sizeof bx);
    std::memcpy(&by, b.y + i, sizeof by);
    std::memcpy(&bz, b.z + i, sizeof bz);
    const Floats x = ax - bx, y = ay - by, z = az - bz;
    const Floats squared = x * x + y * y + z * z;
    least = squared < least ? squared : least;
    std::memcpy(apart + i, &squared, sizeof squared);
  }
  float smallest[width];
  std::memcpy(smallest, &least, sizeof least);
  bool any = false;
  for (const float each : smallest) {
    any = any || each <= limit;
  }
  Mask mask = 0;
  for (std::size_t i = 0; any && i < block; ++i) {
    mask |= static_cast<Mask>(apart[i] <= limit) << i;
  }
  return mask;
}

} // namespace phyzctl
