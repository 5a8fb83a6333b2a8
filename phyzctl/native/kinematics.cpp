// Configurations are taken several at a time, one a lane: the chain of bodies is then walked once
// for all of them, and no lane has to wait for its own last result.
#include "kinematics.hpp"

#include <algorithm>
#include <vector>

#include "trigonometry.hpp"

namespace phyzctl {
namespace {

// Some rows of q, of which the last may stand in for lanes that have none of their own.
struct Block {
  const double *rows[lanes];
  std::size_t count;

  Pack operator[](std::int32_t position) const {
    Pack values{};
    for (std::size_t i = 0; i < lanes; ++i) {
      set_lane(values, i, rows[i][position]);
    }
    return values;
  }

  // A quaternion of any length, as one of length one.
  Quat<Pack> turn(std::int32_t position) const {
    Quat<Pack> turn{};
    for (std::size_t i = 0; i < lanes; ++i) {
      const double *q = rows[i] + position;
      const Quat<double> unit = normalized({q[0], q[1], q[2], q[3]});
      set_lane(turn.w, i, unit.w);
      set_lane(turn.x, i, unit.x);
      set_lane(turn.y, i, unit.y);
      set_lane(turn.z, i, unit.z);
    }
    return turn;
  }
};

Pose<Pack> spread(const Pose<double> &pose) {
  const Pack zero{};
  return {{zero + pose.p.x, zero + pose.p.y, zero + pose.p.z},
          {zero + pose.q.w, zero + pose.q.x, zero + pose.q.y, zero + pose.q.z}};
}

// Turn the body about the joint's anchor, which stays where it is.
void turn_about_anchor(Pose<Pack> &body, const Joint &joint, const Quat<Pack> &by) {
  const Quat<Pack> before = body.q;
  body.q = before * by;
  if (joint.anchored) {
    body.p = body.p + rotate(before, joint.anchor) - rotate(body.q, joint.anchor);
  }
}

// Move the body, given in its parent, by one joint. Axis and anchor ride on earlier joints.
void move(Pose<Pack> &body, const Joint &joint, const Block &q) {
  switch (joint.type) {
  case JointType::hinge: {
    const SinCos<Pack> half = sincos(0.5 * (q[joint.position] - joint.ref));
    const Vec3<Pack> axis = scaled(half.sin, joint.axis);
    turn_about_anchor(body, joint, {half.cos, axis.x, axis.y, axis.z});
    break;
  }
  case JointType::slide:
    body.p = body.p + scaled(q[joint.position] - joint.ref, rotate(body.q, joint.axis));
    break;
  case JointType::ball:
    turn_about_anchor(body, joint, q.turn(joint.position));
    break;
  case JointType::free:
    body.p = {q[joint.position], q[joint.position + 1], q[joint.position + 2]};
    body.q = q.turn(joint.position + 3);
    break;
  case JointType::fixed:
    break;
  }
}

// One row of 7 numbers for each lane that has a configuration, `stride` numbers apart.
void write(double *row, std::size_t stride, std::size_t count, const Pose<Pack> &pose) {
  for (std::size_t i = 0; i < count; ++i, row += stride) {
    row[0] = lane(pose.p.x, i);
    row[1] = lane(pose.p.y, i);
    row[2] = lane(pose.p.z, i);
    row[3] = lane(pose.q.w, i);
    row[4] = lane(pose.q.x, i);
    row[5] = lane(pose.q.y, i);
    row[6] = lane(pose.q.z, i);
  }
}

} // namespace

void place_bodies(const System &system, const double *q, std::size_t count, Pose<Pack> *placed) {
  Block block{{}, count};
  for (std::size_t i = 0; i < lanes; ++i) {
    block.rows[i] = q + system.position_count * std::min(i, count - 1);
  }
  for (std::size_t i = 0; i < system.bodies.size(); ++i) {
    const Body &body = system.bodies[i];
    Pose<Pack> pose = spread(body.pose);
    for (std::int32_t j = body.first_joint; j < body.end_joint; ++j) {
      move(pose, system.joints[static_cast<std::size_t>(j)], block);
    }
    if (body.parent >= 0) {
      pose = placed[body.parent] * pose;
    }
    pose.q = mended(pose.q);
    placed[i] = pose;
  }
}

Pose<Pack> place_geom(const Geom &geom, const Pose<Pack> *placed) {
  return geom.body < 0 ? spread(geom.pose) : placed[geom.body] * geom.pose;
}

void kinematics(const System &system, const double *q, std::size_t count, double *bodies,
                double *geoms) {
  std::vector<Pose<Pack>> placed(system.bodies.size());
  const std::size_t body_stride = 7 * system.bodies.size(), geom_stride = 7 * system.geoms.size();
  for (std::size_t first = 0; first < count; first += lanes) {
    const std::size_t some = std::min(lanes, count - first);
    place_bodies(system, q + system.position_count * first, some, placed.data());
    for (std::size_t i = 0; i < placed.size(); ++i) {
      write(bodies + body_stride * first + 7 * i, body_stride, some, placed[i]);
    }
    for (std::size_t i = 0; geoms != nullptr && i < system.geoms.size(); ++i) {
      const Pose<Pack> pose = place_geom(system.geoms[i], placed.data());
      write(geoms + geom_stride * first + 7 * i, geom_stride, some, pose);
    }
  }
}

void matrices(const double *poses, std::size_t count, double *matrices) {
  for (std::size_t i = 0; i < count; ++i) {
    const Quat<double> q{poses[3], poses[4], poses[5], poses[6]};
    const auto x = rotate(q, Vec3<double>{1.0, 0.0, 0.0});
    const auto y = rotate(q, Vec3<double>{0.0, 1.0, 0.0});
    const auto z = rotate(q, Vec3<double>{0.0, 0.0, 1.0});
    const double rows[16] = {x.x, y.x, z.x, poses[0], //
                             x.y, y.y, z.y, poses[1], //
                             x.z, y.z, z.z, poses[2], //
                             0.0, 0.0, 0.0, 1.0};
    std::copy_n(rows, 16, matrices);
    poses += 7;
    matrices += 16;
  }
}

} // namespace phyzctl
