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

const Pose<double> origin{{0.0, 0.0, 0.0}, {1.0, 0.0, 0.0, 0.0}};
const Mat3 upright{{1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}, {0.0, 0.0, 1.0}};

// Several at a time: sines take long, but wait for nothing.
void turn_hinges(const Dynamics &dynamics, const double *q, Workspace &work) {
  const std::vector<Hinge> &hinges = dynamics.links.hinges;
  for (std::size_t k = 0; k < hinges.size(); k += lanes) {
    Pack half{};
    for (std::size_t l = 0; l < std::min(lanes, hinges.size() - k); ++l) {
      set_lane(half, l, 0.5 * (q[hinges[k + l].position] - hinges[k + l].ref));
    }
    const SinCos<Pack> turns = sincos(half);
    for (std::size_t l = 0; l < lanes; ++l) { // there is room for one that is too much
      work.half_turns[k + l] = {lane(turns.sin, l), lane(turns.cos, l)};
    }
  }
}

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
void apply(const Joint &joint, const double *q, const SinCos<double> *half, Pose<double> &body,
           Spatial *motions) {
  const double *here = q + joint.position;
  switch (joint.type) {
  case JointType::hinge: {
    const Vec axis = scaled(half->sin, joint.axis);
    motions[0].angular = rotate(body.q, joint.axis);
    motions[0].linear = turn(body, joint, {half->cos, axis.x, axis.y, axis.z});
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

void apply_all(const Dynamics &dynamics, std::size_t i, const double *q, Pose<double> &pose,
               Workspace &work) {
  const Body &body = dynamics.system.bodies[i];
  for (auto j = index(body.first_joint); j < index(body.end_joint); ++j) {
    const std::int32_t hinge = dynamics.links.hinge_of[j];
    apply(dynamics.system.joints[j], q, work.half_turns.data() + std::max(hinge, 0), pose,
          work.motions.data() + dynamics.joints[j].velocity);
  }
}

void place_body(const Dynamics &dynamics, std::size_t i, const double *q, Workspace &work) {
  const Link &link = dynamics.links.items[i];
  const bool loose = link.parent < 0;
  const Pose<double> &below = loose ? origin : work.poses[index(link.parent)];
  const Mat3 &R = loose ? upright : work.rotations[index(link.parent)];
  Pose<double> &pose = work.poses[i];
  if (link.kind == LinkKind::hinge) {
    const SinCos<double> &half = work.half_turns[index(link.source)];
    const Quat<double> &a = link.turn, &b = link.turn_on;
    const Quat<double> turn{half.cos * a.w + half.sin * b.w, half.cos * a.x + half.sin * b.x,
                            half.cos * a.y + half.sin * b.y, half.cos * a.z + half.sin * b.z};
    pose.q = mended(below.q * turn);
    work.rotations[i] = matrix(pose.q);
    const Vec at = below.p + R * link.pivot;
    pose.p = link.anchored ? at - work.rotations[i] * link.anchor : at;
    work.motions[index(link.first)] = {R * link.axis, at};
    return;
  }
  pose.q = mended(below.q * link.turn);
  pose.p = below.p + R * link.place;
  if (link.kind == LinkKind::slide) {
    const Vec axis = R * link.axis;
    pose.p = pose.p + scaled(q[link.source] - link.ref, axis);
    work.motions[index(link.first)] = {{0.0, 0.0, 0.0}, axis};
  } else if (link.kind == LinkKind::other) {
    apply_all(dynamics, i, q, pose, work);
  }
  work.rotations[i] = matrix(pose.q);
}

// The centres of mass of trees, of what moves there; the origin of the lowest body where that has
// no mass.
void find_points(const Dynamics &dynamics, Workspace &work) {
  const std::size_t count = work.poses.size();
  std::fill(work.points.begin(), work.points.end(), Vec{0.0, 0.0, 0.0});
  for (const std::int32_t mover : dynamics.links.movers) {
    const auto i = index(mover);
    const Mass &mass = dynamics.links.items[i].mass;
    work.centres[i] = work.poses[i].p + work.rotations[i] * mass.com;
    Vec &sum = work.points[index(dynamics.root[i])];
    sum = sum + scaled(mass.mass, work.centres[i]);
  }
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t root = index(dynamics.root[i]);
    if (i == root) {
      const double mass = dynamics.tree_masses[i];
      work.points[i] = mass > 0.0 ? scaled(1.0 / mass, work.points[i]) : work.poses[i].p;
    } else {
      work.points[i] = work.points[root];
    }
  }
}

void refer_body(const Dynamics &dynamics, std::size_t i, Workspace &work) {
  const Link &link = dynamics.links.items[i];
  const Vec &point = work.points[i];
  if (link.kind == LinkKind::hinge) {
    Spatial &motion = work.motions[index(link.first)];
    motion.linear = cross(motion.linear - point, motion.angular);
  } else if (link.kind == LinkKind::other) {
    const Body &body = dynamics.system.bodies[i];
    for (auto j = index(body.first_joint); j < index(body.end_joint); ++j) {
      refer(dynamics.system.joints[j], point, work.motions.data() + dynamics.joints[j].velocity);
    }
  }
  const Symmetric central = turned(work.rotations[i], link.mass.inertia);
  work.composites[i] = work.inertias[i] =
      inertia_about_point(link.mass.mass, work.centres[i] - point, central);
}

void mass_matrix(const Dynamics &dynamics, Workspace &work) {
  const std::vector<std::int32_t> &movers = dynamics.links.movers;
  double *M = (dynamics.followers.empty() ? work.M : work.unfolded).data();
  const std::size_t *start = dynamics.paths.start.data();
  const std::int32_t *columns = dynamics.paths.columns.data();
  for (std::size_t k = movers.size(); k-- > 0;) {
    const auto i = index(movers[k]);
    const Link &link = dynamics.links.items[i];
    const Inertia &carried = work.composites[i];
    if (link.below >= 0) {
      Inertia &below = work.composites[index(link.below)];
      below = below + carried;
    }
    for (auto d = index(link.first); d < index(link.end); ++d) {
      const Spatial momentum = carried * work.motions[d];
      for (std::size_t at = start[d]; at < start[d + 1]; ++at) {
        M[at] = dot(momentum, work.motions[index(columns[at])]);
      }
      M[start[d]] += dynamics.armature[d];
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
  turn_hinges(dynamics, q, work);
  for (std::size_t i = 0; i < work.poses.size(); ++i) {
    place_body(dynamics, i, q, work);
  }
  find_points(dynamics, work);
  for (const std::int32_t mover : dynamics.links.movers) {
    refer_body(dynamics, index(mover), work);
  }
  mass_matrix(dynamics, work);
  reach_tendons(dynamics, q, work);
}

void move(const Dynamics &dynamics, const double *v, Workspace &work) {
  const std::vector<std::int32_t> &movers = dynamics.links.movers;
  for (const std::int32_t mover : movers) {
    const auto i = index(mover);
    const Link &link = dynamics.links.items[i];
    Spatial velocity{}, acceleration{{}, -dynamics.gravity};
    if (link.below >= 0) {
      velocity = work.velocities[index(link.below)];
      acceleration = work.accelerations[index(link.below)];
    }
    if (link.kind == LinkKind::other) {
      const Body &body = dynamics.system.bodies[i];
      for (auto j = index(body.first_joint); j < index(body.end_joint); ++j) {
        const std::int32_t first = dynamics.joints[j].velocity;
        add_motion(dynamics.system.joints[j].type, work.motions.data() + first, v + first,
                   velocity, acceleration);
      }
    } else {
      const Spatial own = scaled(v[link.first], work.motions[index(link.first)]);
      acceleration = acceleration + cross_motion(velocity, own);
      velocity = velocity + own;
    }
    work.velocities[i] = velocity;
    work.accelerations[i] = acceleration;
    const Inertia &inertia = work.inertias[i];
    work.forces[i] = inertia * acceleration + cross_force(velocity, inertia * velocity);
  }
  for (std::size_t k = movers.size(); k-- > 0;) {
    const auto i = index(movers[k]);
    const Link &link = dynamics.links.items[i];
    if (link.below >= 0) {
      Spatial &below = work.forces[index(link.below)];
      below = below + work.forces[i];
    }
    for (auto d = index(link.first); d < index(link.end); ++d) {
      work.bias[d] = dot(work.motions[d], work.forces[i]);
    }
  }
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
