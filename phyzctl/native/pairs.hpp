// Batches of the narrow phase: some pairs of shapes in each of many placements.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "shapes.hpp"

namespace phyzctl {

// Two indices a pair.
struct PairList {
  const std::int32_t *items;
  std::size_t count;

  std::size_t index(std::size_t pair, std::size_t side) const {
    return static_cast<std::size_t>(items[2 * pair + side]);
  }
};

enum class PairStatus { ok, range, none, half_spaces };

struct PairCheck {
  PairStatus status = PairStatus::ok;
  std::size_t index = 0;
};

// Every index that is in the list, once, in ascending order.
std::vector<std::size_t> named(const PairList &pairs);

// Every index names a convex shape, and no pair is one of half-spaces, which have no distance.
PairCheck check(const Shapes &shapes, const PairList &pairs);

// Position and rotation out of a row of 7 numbers: x y z, quaternion w x y z of any length.
Placed place(const Shape &shape, const double *row);

struct DistanceRows {
  double *distance; // one number a pair and placement
  double *normal, *a, *b; // three
};

// `poses` holds `count` placements of all shapes, 7 numbers a shape; results are placement by
// placement, pair by pair. Returns how often iterations ran out.
std::size_t distances(const Shapes &shapes, const double *poses, std::size_t count,
                      const PairList &pairs, const DistanceRows &rows);

void overlaps(const Shapes &shapes, const double *poses, std::size_t count, const PairList &pairs,
              double margin, bool *result);

} // namespace phyzctl
