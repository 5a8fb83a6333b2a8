#include "chain.hpp"

#include <algorithm>

#include "trigonometry.hpp"

namespace phyzctl {
namespace {

const Pose<double> identity{{0.0, 0.0, 0.0}, {1.0, 0.0, 0.0, 0.0}};

std::vector<std::int32_t> ancestry(const System &system, std::int32_t body) {
  std::vector<std::int32_t> found;
  for (; body >= 0; body = system.bodies[static_cast<std::size_t>(body)].parent) {
    found.push_back(body);
  }
  std::reverse(found.begin(), found.end());
  return found;
}

StepType step_type(JointType type) {
  return type == JointType::ball ? StepType::ball
         : type == JointType::slide ? StepType::slide : StepType::hinge;
}

// A rotation vector as a unit quaternion.
Quat<double> turn(const double *vector) {
  const Vec v{vector[0], vector[1], vector[2]};
  const double angle = length(v);
  const SinCos<double> half = sincos(0.5 * angle);
  const Vec axis = scaled(angle > 0.0 ? half.sin / angle : 0.5, v);
  return {half.cos, axis.x, axis.y, axis.z};
}

void turn_about(Pose<double> &body, const Vec &anchor, const Quat<double> &by) {
  const Quat<double> before = body.q;
  body.q = before * by;
  body.p = body.p + rotate(before, anchor) - rotate(body.q, anchor);
}

} // namespace

Chain::Chain(const System &system, std::int32_t a, std::int32_t b, const Motions &motions)
    : system_(system), variable_(motions.variable, motions.variable + system.joints.size()),
      polynomial_(motions.polynomial, motions.polynomial + motions.width * system.joints.size()),
      q_(motions.q, motions.q + system.position_count), width_(motions.width) {
  bodies_[0] = ancestry(system, a);
  bodies_[1] = ancestry(system, b);
  std::size_t shared = 0;
  while (shared < std::min(bodies_[0].size(), bodies_[1].size()) &&
         bodies_[0][shared] == bodies_[1][shared]) {
    ++shared;
  }
  for (std::vector<std::int32_t> &bodies : bodies_) {
    bodies.erase(bodies.begin(), bodies.begin() + static_cast<std::ptrdiff_t>(shared));
    for (const std::int32_t index : bodies) {
      const Body &body = system.bodies[static_cast<std::size_t>(index)];
      for (std::int32_t j = body.first_joint; j < body.end_joint; ++j) {
        if (moves(static_cast<std::size_t>(j))) {
          steps_.push_back({step_type(system.joints[static_cast<std::size_t>(j)].type), j, {}, {}});
        }
      }
    }
    if (&bodies == &bodies_[0]) {
      first_count_ = steps_.size();
      std::reverse(steps_.begin(), steps_.end());
    }
  }
}

void Chain::place(const double *x) {
  descend(0, x);
  descend(1, x);
}

void Chain::descend(std::size_t side, const double *x) {
  Pose<double> pose = identity;
  std::size_t seen = 0;
  for (const std::int32_t index : bodies_[side]) {
    const Body &body = system_.bodies[static_cast<std::size_t>(index)];
    pose = pose * body.pose;
    for (auto j = static_cast<std::size_t>(body.first_joint);
         j < static_cast<std::size_t>(body.end_joint); ++j) {
      if (moves(j)) {
        Step &step = steps_[side == 0 ? first_count_ - 1 - seen : first_count_ + seen];
        step.axis = rotate(pose.q, system_.joints[j].axis);
        step.anchor = pose.p + rotate(pose.q, system_.joints[j].anchor);
        ++seen;
      }
      move(pose, j, x);
    }
    pose.q = mended(pose.q);
  }
  ends_[side] = pose;
}

double Chain::position(std::size_t joint, const double *x) const {
  if (!moves(joint)) {
    return q_[static_cast<std::size_t>(system_.joints[joint].position)];
  }
  double value = 0.0;
  for (std::size_t i = width_; i-- > 0;) {
    value = value * x[variable_[joint]] + polynomial_[joint * width_ + i];
  }
  return value;
}

void Chain::move(Pose<double> &body, std::size_t index, const double *x) const {
  const Joint &joint = system_.joints[index];
  const auto at = static_cast<std::size_t>(joint.position);
  switch (joint.type) {
  case JointType::hinge: {
    const SinCos<double> half = sincos(0.5 * (position(index, x) - joint.ref));
    const Vec axis = scaled(half.sin, joint.axis);
    turn_about(body, joint.anchor, {half.cos, axis.x, axis.y, axis.z});
    break;
  }
  case JointType::slide:
    body.p = body.p + scaled(position(index, x) - joint.ref, rotate(body.q, joint.axis));
    break;
  case JointType::ball: {
    const Quat<double> held = moves(index) ? turn(x + variable_[index])
                                           : normalized({q_[at], q_[at + 1], q_[at + 2], q_[at + 3]});
    turn_about(body, joint.anchor, held);
    break;
  }
  case JointType::free:
    body.p = {q_[at], q_[at + 1], q_[at + 2]};
    body.q = normalized({q_[at + 3], q_[at + 4], q_[at + 5], q_[at + 6]});
    break;
  case JointType::fixed:
    break;
  }
}

double Chain::width(std::size_t step, const double *centre, const double *h) const {
  const auto joint = static_cast<std::size_t>(steps_[step].joint);
  const auto first = static_cast<std::size_t>(variable_[joint]);
  if (steps_[step].type == StepType::ball) {
    return length(Vec{h[first], h[first + 1], h[first + 2]});
  }
  // The greatest slope of the polynomial over the box, or more.
  const double most = std::fabs(centre[first]) + h[first];
  double slope = 0.0;
  for (std::size_t i = width_; i-- > 1;) {
    const double k = static_cast<double>(i) * std::fabs(polynomial_[joint * width_ + i]);
    slope = slope * most + k;
  }
  return slope * h[first];
}

} // namespace phyzctl
