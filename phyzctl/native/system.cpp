#include "system.hpp"

namespace phyzctl {
namespace {

Vec3<double> vec(const double *row) { return {row[0], row[1], row[2]}; }
Quat<double> quat(const double *row) { return {row[0], row[1], row[2], row[3]}; }
bool nonzero(Vec3<double> v) { return v.x != 0.0 || v.y != 0.0 || v.z != 0.0; }

SystemCheck check_bodies(const SystemArrays &arrays) {
  const auto joint_count = static_cast<std::int32_t>(arrays.joint_count);
  if (arrays.joint_start[0] != 0 || arrays.joint_start[arrays.body_count] != joint_count) {
    return {SystemStatus::joint_start, 0};
  }
  for (std::size_t i = 0; i < arrays.body_count; ++i) {
    if (arrays.body_parent[i] < -1 || arrays.body_parent[i] >= static_cast<std::int32_t>(i)) {
      return {SystemStatus::body_parent, i};
    }
    if (arrays.joint_start[i] > arrays.joint_start[i + 1]) {
      return {SystemStatus::joint_start, i};
    }
  }
  return {};
}

SystemCheck check_joints(const SystemArrays &arrays) {
  const auto positions = static_cast<std::int64_t>(arrays.position_count);
  for (std::size_t j = 0; j < arrays.joint_count; ++j) {
    if (arrays.joint_type[j] < 0 || arrays.joint_type[j] > 4) {
      return {SystemStatus::joint_type, j};
    }
    const std::int64_t start = arrays.joint_position[j];
    const auto type = static_cast<JointType>(arrays.joint_type[j]);
    if (start < 0 || start + position_count(type) > positions) {
      return {SystemStatus::joint_position, j};
    }
  }
  return {};
}

SystemCheck check_geoms(const SystemArrays &arrays) {
  for (std::size_t g = 0; g < arrays.geom_count; ++g) {
    if (arrays.geom_body[g] < -1 ||
        arrays.geom_body[g] >= static_cast<std::int32_t>(arrays.body_count)) {
      return {SystemStatus::geom_body, g};
    }
  }
  return {};
}

} // namespace

SystemCheck check(const SystemArrays &arrays) {
  for (const auto part : {check_bodies, check_joints, check_geoms}) {
    const SystemCheck result = part(arrays);
    if (result.status != SystemStatus::ok) {
      return result;
    }
  }
  return {};
}

System::System(const SystemArrays &arrays) : position_count(arrays.position_count) {
  bodies.reserve(arrays.body_count);
  for (std::size_t i = 0; i < arrays.body_count; ++i) {
    const Pose<double> pose{vec(arrays.body_pos + 3 * i), normalized(quat(arrays.body_quat + 4 * i))};
    bodies.push_back({pose, arrays.body_parent[i], arrays.joint_start[i], arrays.joint_start[i + 1]});
  }
  joints.reserve(arrays.joint_count);
  for (std::size_t j = 0; j < arrays.joint_count; ++j) {
    const Vec3<double> anchor = vec(arrays.joint_anchor + 3 * j);
    joints.push_back({vec(arrays.joint_axis + 3 * j), anchor, arrays.joint_ref[j],
                      arrays.joint_position[j], static_cast<JointType>(arrays.joint_type[j]),
                      nonzero(anchor)});
  }
  geoms.reserve(arrays.geom_count);
  for (std::size_t g = 0; g < arrays.geom_count; ++g) {
    const Pose<double> pose{vec(arrays.geom_pos + 3 * g), normalized(quat(arrays.geom_quat + 4 * g))};
    geoms.push_back({pose, arrays.geom_body[g]});
  }
}

} // namespace phyzctl
