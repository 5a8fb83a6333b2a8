// The pair of shapes that is nearest, or the first that touches, in each of many configurations.
#pragma once

#include "pairs.hpp"
#include "system.hpp"

namespace phyzctl {

// `q` has `count` rows of system.position_count numbers; `shapes` has one item a geom. `pair`, one
// number a row, becomes the first pair that comes within `margin`, -1 for none.
void first_hits(const System &system, const Shapes &shapes, const double *q, std::size_t count,
                const PairList &pairs, double margin, std::int32_t *pair);

// Likewise the pair of least distance, and that distance [m]; -1 and infinite without pairs.
void nearest_pairs(const System &system, const Shapes &shapes, const double *q, std::size_t count,
                   const PairList &pairs, double *distance, std::int32_t *pair);

} // namespace phyzctl
