// What a block of constraint rows costs, pushes and resists, by how far its rows' accelerations
// are from those that it asks for.
#pragma once

#include "rows.hpp"

namespace phyzctl {

// `x`: J a - aref, and D = 1 / R, per row of the block.
struct Miss {
  const double *x, *D;
  double bound; // of dry friction
};

// Writes the force per row, and in `curvature` the second derivative of the cost (rows × rows;
// rows numbers, its diagonal, where it has no others).
struct Reaction {
  double cost;
  std::uint32_t piece; // a number that changes where the curvature does; 0: no force, no curvature
  bool curved;         // the curvature changes with every motion
};

Reaction react(const Block &block, const Miss &miss, double *force, double *curvature);

// Derivatives of the cost along a line, on which the rows change by `p`.
struct Slope {
  double first, second;
};

Slope slope(const Block &block, const Miss &miss, const double *p);

// True where the curvature is a full matrix.
inline bool coupled(const Block &block) { return block.law == Law::pyramid || block.law == Law::cone; }

} // namespace phyzctl
