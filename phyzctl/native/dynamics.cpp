// Composite inertias and recursive Newton-Euler in world axes about one point of each tree: where
// its centre of mass passes, which is nearer to most of it than any other.
#include "dynamics.hpp"

#include <algorithm>

#include "carry.hpp"
#include "followers.hpp"
#include "tendons.hpp"
#include "trigonometry.hpp"

namespace phyzctl {
namespace {

std::size_t index(std::int32_t i) { return static_cast<std::size_t>(i); }

// Turn the body about the joint's anchor, and return where in the world that is.
Vec turn(Pose<double> &body, const Joint &joint, const Quat<double> &by) {
  const Quat<double> before = body.q;
  body.q = mended(before * by);
  if (!joint.anchored) {
    return body.p;
  }
  const Vec at = body.p + rotate(before, joint.anchor);
  body.p = at - rotate(body.q, joint.anchor);
  return at;
}

// One joint of a body: move it, and write its motions with the anchor [m, world] in place of the
// linear part of those that turn.
void apply(const Joint &joint, const double *q, Pose<double> &body, Spatial *motions) {
  const double *here = q + joint.position;
  switch (joint.type) {
  case JointType::hinge: {
    const SinCos<double> half = sincos(0.5 * (here[0] - joint.ref));
    const Vec axis = scaled(half.sin, joint.axis);
    motions[0].angular = rotate(body.q, joint.axis);
    motions[0].linear = turn(body, joint, {half.cos, axis.x, axis.y, axis.z});
    break;
  }
  case JointType::slide: {
    const Vec axis = rotate(body.q, joint.axis);
    body.p = body.p + scaled(here[0] - joint.ref, axis);
    motions[0] = {{0.0, 0.0, 0.0}, axis};
    break;
  }
  case JointType::ball: {
    const Vec at = turn(body, joint, normalized({here[0], here[1], here[2], here[3]}));
    const Mat3 R = matrix(body.q);
    for (int k = 0; k < 3; ++k) {
      motions[k] = {column(R, k), at};
    }
    break;
  }
  case JointType::free: {
    body.p = {here[0], here[1], here[2]};
    body.q = normalized({here[3], here[4], here[5], here[6]});
    const Mat3 R = matrix(body.q);
    motions[0] = {{}, {1.0, 0.0, 0.0}};
    motions[1] = {{}, {0.0, 1.0, 0.0}};
    motions[2] = {{}, {0.0, 0.0, 1.0}};
    for (int k = 0; k < 3; ++k) {
      motions[3 + k] = {column(R, k), body.p};
    }
    break;
  }
  case JointType::fixed:
    break;
  }
}

// Anchors of the motions that turn become velocities at the tree's point.
void refer(const Joint &joint, const Vec &point, Spatial *motions) {
  const std::int32_t count = velocity_count(joint.type);
  const std::int32_t first = joint.type == JointType::free ? 3 : 0;
  for (std::int32_t k = joint.type == JointType::slide ? count : first; k < count; ++k) {
    motions[k].linear = cross(motions[k].linear - point, motions[k].angular);
  }
}

void place_body(const Dynamics &dynamics, std::size_t i, const double *q, Workspace &work) {
  const Body &body = dynamics.system.bodies[i];
  Pose<double> pose = body.pose;
  if (body.parent >= 0) {
    pose = work.poses[index(body.parent)] * pose;
    pose.q = mended(pose.q);
  }
  for (auto j = index(body.first_joint); j < index(body.end_joint); ++j) {
    const Joint &joint = dynamics.system.joints[j];
    apply(joint, q, pose, work.motions.data() + dynamics.joints[j].velocity);
  }
  work.poses[i] = pose;
  work.centres[i] = pose.p + rotate(pose.q, dynamics.masses[i].com);
}

// The centres of mass of trees; the origin of the lowest body where there is no mass.
void find_points(const Dynamics &dynamics, Workspace &work) {
  const std::size_t count = work.poses.size();
  for (std::size_t i = 0; i < count; ++i) {
    work.points[i] = {0.0, 0.0, 0.0};
    work.tree_masses[i] = 0.0;
    const std::size_t root = index(dynamics.root[i]);
    const double mass = dynamics.masses[i].mass;
    work.points[root] = work.points[root] + scaled(mass, work.centres[i]);
    work.tree_masses[root] += mass;
  }
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t root = index(dynamics.root[i]);
    if (i == root) {
      const double mass = work.tree_masses[i];
      work.points[i] = mass > 0.0 ? scaled(1.0 / mass, work.points[i]) : work.poses[i].p;
    } else {
      work.points[i] = work.points[root];
    }
  }
}

void refer_body(const Dynamics &dynamics, std::size_t i, Workspace &work) {
  const Body &body = dynamics.system.bodies[i];
  const Vec &point = work.points[i];
  for (auto j = index(body.first_joint); j < index(body.end_joint); ++j) {
    const Joint &joint = dynamics.system.joints[j];
    refer(joint, point, work.motions.data() + dynamics.joints[j].velocity);
  }
  const Mass &mass = dynamics.masses[i];
  const Symmetric central = turned(matrix(work.poses[i].q), mass.inertia);
  work.inertias[i] = inertia_about_point(mass.mass, work.centres[i] - point, central);
}

void mass_matrix(const Dynamics &dynamics, Workspace &work) {
  const System &system = dynamics.system;
  std::vector<double> &M = dynamics.followers.empty() ? work.M : work.unfolded;
  work.composites = work.inertias; // of the same size: nothing is allocated
  for (std::size_t i = system.bodies.size(); i-- > 0;) {
    const Body &body = system.bodies[i];
    if (body.parent >= 0) {
      Inertia &below = work.composites[index(body.parent)];
      below = below + work.composites[i];
    }
    if (body.first_joint == body.end_joint) {
      continue;
    }
    const auto first = index(dynamics.joints[index(body.first_joint)].velocity);
    const auto end = static_cast<std::size_t>(dynamics.last_dof[i] + 1);
    for (std::size_t d = first; d < end; ++d) {
      const Spatial momentum = work.composites[i] * work.motions[d];
      for (std::size_t at = dynamics.paths.start[d]; at < dynamics.paths.start[d + 1]; ++at) {
        M[at] = dot(momentum, work.motions[index(dynamics.paths.columns[at])]);
      }
      M[dynamics.paths.start[d]] += dynamics.armature[d];
    }
  }
  if (!dynamics.followers.empty()) {
    fold(dynamics, work.unfolded, work.M);
  }
}

// What a joint's motions add to velocity and to acceleration.
void add_motion(JointType type, const Spatial *motions, const double *v, Spatial &velocity,
                Spatial &acceleration) {
  std::int32_t k = 0;
  if (type == JointType::free) { // its first motions keep to the world's axes
    velocity.linear = velocity.linear + Vec{v[0], v[1], v[2]};
    k = 3;
  }
  Spatial own{};
  for (; k < velocity_count(type); ++k) {
    own = own + scaled(v[k], motions[k]);
  }
  // Motions of one joint ride on all of it; of their own sum they are turned by nothing.
  acceleration = acceleration + cross_motion(velocity, own);
  velocity = velocity + own;
}

} // namespace

void place(const Dynamics &dynamics, const double *q, Workspace &work) {
  for (std::size_t i = 0; i < dynamics.system.bodies.size(); ++i) {
    place_body(dynamics, i, q, work);
  }
  find_points(dynamics, work);
  for (std::size_t i = 0; i < dynamics.system.bodies.size(); ++i) {
    refer_body(dynamics, i, work);
  }
  mass_matrix(dynamics, work);
  reach_tendons(dynamics, q, work);
}

void move(const Dynamics &dynamics, const double *v, Workspace &work) {
  const System &system = dynamics.system;
  for (std::size_t i = 0; i < system.bodies.size(); ++i) {
    const Body &body = system.bodies[i];
    Spatial velocity{}, acceleration{{}, -dynamics.gravity};
    if (body.parent >= 0) {
      velocity = work.velocities[index(body.parent)];
      acceleration = work.accelerations[index(body.parent)];
    }
    for (auto j = index(body.first_joint); j < index(body.end_joint); ++j) {
      const std::int32_t first = dynamics.joints[j].velocity;
      add_motion(system.joints[j].type, work.motions.data() + first, v + first, velocity,
                 acceleration);
    }
    work.velocities[i] = velocity;
    work.accelerations[i] = acceleration;
  }
  for (std::size_t i = 0; i < system.bodies.size(); ++i) {
    const Spatial momentum = work.inertias[i] * work.velocities[i];
    work.forces[i] =
        work.inertias[i] * work.accelerations[i] + cross_force(work.velocities[i], momentum);
  }
  carry_forces(dynamics, work,
               [&](std::size_t, std::size_t d, double force) { work.bias[d] = force; });
}

void jacobian(const Dynamics &dynamics, const Workspace &work, std::int32_t body,
              const Vec &point, double *rows) {
  const std::size_t size = dynamics.velocity_count;
  std::fill_n(rows, 6 * size, 0.0);
  const std::int32_t last = body < 0 ? -1 : dynamics.last_dof[index(body)];
  if (last < 0) {
    return;
  }
  const Vec arm = point - work.points[index(body)];
  const Pattern &paths = dynamics.paths;
  for (std::size_t at = paths.start[index(last)]; at < paths.start[index(last) + 1]; ++at) {
    const auto d = index(paths.columns[at]);
    const Vec &angular = work.motions[d].angular;
    const Vec linear = work.motions[d].linear + cross(angular, arm);
    const double entries[6] = {linear.x, linear.y, linear.z, angular.x, angular.y, angular.z};
    for (std::size_t row = 0; row < 6; ++row) {
      rows[row * size + d] = entries[row];
    }
  }
}

} // namespace phyzctl
