// Forces on bodies become forces on the degrees of freedom that move them.
#pragma once

#include "dynamics.hpp"

namespace phyzctl {

// work.forces, about the points of trees, become those on each body and all that it carries;
// add(joint, d, force) takes what that does to each degree of freedom.
template <class Add>
void carry_forces(const Dynamics &dynamics, Workspace &work, Add add) {
  const System &system = dynamics.system;
  for (std::size_t i = system.bodies.size(); i-- > 0;) {
    const Body &body = system.bodies[i];
    if (body.parent >= 0) {
      Spatial &below = work.forces[static_cast<std::size_t>(body.parent)];
      below = below + work.forces[i];
    }
    for (std::int32_t j = body.first_joint; j < body.end_joint; ++j) {
      const auto joint = static_cast<std::size_t>(j);
      const auto first = static_cast<std::size_t>(dynamics.joints[joint].velocity);
      const auto count = static_cast<std::size_t>(velocity_count(system.joints[joint].type));
      for (std::size_t d = first; d < first + count; ++d) {
        add(joint, d, dot(work.motions[d], work.forces[i]));
      }
    }
  }
}

// From its tree's point to a body's own centre of mass.
inline Vec centre_from_point(const Dynamics &dynamics, const Workspace &work, std::size_t body) {
  return work.poses[body].p + work.rotations[body] * dynamics.masses[body].com - work.points[body];
}

// What a force and a torque at a body's centre of mass, world axes, are about its tree's point.
inline Spatial about_point(const Dynamics &dynamics, const Workspace &work, std::size_t body,
                           const Vec &force, const Vec &torque) {
  return {torque + cross(centre_from_point(dynamics, work, body), force), force};
}

} // namespace phyzctl
