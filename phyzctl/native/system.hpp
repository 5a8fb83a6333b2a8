// A System: what the loops need of a robot, copied once, checked once, never changed.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "rotation.hpp"

namespace phyzctl {

enum class JointType : std::int32_t { free = 0, ball = 1, slide = 2, hinge = 3, fixed = 4 };

// How many position coordinates a joint has.
constexpr std::int32_t position_count(JointType type) {
  return type == JointType::free ? 7 : type == JointType::ball ? 4 : type == JointType::fixed ? 0 : 1;
}

// How many degrees of freedom.
constexpr std::int32_t velocity_count(JointType type) {
  return type == JointType::free    ? 6
         : type == JointType::ball  ? 3
         : type == JointType::fixed ? 0
                                    : 1;
}

// Flat arrays, row by row, as phyzctl.native.System describes them.
struct SystemArrays {
  std::size_t body_count, joint_count, geom_count, position_count;
  const std::int32_t *body_parent;
  const double *body_pos, *body_quat;
  const std::int32_t *joint_start, *joint_type;
  const double *joint_axis, *joint_anchor, *joint_ref;
  const std::int32_t *joint_position;
  const std::int32_t *geom_body;
  const double *geom_pos, *geom_quat;
};

enum class SystemStatus { ok, body_parent, joint_start, joint_type, joint_position, geom_body };

// The first array with an index out of range, and where in it.
struct SystemCheck {
  SystemStatus status = SystemStatus::ok;
  std::size_t index = 0;
};

SystemCheck check(const SystemArrays &arrays);

struct Body {
  Pose<double> pose; // in the parent, at the reference position
  std::int32_t parent;
  std::int32_t first_joint, end_joint;
};

struct Joint {
  Vec3<double> axis, anchor; // in the body, at the reference position
  double ref;
  std::int32_t position; // where its coordinates start
  JointType type;
  bool anchored; // the anchor is not the body's origin
};

struct Geom {
  Pose<double> pose; // in the body
  std::int32_t body;
};

struct System {
  explicit System(const SystemArrays &arrays); // of arrays that passed the check

  std::vector<Body> bodies; // parents first
  std::vector<Joint> joints;
  std::vector<Geom> geoms;
  std::size_t position_count;
};

} // namespace phyzctl
