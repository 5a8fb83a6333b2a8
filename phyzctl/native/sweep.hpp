// Which pairs of geoms overlap, over many configurations of a robot.
#pragma once

#include "pairs.hpp"
#include "system.hpp"

namespace phyzctl {

// One number a pair each. What is null is not asked, and not paid for. Where several
// configurations are equal, the first one counts.
struct SweepRows {
  std::int64_t *hits;
  std::int64_t *first_hit; // -1 for none
  double *deepest;         // 0 for none, at -1; or null
  std::int64_t *deepest_at;
  double *clearance; // least distance of those apart, infinite for none, at -1; or null
  std::int64_t *clearance_at;
};

// Pairs in a row with the same number are a group (null: each is its own): a pair is asked only
// in configurations in which none of its group before it overlaps, so that their hits add up to
// those of the group. Depth and clearance are then not to be asked for.
using Groups = const std::int32_t *;

// `q` has `count` rows of system.position_count numbers; `shapes` has one item a geom. The
// result doesn't depend on `threads`. A configuration that isn't finite meets nothing.
void sweep(const System &system, const Shapes &shapes, const double *q, std::size_t count,
           const PairList &pairs, Groups groups, std::size_t threads, const SweepRows &rows);

} // namespace phyzctl
