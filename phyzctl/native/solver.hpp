// The acceleration under constraints: the minimum over a of
//   1/2 (a - a0)' M (a - a0) + s(J a - aref),
// a0 where nothing is held, and s convex: Newton's method with exact line search, on each island by
// itself.
#pragma once

#include <cstddef>
#include <vector>

#include "hessian.hpp"

namespace phyzctl {

struct SolverOptions {
  std::size_t iterations;
  double tolerance; // of the gap
};

// Of all islands together: the most iterations, the largest gap.
// `gap`: a bound on, or near the minimum an estimate of, what the cost could still fall by, as the
// square of an acceleration: over the trace of the mass matrix. Zero where the last step led to
// the minimum itself.
struct SolverReport {
  std::size_t iterations = 0;
  double gap = 0.0;
  bool capped = false;
  std::size_t islands = 0;
};

// What one thread needs; grows to what a state needs, and keeps that.
struct SolverWork {
  explicit SolverWork(const Dynamics &dynamics);

  std::vector<double> a, momentum, gradient, step, step_momentum; // momentum: M a
  std::vector<double> force; // J'f, the generalised force of the constraints
  // Per row.
  std::vector<double> miss, change, forces, stiffness; // J a - aref, J step, f, D
  // Per block.
  std::vector<double> curvature;
  std::vector<std::size_t> starts; // where its curvature is
  std::vector<std::uint32_t> pieces;
  Islands islands;
  Hessian hessian;
};

// From work.M and work.total. Starts from `warm` or, where that is null or far off, from a0. The
// result is solver.a, and the force that goes with it solver.force. work.factor and
// work.acceleration may change.
SolverReport minimize(const Dynamics &dynamics, const Rows &rows, const SolverOptions &options,
                      const double *warm, Workspace &work, SolverWork &solver);

} // namespace phyzctl
