// Whether arrays describe a Dynamics: all that its loops rely on.
#include <algorithm>

#include "dynamics.hpp"

namespace phyzctl {
namespace {

// A free joint's coordinates are those of the world: nothing may carry it.
bool stands_alone(const System &system, std::size_t joint) {
  const auto number = static_cast<std::int32_t>(joint);
  return std::any_of(system.bodies.begin(), system.bodies.end(), [number](const Body &body) {
    return body.parent < 0 && body.first_joint == number && body.end_joint == number + 1;
  });
}

DynamicsCheck check_joints(const System &system, const DynamicsArrays &arrays) {
  std::int64_t next = 0;
  for (std::size_t j = 0; j < system.joints.size(); ++j) {
    if (arrays.joint_velocity[j] != next) {
      return {DynamicsStatus::joint_velocity, j};
    }
    if (system.joints[j].type == JointType::free && !stands_alone(system, j)) {
      return {DynamicsStatus::free_joint, j};
    }
    next += velocity_count(system.joints[j].type);
  }
  if (next != static_cast<std::int64_t>(arrays.velocity_count)) {
    return {DynamicsStatus::joint_velocity, system.joints.size()};
  }
  return {};
}

// Where `starts` don't divide `total` items among `parts` in order; beyond all of them where they do.
std::size_t first_fault(const std::int32_t *starts, std::size_t parts, std::size_t total) {
  std::int64_t last = 0;
  for (std::size_t t = 0; t <= parts; ++t) {
    const bool outer = t == 0 || t == parts;
    const std::int64_t end = t == 0 ? 0 : static_cast<std::int64_t>(total);
    if (starts[t] < last || starts[t] > end || (outer && starts[t] != end)) {
      return t;
    }
    last = starts[t];
  }
  return parts + 1;
}

DynamicsCheck check_tendons(const System &system, const DynamicsArrays &arrays) {
  const std::size_t parts = arrays.tendon_count;
  const std::size_t fault = first_fault(arrays.tendon_start, parts, arrays.term_count);
  if (fault <= parts) {
    return {DynamicsStatus::tendon_start, fault};
  }
  for (std::size_t k = 0; k < arrays.term_count; ++k) {
    const std::int32_t j = arrays.term_joint[k];
    if (j < 0 || j >= static_cast<std::int32_t>(system.joints.size()) ||
        velocity_count(system.joints[static_cast<std::size_t>(j)].type) != 1) {
      return {DynamicsStatus::term_joint, k};
    }
  }
  return {};
}

// A path begins and ends with a site, on either side of a pulley too, and has sites around geoms.
bool leads_on(const DynamicsArrays &arrays, std::int64_t first, std::int64_t end) {
  const auto kind = [&](std::int64_t s) {
    return static_cast<PathKind>(s < first || s >= end ? 3 : arrays.step_body[3 * s]);
  };
  for (std::int64_t s = first; s < end; ++s) {
    const bool between = kind(s - 1) == PathKind::site && kind(s + 1) == PathKind::site;
    const bool geom = kind(s) == PathKind::sphere || kind(s) == PathKind::cylinder;
    const bool alone = kind(s) == PathKind::site && kind(s - 1) == PathKind::pulley &&
                       kind(s + 1) == PathKind::pulley;
    if (alone || (geom && !between)) {
      return false;
    }
  }
  return true;
}

DynamicsCheck check_paths(const System &system, const DynamicsArrays &arrays) {
  const auto bodies = static_cast<std::int32_t>(system.bodies.size());
  const std::size_t parts = arrays.tendon_count;
  const std::size_t fault = first_fault(arrays.step_start, parts, arrays.step_count);
  if (fault <= parts) {
    return {DynamicsStatus::step, fault};
  }
  for (std::size_t s = 0; s < arrays.step_count; ++s) {
    const std::int32_t *step = arrays.step_body + 3 * s;
    if (step[0] < 0 || step[0] > 3 || step[1] < -1 || step[1] >= bodies || step[2] < -2 ||
        step[2] >= bodies) {
      return {DynamicsStatus::step, s};
    }
  }
  for (std::size_t t = 0; t < arrays.tendon_count; ++t) {
    const bool summed = arrays.tendon_start[t] < arrays.tendon_start[t + 1];
    if (!leads_on(arrays, arrays.step_start[t], arrays.step_start[t + 1]) ||
        (summed && arrays.step_start[t] < arrays.step_start[t + 1])) {
      return {DynamicsStatus::step, t};
    }
  }
  return {};
}

DynamicsCheck check_actuators(const System &system, const DynamicsArrays &arrays) {
  for (std::size_t a = 0; a < arrays.actuator_count; ++a) {
    const std::int32_t *target = arrays.actuator_target + 3 * a;
    if (target[0] < 0 || target[0] > 7) {
      return {DynamicsStatus::transmission, a};
    }
    const auto pulls = static_cast<Transmission>(target[0]);
    const bool on_sites = pulls == Transmission::site || pulls == Transmission::site_pair ||
                          pulls == Transmission::slider_crank;
    const bool on_bodies = on_sites || pulls == Transmission::body;
    const std::size_t count = pulls == Transmission::tendon ? arrays.tendon_count
                              : on_bodies                   ? system.bodies.size()
                                                            : system.joints.size();
    const auto exists = [&](std::int32_t i) {
      return i >= (on_sites ? -1 : 0) && i < static_cast<std::int32_t>(count);
    };
    if (pulls != Transmission::none &&
        (!exists(target[1]) || (on_sites && !exists(target[2])))) {
      return {DynamicsStatus::actuator_target, a};
    }
    const std::int32_t *own = arrays.actuator_activation + 3 * a;
    const bool acts =
        own[1] >= 0 && own[1] < static_cast<std::int32_t>(arrays.activation_count);
    if (own[0] < 0 || own[0] > 5 || (own[0] > 0 && !acts)) {
      return {DynamicsStatus::actuator_activation, a};
    }
  }
  return {};
}

// Hinges and slides, each once; what they follow follows nothing.
DynamicsCheck check_followers(const System &system, const DynamicsArrays &arrays) {
  std::vector<bool> follows(system.joints.size());
  const auto single = [&](std::int32_t j) {
    return j >= 0 && j < static_cast<std::int32_t>(system.joints.size()) &&
           velocity_count(system.joints[static_cast<std::size_t>(j)].type) == 1;
  };
  for (std::size_t f = 0; f < arrays.follower_count; ++f) {
    const std::int32_t j = arrays.follower_joint[2 * f];
    if (!single(j) || follows[static_cast<std::size_t>(j)]) {
      return {DynamicsStatus::follower, f};
    }
    follows[static_cast<std::size_t>(j)] = true;
  }
  for (std::size_t f = 0; f < arrays.follower_count; ++f) {
    const std::int32_t leader = arrays.follower_joint[2 * f + 1];
    if (leader != -1 && (!single(leader) || follows[static_cast<std::size_t>(leader)])) {
      return {DynamicsStatus::follower, f};
    }
  }
  return {};
}

DynamicsCheck check_shapes(const System &system, const DynamicsArrays &arrays) {
  for (std::size_t s = 0; s < arrays.shape_count; ++s) {
    const std::int32_t body = arrays.shape_body[s];
    if (body < 0 || body >= static_cast<std::int32_t>(system.bodies.size())) {
      return {DynamicsStatus::shape, s};
    }
  }
  return {};
}

} // namespace

DynamicsCheck check(const System &system, const DynamicsArrays &arrays) {
  for (const auto part : {check_joints, check_tendons, check_paths, check_actuators, check_followers,
                          check_shapes}) {
    const DynamicsCheck result = part(system, arrays);
    if (result.status != DynamicsStatus::ok) {
      return result;
    }
  }
  return {};
}

} // namespace phyzctl
