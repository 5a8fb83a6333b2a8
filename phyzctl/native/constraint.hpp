// Constraints of a System: limits, dry friction and equalities, and how soft each of them is.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "dynamics.hpp"

namespace phyzctl {

enum class EqualityKind : std::int32_t { connect = 0, weld = 1, joint = 2, tendon = 3 };
enum class Cone : std::int32_t { pyramidal = 0, elliptic = 1 };

// Passes in which friction is sought again as if it were rigid, and what such a pass must gain, as
// the square of an acceleration, for another to follow. See noslip.hpp.
struct Noslip {
  std::size_t iterations;
  double tolerance;
};

// Flat arrays, row by row, as phyzctl.native.Constraints describes them.
struct ConstraintArrays {
  const double *joint_limits;     // 10 a joint: range, margin, solref (2), solimp (5)
  const double *joint_weights;    // 7 a joint: solref and solimp of its dry friction
  const double *dof_losses;       // per degree of freedom the force of dry friction
  const double *tendon_limits;    // 10 a tendon, as for joints
  const double *tendon_frictions; // 8 a tendon: force, solref (2), solimp (5)
  std::size_t equality_count;
  const std::int32_t *equality_target; // 3 each: an EqualityKind, and the indices of both ends
  const double *equalities; // 22 each: two frames (7), torque scale, or a polynomial (5) first;
                            // then solref (2), solimp (5)
  const double *q_reference;
  Cone cone;
  double impratio;
  bool refsafe, diagexact;
  Noslip noslip;
};

enum class ConstraintStatus { ok, equality_kind, equality_target };

struct ConstraintCheck {
  ConstraintStatus status = ConstraintStatus::ok;
  std::size_t index = 0;
};

ConstraintCheck check(const Dynamics &dynamics, const ConstraintArrays &arrays);

// MuJoCo's parameters, as written.
struct Softness {
  double solref[2], solimp[5];
};

struct Limit {
  Bounds range;
  double margin;
  Softness softness;
  bool exists() const { return range.finite(); }
};

struct DryFriction {
  double force;
  Softness softness;
};

// Of a degree of freedom. Its residual is zero, so that its law is the same at all states.
struct DofFriction {
  std::size_t dof;
  double force;
  Softness softness;
  double regularizer, damping; // by the mobility that is estimated, unless a step is longer than
  double longest_step;         // this: then what damps is made slower for it
};

// A joint that has limits.
struct JointLimit {
  std::size_t joint;
  std::int32_t position; // of a hinge or slide; -1: a ball
  double low, high, margin;
};

// Ties frames on two bodies (connect, weld), or the second of two joints or tendons (-1: none) to
// a polynomial of the first.
struct Equality {
  EqualityKind kind;
  std::int32_t first, second;
  Pose<double> frames[2]; // on the bodies
  double torque_scale;
  double polynomial[5];
  double reference[2]; // positions or lengths where the polynomial counts from
  Softness softness;
};

// How easily a body is moved at the reference position: the mean over directions.
struct Mobility {
  double linear, angular;
};

// Immutable. The Dynamics must live as long.
struct Constraints {
  Constraints(const Dynamics &dynamics, const ConstraintArrays &arrays);

  // -1 is the world, which nothing moves.
  const Mobility &mobility(std::int32_t body) const {
    return body_mobility[static_cast<std::size_t>(body + 1)];
  }

  const Dynamics &dynamics;
  std::vector<Limit> joint_limits, tendon_limits;
  std::vector<JointLimit> limited;       // of `joint_limits` those that exist
  std::vector<DofFriction> dof_friction; // where there is any
  std::vector<DryFriction> tendon_friction;
  std::vector<Equality> equalities;
  std::vector<Mobility> body_mobility; // the world's first
  std::vector<double> dof_mobility, tendon_mobility;
  Cone cone;
  double impratio;
  bool refsafe, diagexact;
  Noslip noslip;

private:
  void add_limit(std::size_t joint);
  void add_friction(std::size_t dof, double force, const Softness &softness);
};

} // namespace phyzctl
