// What a block of constraint rows costs, pushes and resists, by how far its rows' accelerations
// are from those that it asks for.
#pragma once

#include <cmath>

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

Reaction react_rows(const Block &block, const Miss &miss, double *force, double *curvature);

inline Reaction react_friction(const Miss &miss, double *force, double *curvature) {
  const double x = miss.x[0], pull = miss.D[0] * x;
  if (std::fabs(pull) < miss.bound) {
    force[0] = -pull;
    curvature[0] = miss.D[0];
    return {0.5 * pull * x, 1, false};
  }
  force[0] = x > 0.0 ? -miss.bound : miss.bound;
  curvature[0] = 0.0;
  return {miss.bound * (std::fabs(x) - 0.5 * miss.bound / miss.D[0]), x > 0.0 ? 2u : 3u, false};
}

inline Reaction react_limit(const Miss &miss, double *force, double *curvature) {
  const double x = miss.x[0];
  const bool held = x < 0.0;
  force[0] = held ? -miss.D[0] * x : 0.0;
  curvature[0] = held ? miss.D[0] : 0.0;
  return {held ? 0.5 * miss.D[0] * x * x : 0.0, held ? 1u : 0u, false};
}

inline Reaction react(const Block &block, const Miss &miss, double *force, double *curvature) {
  return block.law == Law::friction ? react_friction(miss, force, curvature)
         : block.law == Law::limit  ? react_limit(miss, force, curvature)
                                    : react_rows(block, miss, force, curvature);
}

// Derivatives of the cost along a line, on which the rows change by `p`.
struct Slope {
  double first, second;
};

Slope slope_rows(const Block &block, const Miss &miss, const double *p);

inline Slope slope_friction(const Miss &miss, double p) {
  const double x = miss.x[0], pull = miss.D[0] * x;
  return std::fabs(pull) < miss.bound ? Slope{pull * p, miss.D[0] * p * p}
                                      : Slope{x > 0.0 ? miss.bound * p : -miss.bound * p, 0.0};
}

inline Slope slope_limit(const Miss &miss, double p) {
  const double x = miss.x[0];
  return x < 0.0 ? Slope{miss.D[0] * x * p, miss.D[0] * p * p} : Slope{0.0, 0.0};
}

inline Slope slope(const Block &block, const Miss &miss, const double *p) {
  return block.law == Law::friction ? slope_friction(miss, p[0])
         : block.law == Law::limit  ? slope_limit(miss, p[0])
                                    : slope_rows(block, miss, p);
}

// True where the curvature is a full matrix.
inline bool coupled(const Block &block) { return block.law == Law::pyramid || block.law == Law::cone; }

} // namespace phyzctl
