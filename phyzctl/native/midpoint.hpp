// The integrator `best`: everything at the middle of the step, what is stiff taken at its end.
//
// One step of h: half a drift to q; a0 from
//   (M* + h/2 C) a0 = forces - bias - h sum theta k J'J v,  M* = M + h D + h^2 sum theta k J'J,
// D the damping, k the stiffness of springs and servos, J what moves them, C how the bias changes with
// the velocity; the constrained a from a0 and M*; v + h a; the other half of the drift.
// theta = z / (z + 4) with z = h^2 k J M^-1 J' at the reference position: slow springs are taken at
// the middle, stiff ones at the end. A servo whose force is limited is no part of these sums, but a
// row like dry friction's: the force is what its law asks for at the end of the step, as far as the
// limits let it. Contacts that slide on elliptic cones do so by Coulomb's law (sliding.hpp).
#pragma once

#include "bias_derivative.hpp"
#include "drift.hpp"
#include "held.hpp"
#include "sliding.hpp"
#include "smooth_motors.hpp"

namespace phyzctl {

// What becomes of a servo's stiffness.
enum class Servo : std::uint8_t { outside, inside, row };

struct MidpointWork {
  explicit MidpointWork(const Constraints &constraints);

  std::vector<Spinner> spinners;
  std::vector<Servo> servos;     // per actuator
  std::vector<double> ease;      // per actuator: J M^-1 J' at the reference position
  BiasDerivativeWork bias;
  GeneralMatrix unfolded, slope, matrix; // the first where there are followers
  std::vector<double> soft;      // M*
  std::vector<double> q, v;      // at the middle
  std::vector<double> last;      // the solution before
  Sliding sliding;
  std::vector<Lever> levers;     // of what is being added
};

// From work.smooth.q, v to next_q, next_v; work.smooth.acceleration is a.
SolverReport step_midpoint(const Constraints &constraints, const ContactWorld *world, double h,
                           const Inputs &acting, const std::uint8_t *active,
                           const SolverOptions &options, const double *warm, HeldWork &work,
                           MidpointWork &mine);

} // namespace phyzctl
