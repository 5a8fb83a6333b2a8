// Motion under constraints at one state.
#pragma once

#include "rows.hpp"
#include "smooth.hpp"
#include "solver.hpp"

namespace phyzctl {

struct HeldWork {
  explicit HeldWork(const Dynamics &dynamics) : smooth(dynamics), solver(dynamics) {}

  Workspace smooth;
  Rows rows;
  SolverWork solver;
};

// The forces at a state and what follows: work.smooth.acceleration is what constraints leave of
// it, and work.smooth.total has their force too. `inputs.q`, `v` are the state.
SolverReport accelerate_held(const Constraints &constraints, const Inputs &acting,
                             const RowInputs &inputs, const SolverOptions &options,
                             const double *warm, HeldWork &work);

} // namespace phyzctl
