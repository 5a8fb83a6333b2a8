// Steps in time with everything that acts: forces, activations, constraints and contacts.
#pragma once

#include <memory>
#include <mutex>
#include <vector>

#include "midpoint.hpp"

namespace phyzctl {

struct SimulationOptions {
  double h;
  Integrator integrator;
  SolverOptions solver;
  bool warmstart;
};

// What one thread needs for one state.
struct SimulationWork {
  SimulationWork(const Constraints &constraints, const ContactWorld *world);

  HeldWork held;
  MidpointWork midpoint;
  std::vector<double> act, next_act, mean_rates, warm, next_warm, controls;
  SolverReport report; // of the last step, its stages taken together
};

// Immutable, but for the work spaces that it keeps between calls.
class Simulation {
public:
  // The Constraints and the world, which may be null, must live as long.
  Simulation(const Constraints &constraints, const ContactWorld *world,
             const SimulationOptions &options)
      : constraints(constraints), world(world), options(options) {}

  std::unique_ptr<SimulationWork> take() const;
  void give(std::unique_ptr<SimulationWork> work) const;

  const Constraints &constraints;
  const ContactWorld *const world;
  const SimulationOptions options;

private:
  mutable std::mutex guard_;
  mutable std::vector<std::unique_ptr<SimulationWork>> idle_;
};

// Null are `applied`, generalised forces; `wrenches`, per body a force at its centre of mass and a
// torque, world axes; `active`, which equalities hold: all.
struct Acting {
  const double *controls, *applied, *wrenches;
  const std::uint8_t *active;
};

// From the state in work (q and v in held.smooth) to that in next_q, next_v, next_act.
void step(const Simulation &simulation, const Acting &acting, SimulationWork &work);

enum class RunStatus : std::int32_t {
  ok = 0,
  not_finite = 1, // a number that is none, or beyond 1e10
  unsolved = 2    // the solver ran out of iterations, far off, ten times running
};

// Holds a pose: at every step the controls named get `offsets`, and for each degree of freedom that
// is held a row of `gains` (count × count) times -stiffness (q - rest) - damping v.
struct Feedback {
  std::size_t count;
  const std::int32_t *positions, *velocities, *controls;
  const double *rest, *offsets, *gains;
  double stiffness, damping;
};

struct RunPlan {
  std::size_t steps, every, control_rows; // one row of controls a step, or one for all
  std::size_t threads;
  const Feedback *feedback; // null: none
  std::size_t samples() const { return (steps + every - 1) / every; }
};

// `count` states in rows. Before every `every`th step, the first among them, a row goes into those
// with an s, with the controls of that step; `solver` gets the most iterations and the largest gap
// of the steps up to the next row, and how many contacts and islands that step has. A state that
// goes wrong stops: `made` tells after how many steps, `status` why, `element` at which degree
// of freedom; rows that no step was made from are NaN. The last good state stands where it began.
struct RunRows {
  double *q, *v, *act, *warm;
  const double *controls, *applied, *wrenches;
  const std::uint8_t *active;
  double *qs, *vs, *acts, *warms, *ctrls, *solver;
  std::int64_t *made, *capped; // steps, and those that the solver didn't finish
  std::int32_t *status, *element;
};

void run(const Simulation &simulation, const RunPlan &plan, std::size_t count,
         const RunRows &rows);

} // namespace phyzctl
