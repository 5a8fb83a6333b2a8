// Dynamics: masses, springs and actuators of a System, and its motion where nothing constrains it.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "dynamics_factor.hpp"
#include "dynamics_spatial.hpp"
#include "links.hpp"
#include "fluid_shape.hpp"
#include "muscle.hpp"
#include "system.hpp"
#include "trigonometry.hpp"

namespace phyzctl {

// Both ends; wrong way round they bound nothing.
struct Bounds {
  double low, high;

  double clamp(double x) const { // NaN stays
    return low > high ? x : x < low ? low : x > high ? high : x;
  }
  bool reached(double x) const { return low <= high && (x <= low || x >= high); }
  bool finite() const { return low > -infinity || high < infinity; }
};

// Of sites one by itself, one against another, and a crank's pin that a rod ties to a slider; of
// bodies what they touch.
enum class Transmission : std::int32_t {
  joint = 0, joint_in_parent = 1, tendon = 2, site = 3, none = 4, site_pair = 5, slider_crank = 6,
  body = 7
};

// What an activation does between control and force; one that is idle stays as it is.
enum class Activation : std::int32_t {
  none = 0, integrator = 1, filter = 2, filterexact = 3, idle = 4,
  muscle = 5
};

// A hinge or slide that follows another (-1: none, it stands still), see followers.hpp.
struct Follower {
  std::int32_t dof, position, leader, leader_position;
  double ratio, offset;
};

// What a degree of freedom moves as: itself, another one, or nothing (-1).
struct Image {
  std::int32_t dof;
  double ratio;
};

// Where an entry (i, j) of a matrix goes that is folded: as (i, j) or (j, i), or to the diagonal,
// and its mirror too.
enum class FoldKind : std::uint8_t { straight, swapped, merged, dropped };

struct Fold {
  FoldKind kind;
  std::size_t at;
  double share;
};

// Flat arrays, row by row, as phyzctl.native.Dynamics describes them.
struct DynamicsArrays {
  std::size_t velocity_count, tendon_count, term_count, actuator_count, activation_count;
  bool actuated;  // else motors do nothing
  bool eulerdamp; // Euler's method takes the joints' damping at the end of its step
  const double *gravity;
  const std::int32_t *joint_velocity;
  const double *medium;    // 5: density, viscosity, wind
  const double *bodies;    // 18 a body: mass, centre of mass, inertia (9), gravity compensation,
                           // the turn of its principal axes (4)
  const double *joints;    // 4 a joint: stiffness, force range, motors compensate gravity
  const double *dofs;      // 2 a degree of freedom: armature, damping
  const double *spring_q;  // where the joints' springs rest
  const double *tendons;   // 6 a tendon: stiffness, damping, rest lengths, force range
  const std::int32_t *tendon_start, *term_joint;
  const double *term_coefficient;
  std::size_t step_count;
  const std::int32_t *step_start; // per tendon, and the end
  const std::int32_t *step_body;  // 3 each: a PathKind, its body, and that of its side (-2: none)
  const double *step_frame;       // 11 each: pose, size, side
  const double *actuators; // 52 each: gear (6), control and force range, gain (3), bias (3), times
                           // (3) and range of the activation, two sites' poses (7), rod, two
                           // muscles' curves (8): of the gain and of the bias
  const std::int32_t *actuator_target; // 3 each: a Transmission and what it pulls on: of sites the
                                       // bodies (-1: the world), or a body
  const std::int32_t *actuator_activation; // 3 each: an Activation, its place, whether forces
                                           // follow from what it will be after the step
  std::size_t follower_count;
  const std::int32_t *follower_joint; // 2 each: it, and what it follows (-1: nothing)
  const double *follower_line;        // 2 each: offset, ratio
  std::size_t shape_count;         // of what a medium takes by its shape
  const std::int32_t *shape_body;
  const double *shapes; // 21 each: pose, half axes (3), coefficients (5), added mass and inertia (3)
};

enum class DynamicsStatus {
  ok, joint_velocity, free_joint, tendon_start, term_joint, step, transmission, actuator_target,
  actuator_activation, follower, shape
};

struct DynamicsCheck {
  DynamicsStatus status = DynamicsStatus::ok;
  std::size_t index = 0;
};

DynamicsCheck check(const System &system, const DynamicsArrays &arrays);

// A medium around all bodies; none where both are zero.
struct Medium {
  double density, viscosity;
  Vec wind;

  bool exists() const { return density > 0.0 || viscosity > 0.0; }
};

// What a speed costs: a force, by the speed and by its square.
struct Drag {
  double linear, quadratic;
};

// Of even density, it has the inertia of a body: the medium drags it about its axes and along them.
struct Box {
  Quat<double> turn; // in the body
  Drag drags[6];
};

struct JointForces {
  double stiffness;
  Bounds force;
  bool compensated_by_motors;
  std::int32_t velocity; // where its degrees of freedom start
};

struct Term {
  std::int32_t position, velocity; // of a hinge or slide; of a path through space the latter only
  double coefficient;
};

// What a path through space goes through: a site's place, a geom that is in its way, or a pulley,
// behind which lengths count less.
enum class PathKind : std::int32_t { site = 0, sphere = 1, cylinder = 2, pulley = 3 };

struct PathStep {
  PathKind kind;
  std::int32_t body;
  Pose<double> frame; // on the body
  double size;        // radius of a geom, divisor of a pulley
  bool has_side;      // a point by which to go round a geom
  std::int32_t side_body;
  Vec side;
};

// A sum of positions or, where there are steps, a path.
struct Tendon {
  double stiffness, damping;
  Bounds rest, force;
  std::int32_t first_term, end_term;
  std::int32_t first_step, end_step;

  bool spatial() const { return first_step < end_step; }
};

// What of an actuator's law is a muscle's: its gain, its bias, or both.
struct Muscle {
  MuscleCurve gain, bias;
};

struct Actuator {
  double gear[6];
  Bounds control, force;
  double gain[3], bias[3];
  Transmission transmission;
  std::int32_t target;
  Activation dynamics;
  std::int32_t activation; // its place, where it has one
  bool early;
  double times[3]; // of the activation: of filters the first, of muscles see muscle.hpp
  Bounds activations;
  Pose<double> site; // on the body
  std::int32_t other; // body, of another site; of what presses bodies its number among such
  Pose<double> other_site;
  double rod; // between them
  std::int32_t muscle; // -1: none
  double period; // of a servo's command, where its length is an angle about any axis; else zero
  std::int32_t position, velocity; // of the hinge or slide that it pulls on; -1: something else
};

// Immutable. Bodies and joints are those of the System, which must live as long.
struct Dynamics {
  Dynamics(const System &system, const DynamicsArrays &arrays);

  // Numbers in a row of controls: generalised forces where there are no actuators.
  std::size_t control_count() const {
    return actuators.empty() ? velocity_count : actuators.size();
  }

  const System &system;
  std::size_t velocity_count, activation_count;
  bool actuated, eulerdamp;
  Vec gravity;
  Medium medium;
  std::vector<std::int32_t> root; // per body the body at the bottom of its tree
  std::vector<double> tree_masses; // per body that is a root: of all that moves there
  std::vector<Mass> masses;
  Links links;
  std::vector<Box> boxes; // per body, where there is a medium
  std::vector<FluidShape> fluid_shapes; // likewise; of these bodies nothing drags the boxes
  std::vector<JointForces> joints;
  std::vector<double> armature, damping, spring_q;
  std::vector<Tendon> tendons;
  std::vector<Term> terms;
  std::vector<PathStep> steps;
  std::vector<Actuator> actuators;
  std::vector<Muscle> muscles;
  std::vector<Follower> followers;
  std::vector<Image> images; // per degree of freedom, where there are followers
  std::vector<Fold> folds;   // per entry of `paths`, where there are followers
  Pattern paths;             // per degree of freedom what carries it; the mass matrix has entries there
  Pattern pattern;           // the same, folded: of all matrices that equations are solved with
  std::vector<std::int32_t> last_dof; // per body, of those that move it; -1: none
  std::vector<std::int32_t> lone; // free bodies that nothing hangs on with a joint
  bool any_stiffness, any_damping, any_gravity_compensation, any_joint_range; // of forces
  std::size_t adhesives = 0; // actuators that press bodies


private:
  void follow_others(const DynamicsArrays &arrays);
  void add_path(Tendon &tendon);
  void set_rests();
};

// What one thread needs for one state; sized once.
struct Workspace {
  explicit Workspace(const Dynamics &dynamics);

  // Of positions.
  std::vector<SinCos<double>> half_turns; // of the hinges' angles
  std::vector<Pose<double>> poses;
  std::vector<Mat3> rotations;
  std::vector<Spatial> motions; // per degree of freedom, at unit speed
  std::vector<Vec> points;      // per body that of its tree
  // Of bodies with joints, and what is welded to them.
  std::vector<Vec> centres; // of mass, in the world
  std::vector<Inertia> inertias, composites;
  std::vector<double> M; // in the pattern
  std::vector<double> unfolded, sum; // M and another matrix on paths, where there are followers
  std::vector<double> lengths; // of tendons
  std::vector<double> arms;    // per term: how the length changes with that velocity
  // Of velocities; per body with joints.
  std::vector<Spatial> velocities, accelerations; // those without joint accelerations; less gravity
  std::vector<Spatial> forces;
  std::vector<double> bias;
  // Of forces.
  std::vector<double> passive, gravity_compensation, motors, total, acceleration;
  std::vector<double> factor, matrix;
  std::vector<double> asked, pulls;   // per actuator: what its law says, and within its limits
  std::vector<double> speed_gains;    // per actuator: how its force grows with its speed
  std::vector<double> adhesion; // velocity_count numbers for each that presses a body
  std::vector<double> tendon_sums;
  std::vector<double> rates; // of activations
  std::vector<std::array<double, 6>> passages; // through a medium, of what moves one body
  // Of a step.
  std::vector<double> q, v, next_q, next_v, stage, next_speed, sums, mean;
};

// Poses, motions, points, inertias and the mass matrix at q.
void place(const Dynamics &dynamics, const double *q, Workspace &work);

// Velocities at v and the bias force: Coriolis, centrifugal and gravity. After `place`.
void move(const Dynamics &dynamics, const double *v, Workspace &work);

// The mass matrix on paths. After `place`.
inline const std::vector<double> &whole_mass(const Dynamics &dynamics, const Workspace &work) {
  return dynamics.followers.empty() ? work.M : work.unfolded;
}

// 6 rows of velocity_count numbers: of a point of a body, linear above angular velocity, world
// axes. After `place`.
void jacobian(const Dynamics &dynamics, const Workspace &work, std::int32_t body,
              const Vec &point, double *rows);

} // namespace phyzctl
