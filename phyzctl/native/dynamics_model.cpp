#include <algorithm>
#include <functional>
#include <set>

#include "dynamics.hpp"
#include "followers.hpp"
#include "medium.hpp"
#include "rows_columns.hpp"

namespace phyzctl {
namespace {

Vec vec(const double *row) { return {row[0], row[1], row[2]}; }

// Per degree of freedom the one that carries it, -1 for none.
std::vector<std::int32_t> carriers(const System &system, std::vector<std::int32_t> &last_dof) {
  std::vector<std::int32_t> parents;
  for (const Body &body : system.bodies) {
    std::int32_t last = body.parent < 0 ? -1 : last_dof[static_cast<std::size_t>(body.parent)];
    for (std::int32_t j = body.first_joint; j < body.end_joint; ++j) {
      const JointType type = system.joints[static_cast<std::size_t>(j)].type;
      for (std::int32_t k = 0; k < velocity_count(type); ++k) {
        parents.push_back(last);
        last = static_cast<std::int32_t>(parents.size()) - 1;
      }
    }
    last_dof.push_back(last);
  }
  return parents;
}

// Bodies that one free joint ties to the world, and that carry no other degree of freedom.
std::vector<std::int32_t> lone_bodies(const System &system,
                                      const std::vector<std::int32_t> &parents,
                                      const std::vector<JointForces> &joints) {
  std::vector<std::int32_t> lone;
  for (std::size_t i = 0; i < system.bodies.size(); ++i) {
    const Body &body = system.bodies[i];
    const auto j = static_cast<std::size_t>(body.first_joint);
    if (body.end_joint != body.first_joint + 1 || system.joints[j].type != JointType::free) {
      continue;
    }
    const std::int32_t first = joints[j].velocity;
    const bool carries =
        std::find(parents.begin(), parents.end(), first + 5) != parents.end();
    if (!carries && parents[static_cast<std::size_t>(first)] < 0) {
      lone.push_back(static_cast<std::int32_t>(i));
    }
  }
  return lone;
}

Mass mass(const double *row) {
  return {row[0], vec(row + 1), {row[4], row[8], row[12], row[5], row[6], row[9]}, row[13]};
}

Pose<double> pose(const double *row) {
  return {vec(row), normalized({row[3], row[4], row[5], row[6]})};
}

PathStep path_step(const std::int32_t *body, const double *frame) {
  return {static_cast<PathKind>(body[0]), body[1], pose(frame), frame[7], body[2] != -2, body[2],
          vec(frame + 8)};
}

// A servo that turns a ball, or a site against another, goes the shorter way round: by MuJoCo's rule
// where its force grows with the command as it falls with the length.
double period(const Actuator &actuator, const System &system) {
  const bool servo = actuator.gain[0] != 0.0 && actuator.gain[0] == -actuator.bias[1] &&
                     actuator.gain[1] == 0.0 && actuator.gain[2] == 0.0;
  const bool on_joint = actuator.transmission == Transmission::joint ||
                        actuator.transmission == Transmission::joint_in_parent;
  const bool ball =
      on_joint && system.joints[static_cast<std::size_t>(actuator.target)].type == JointType::ball;
  const double *gear = actuator.gear;
  const bool turns = actuator.transmission == Transmission::site_pair && gear[0] == 0.0 &&
                     gear[1] == 0.0 && gear[2] == 0.0;
  constexpr double turn = 6.28318530717958647693;
  return servo && (ball || turns) ? turn * length(vec(ball ? gear : gear + 3)) : 0.0;
}

// Most actuators pull on a joint of one degree of freedom.
void find_joint(const System &system, const std::vector<JointForces> &joints, Actuator &actuator) {
  actuator.position = actuator.velocity = -1;
  if (actuator.transmission == Transmission::joint ||
      actuator.transmission == Transmission::joint_in_parent) {
    const auto number = static_cast<std::size_t>(actuator.target);
    const Joint &joint = system.joints[number];
    if (joint.type == JointType::hinge || joint.type == JointType::slide) {
      actuator.position = joint.position;
      actuator.velocity = joints[number].velocity;
    }
  }
}

Actuator actuator(const System &system, const double *row, const std::int32_t *target,
                  const std::int32_t *own) {
  Actuator result{};
  std::copy_n(row, 6, result.gear);
  result.control = {row[6], row[7]};
  result.force = {row[8], row[9]};
  std::copy_n(row + 10, 3, result.gain);
  std::copy_n(row + 13, 3, result.bias);
  result.transmission = static_cast<Transmission>(target[0]);
  result.target = target[1];
  result.dynamics = static_cast<Activation>(own[0]);
  result.activation = own[1];
  result.early = own[2] != 0;
  std::copy_n(row + 16, 3, result.times);
  result.activations = {row[19], row[20]};
  result.site = pose(row + 21);
  result.other = target[2];
  result.other_site = pose(row + 28);
  result.rod = row[35];
  result.muscle = -1;
  result.period = period(result, system);
  return result;
}

} // namespace

Dynamics::Dynamics(const System &of, const DynamicsArrays &arrays)
    : system(of), velocity_count(arrays.velocity_count),
      activation_count(arrays.activation_count), actuated(arrays.actuated),
      eulerdamp(arrays.eulerdamp), gravity(vec(arrays.gravity)),
      medium{arrays.medium[0], arrays.medium[1], vec(arrays.medium + 2)},
      spring_q(arrays.spring_q, arrays.spring_q + of.position_count), paths({}), pattern({}) {
  for (std::size_t i = 0; i < system.bodies.size(); ++i) {
    const std::int32_t parent = system.bodies[i].parent;
    root.push_back(parent < 0 ? static_cast<std::int32_t>(i)
                              : root[static_cast<std::size_t>(parent)]);
    masses.push_back(mass(arrays.bodies + 18 * i));
    if (medium.exists()) {
      const double *turn = arrays.bodies + 18 * i + 14;
      boxes.push_back(drag_box(medium, masses.back(), {turn[0], turn[1], turn[2], turn[3]}));
    }
  }
  for (std::size_t s = 0; s < arrays.shape_count && medium.exists(); ++s) {
    fluid_shapes.push_back(FluidShape::of(arrays.shape_body[s], arrays.shapes + 21 * s));
    std::fill_n(boxes[static_cast<std::size_t>(arrays.shape_body[s])].drags, 6, Drag{});
  }
  for (std::size_t j = 0; j < system.joints.size(); ++j) {
    const double *row = arrays.joints + 4 * j;
    joints.push_back({row[0], {row[1], row[2]}, row[3] != 0.0, arrays.joint_velocity[j]});
  }
  for (std::size_t d = 0; d < velocity_count; ++d) {
    armature.push_back(arrays.dofs[2 * d]);
    damping.push_back(arrays.dofs[2 * d + 1]);
  }
  for (std::size_t k = 0; k < arrays.term_count; ++k) {
    const auto j = static_cast<std::size_t>(arrays.term_joint[k]);
    terms.push_back({system.joints[j].position, joints[j].velocity, arrays.term_coefficient[k]});
  }
  for (std::size_t t = 0; t < arrays.tendon_count; ++t) {
    const double *row = arrays.tendons + 6 * t;
    tendons.push_back({row[0], row[1], {row[2], row[3]}, {row[4], row[5]},
                       arrays.tendon_start[t], arrays.tendon_start[t + 1],
                       arrays.step_start[t], arrays.step_start[t + 1]});
  }
  for (std::size_t s = 0; s < arrays.step_count; ++s) {
    steps.push_back(path_step(arrays.step_body + 3 * s, arrays.step_frame + 11 * s));
  }
  for (std::size_t a = 0; a < arrays.actuator_count; ++a) {
    const double *row = arrays.actuators + 52 * a;
    actuators.push_back(actuator(system, row, arrays.actuator_target + 3 * a,
                                 arrays.actuator_activation + 3 * a));
    find_joint(system, joints, actuators.back());
    const Muscle muscle{MuscleCurve::of(row + 36), MuscleCurve::of(row + 44)};
    if (muscle.gain.force != 0.0 || muscle.bias.force != 0.0) {
      actuators.back().muscle = static_cast<std::int32_t>(muscles.size());
      muscles.push_back(muscle);
    }
    if (actuators.back().transmission == Transmission::body) {
      actuators.back().other = static_cast<std::int32_t>(adhesives++);
    }
  }
  std::vector<std::int32_t> velocities;
  for (const JointForces &joint : joints) {
    velocities.push_back(joint.velocity);
  }
  links = Links(system, masses, velocities);
  tree_masses.resize(system.bodies.size());
  for (const std::int32_t mover : links.movers) {
    const auto i = static_cast<std::size_t>(mover);
    tree_masses[static_cast<std::size_t>(root[i])] += links.items[i].mass.mass;
  }
  const std::vector<std::int32_t> parents = carriers(system, last_dof);
  paths = pattern = Pattern(parents);
  follow_others(arrays);
  for (Tendon &tendon : tendons) {
    add_path(tendon);
  }
  lone = lone_bodies(system, parents, joints);
  const auto stiff = [](const auto &each) { return each.stiffness != 0.0; };
  any_stiffness = std::any_of(joints.begin(), joints.end(), stiff);
  any_damping = std::any_of(damping.begin(), damping.end(), [](double d) { return d != 0.0; });
  any_gravity_compensation = std::any_of(masses.begin(), masses.end(), [](const Mass &each) {
    return each.gravity_compensation != 0.0;
  });
  any_joint_range = std::any_of(joints.begin(), joints.end(),
                                [](const JointForces &each) { return each.force.finite(); });
  set_rests();
}

// All that moves one of its places is a term of a path.
void Dynamics::add_path(Tendon &tendon) {
  if (!tendon.spatial()) {
    return;
  }
  std::set<std::int32_t, std::greater<std::int32_t>> moving;
  for (std::int32_t s = tendon.first_step; s < tendon.end_step; ++s) {
    const Path path(*this, steps[static_cast<std::size_t>(s)].body);
    moving.insert(path.here, path.end);
  }
  tendon.first_term = static_cast<std::int32_t>(terms.size());
  for (const std::int32_t d : moving) {
    terms.push_back({-1, d, 0.0});
  }
  tendon.end_term = static_cast<std::int32_t>(terms.size());
}

// A rest length of -1 stands for the one where springs rest.
void Dynamics::set_rests() {
  const bool any = std::any_of(tendons.begin(), tendons.end(), [](const Tendon &each) {
    return each.rest.low == -1.0 && each.rest.high == -1.0;
  });
  if (!any) {
    return;
  }
  Workspace work(*this);
  place(*this, spring_q.data(), work);
  for (std::size_t t = 0; t < tendons.size(); ++t) {
    if (tendons[t].rest.low == -1.0 && tendons[t].rest.high == -1.0) {
      tendons[t].rest = {work.lengths[t], work.lengths[t]};
    }
  }
}

void Dynamics::follow_others(const DynamicsArrays &arrays) {
  for (std::size_t f = 0; f < arrays.follower_count; ++f) {
    const std::int32_t *joint = arrays.follower_joint + 2 * f;
    const auto own = static_cast<std::size_t>(joint[0]);
    Follower follower{joints[own].velocity, system.joints[own].position, -1, -1,
                      arrays.follower_line[2 * f + 1], arrays.follower_line[2 * f]};
    if (joint[1] >= 0) {
      const auto leader = static_cast<std::size_t>(joint[1]);
      follower.leader = joints[leader].velocity;
      follower.leader_position = system.joints[leader].position;
    }
    followers.push_back(follower);
  }
  if (!followers.empty()) {
    images = phyzctl::images(velocity_count, followers);
    pattern = folded_pattern(paths, images);
    folds = phyzctl::folds(paths, pattern, images);
  }
}

Workspace::Workspace(const Dynamics &dynamics)
    : half_turns(dynamics.links.hinges.size() + lanes), poses(dynamics.system.bodies.size()),
      rotations(poses.size()), motions(dynamics.velocity_count), points(poses.size()),
      centres(poses.size()), inertias(poses.size()), composites(poses.size()),
      M(dynamics.pattern.entries()),
      unfolded(dynamics.followers.empty() ? 0 : dynamics.paths.entries()), sum(unfolded.size()),
      lengths(dynamics.tendons.size()), arms(dynamics.terms.size()), velocities(poses.size()),
      accelerations(poses.size()), forces(poses.size()),
      bias(dynamics.velocity_count), passive(bias.size()), gravity_compensation(bias.size()),
      motors(bias.size()), total(bias.size()), acceleration(bias.size()), factor(M.size()),
      matrix(M.size()), asked(dynamics.actuators.size()), pulls(asked.size()),
      speed_gains(pulls.size()),
      adhesion(dynamics.adhesives * bias.size()),
      tendon_sums(dynamics.tendons.size()),
      rates(dynamics.activation_count),
      passages(dynamics.boxes.empty() ? 0 : dynamics.velocity_count),
      q(dynamics.system.position_count), v(bias.size()),
      next_q(q.size()), next_v(v.size()), stage(v.size()), next_speed(v.size()),
      sums(v.size()), mean(v.size()) {
  std::transform(dynamics.terms.begin(), dynamics.terms.end(), arms.begin(),
                 [](const Term &term) { return term.coefficient; });
}

} // namespace phyzctl
