// Configurations are taken in blocks: the chain of bodies is walked once for all of them, and each
// step is done to all packs of a block before the next.
#include "kinematics.hpp"

#include <algorithm>
#include <vector>

#include "trigonometry.hpp"

namespace phyzctl {
namespace {

// Some rows of q, of which the last may stand in for lanes that have none of their own.
struct Block {
  const double *rows[block];
  std::size_t packs; // that have a row

  Block(const double *q, std::size_t stride, std::size_t count)
      : packs((count + lanes - 1) / lanes) {
    for (std::size_t i = 0; i < block; ++i) {
      rows[i] = q + stride * std::min(i, count - 1);
    }
  }

  Pack get(std::size_t pack, std::int32_t position) const {
    Pack values{};
    for (std::size_t i = 0; i < lanes; ++i) {
      set_lane(values, i, rows[pack * lanes + i][position]);
    }
    return values;
  }

  // A quaternion of any length, as one of length one.
  Quat<Pack> turn(std::size_t pack, std::int32_t position) const {
    Quat<Pack> turn{};
    for (std::size_t i = 0; i < lanes; ++i) {
      const double *q = rows[pack * lanes + i] + position;
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

void turn_by_hinge(BlockPose &body, const Joint &joint, const Block &q) {
  Quat<Pack> turns[packs];
  for (std::size_t k = 0; k < q.packs; ++k) {
    const SinCos<Pack> half = sincos(0.5 * (q.get(k, joint.position) - joint.ref));
    const Vec3<Pack> axis = scaled(half.sin, joint.axis);
    turns[k] = {half.cos, axis.x, axis.y, axis.z};
  }
  for (std::size_t k = 0; k < q.packs; ++k) {
    turn_about_anchor(body.pack[k], joint, turns[k]);
  }
}

// Move the body, given in its parent, by one joint. Axis and anchor ride on earlier joints.
void move(BlockPose &body, const Joint &joint, const Block &q) {
  if (joint.type == JointType::hinge) {
    turn_by_hinge(body, joint, q);
    return;
  }
  for (std::size_t k = 0; k < q.packs; ++k) {
    Pose<Pack> &pose = body.pack[k];
    const std::int32_t at = joint.position;
    switch (joint.type) {
    case JointType::slide:
      pose.p = pose.p + scaled(q.get(k, at) - joint.ref, rotate(pose.q, joint.axis));
      break;
    case JointType::ball:
      turn_about_anchor(pose, joint, q.turn(k, at));
      break;
    case JointType::free:
      pose.p = {q.get(k, at), q.get(k, at + 1), q.get(k, at + 2)};
      pose.q = q.turn(k, at + 3);
      break;
    default:
      break;
    }
  }
}

// Rows of 7 numbers, `stride` numbers apart, one a configuration.
void write(double *row, std::size_t stride, std::size_t count, const BlockPose &poses) {
  for (std::size_t i = 0; i < count; ++i, row += stride) {
    const Pose<double> pose = poses.of(i);
    const double numbers[7] = {pose.p.x, pose.p.y, pose.p.z, pose.q.w,
                               pose.q.x, pose.q.y, pose.q.z};
    std::copy_n(numbers, 7, row);
  }
}

BlockPose place_geom(const Geom &geom, const BlockPose *placed) {
  BlockPose result;
  for (std::size_t k = 0; k < packs; ++k) {
    result.pack[k] = geom.body < 0 ? spread(geom.pose) : placed[geom.body].pack[k] * geom.pose;
  }
  return result;
}

} // namespace

void place_bodies(const System &system, const double *q, std::size_t count, BlockPose *placed) {
  const Block rows(q, system.position_count, count);
  for (std::size_t i = 0; i < system.bodies.size(); ++i) {
    const Body &body = system.bodies[i];
    BlockPose &poses = placed[i];
    std::fill_n(poses.pack, rows.packs, spread(body.pose));
    for (std::int32_t j = body.first_joint; j < body.end_joint; ++j) {
      move(poses, system.joints[static_cast<std::size_t>(j)], rows);
    }
    for (std::size_t k = 0; k < rows.packs; ++k) {
      Pose<Pack> &pose = poses.pack[k];
      if (body.parent >= 0) {
        pose = placed[body.parent].pack[k] * pose;
      }
      pose.q = mended(pose.q);
    }
  }
}

void kinematics(const System &system, const double *q, std::size_t count, double *bodies,
                double *geoms) {
  std::vector<BlockPose> placed(system.bodies.size());
  const std::size_t body_stride = 7 * system.bodies.size(), geom_stride = 7 * system.geoms.size();
  for (std::size_t first = 0; first < count; first += block) {
    const std::size_t some = std::min(block, count - first);
    place_bodies(system, q + system.position_count * first, some, placed.data());
    for (std::size_t i = 0; i < placed.size(); ++i) {
      write(bodies + body_stride * first + 7 * i, body_stride, some, placed[i]);
    }
    for (std::size_t i = 0; geoms != nullptr && i < system.geoms.size(); ++i) {
      write(geoms + geom_stride * first + 7 * i, geom_stride, some,
            place_geom(system.geoms[i], placed.data()));
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
