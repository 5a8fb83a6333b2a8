// Rows written out in full, pyramids edge by edge: for the door, and for comparison.
#pragma once

#include "rows.hpp"

namespace phyzctl {

std::size_t dense_count(const Rows &rows);

// Per row: velocity_count numbers of the Jacobian, and one each of the rest.
struct DenseRows {
  double *jacobian, *residual, *target, *softness;
  std::int32_t *origin, *source;
};

void write_dense(const Rows &rows, std::size_t velocity_count, const DenseRows &result);

} // namespace phyzctl
