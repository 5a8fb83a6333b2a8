#include "motion.hpp"

#include <algorithm>

#include "trigonometry.hpp"

namespace phyzctl {
namespace {

std::size_t screw_count(JointType type) {
  return type == JointType::free ? 2 : type == JointType::fixed ? 0 : 1;
}

Quat<double> unit(const double *row) { return normalized({row[0], row[1], row[2], row[3]}); }

Quat<double> about(const Vec &axis, double angle) {
  const SinCos<double> half = sincos(0.5 * angle);
  const Vec v = scaled(half.sin, axis);
  return {half.cos, v.x, v.y, v.z};
}

// The axis (in the turned frame) and the angle, at most pi, of the turn from one to another.
double turn_between(const Quat<double> &from, const Quat<double> &to, Vec &axis) {
  Quat<double> by = Quat<double>{from.w, -from.x, -from.y, -from.z} * to;
  if (by.w < 0.0) {
    by = {-by.w, -by.x, -by.y, -by.z};
  }
  const Vec v{by.x, by.y, by.z};
  const double sine = length(v);
  axis = sine > 0.0 ? scaled(1.0 / sine, v) : Vec{0.0, 0.0, 1.0};
  return 2.0 * std::atan2(sine, by.w);
}

} // namespace

Motion::Motion(const System &system)
    : system_(system), from_(system.position_count), to_(system.position_count),
      poses_(system.bodies.size()), placed_at_(system.bodies.size(), -1.0) {
  for (const Joint &joint : system.joints) {
    first_screw_.push_back(screws_.size());
    screws_.resize(screws_.size() + screw_count(joint.type),
                   Screw{{}, {}, 0.0, joint.type == JointType::slide});
  }
  local_axis_.resize(screws_.size());
}

void Motion::between(const double *from, const double *to) {
  std::copy_n(from, system_.position_count, from_.begin());
  std::copy_n(to, system_.position_count, to_.begin());
  std::fill(placed_at_.begin(), placed_at_.end(), -1.0);
  for (std::size_t j = 0; j < system_.joints.size(); ++j) {
    const auto at = static_cast<std::size_t>(system_.joints[j].position);
    const std::size_t first = first_screw_[j];
    switch (system_.joints[j].type) {
    case JointType::hinge:
    case JointType::slide:
      screws_[first].rate = to[at] - from[at];
      break;
    case JointType::ball:
      screws_[first].rate = turn_between(unit(from + at), unit(to + at), local_axis_[first]);
      break;
    case JointType::free: {
      const Vec way{to[at] - from[at], to[at + 1] - from[at + 1], to[at + 2] - from[at + 2]};
      screws_[first].rate = length(way);
      screws_[first].slides = true;
      local_axis_[first] =
          length(way) > 0.0 ? scaled(1.0 / length(way), way) : Vec{0.0, 0.0, 1.0};
      screws_[first + 1].rate =
          turn_between(unit(from + at + 3), unit(to + at + 3), local_axis_[first + 1]);
      break;
    }
    case JointType::fixed:
      break;
    }
  }
}

std::vector<std::size_t> Motion::screws_above(std::int32_t body) const {
  std::vector<std::size_t> found;
  for (; body >= 0; body = system_.bodies[static_cast<std::size_t>(body)].parent) {
    const Body &each = system_.bodies[static_cast<std::size_t>(body)];
    for (std::int32_t j = each.end_joint - 1; j >= each.first_joint; --j) {
      const auto joint = static_cast<std::size_t>(j);
      for (std::size_t k = screw_count(system_.joints[joint].type); k-- > 0;) {
        found.push_back(first_screw_[joint] + k);
      }
    }
  }
  std::reverse(found.begin(), found.end());
  return found;
}

const Pose<double> &Motion::body(std::int32_t index) {
  if (index < 0) {
    return world_;
  }
  const auto at = static_cast<std::size_t>(index);
  if (placed_at_[at] != time_) {
    const Body &body = system_.bodies[at];
    const Pose<double> &parent = this->body(body.parent);
    Pose<double> pose = parent * body.pose;
    for (std::int32_t j = body.first_joint; j < body.end_joint; ++j) {
      move(pose, static_cast<std::size_t>(j), parent);
    }
    pose.q = mended(pose.q);
    poses_[at] = pose;
    placed_at_[at] = time_;
  }
  return poses_[at];
}

void Motion::move(Pose<double> &pose, std::size_t joint, const Pose<double> &parent) {
  const Joint &item = system_.joints[joint];
  const std::size_t first = first_screw_[joint];
  const auto at = static_cast<std::size_t>(item.position);
  switch (item.type) {
  case JointType::hinge: {
    const double angle = from_[at] + time_ * screws_[first].rate - item.ref;
    turn(pose, item.anchor, about(item.axis, angle), item.axis, first);
    break;
  }
  case JointType::slide:
    screws_[first].axis = rotate(pose.q, item.axis);
    screws_[first].anchor = pose.p;
    pose.p = pose.p + scaled(from_[at] + time_ * screws_[first].rate - item.ref,
                             screws_[first].axis);
    break;
  case JointType::ball: {
    const double angle = time_ * screws_[first].rate;
    const Quat<double> by = unit(&from_[at]) * about(local_axis_[first], angle);
    turn(pose, item.anchor, by, local_axis_[first], first);
    break;
  }
  case JointType::free: {
    const Vec p = Vec{from_[at], from_[at + 1], from_[at + 2]} +
                  scaled(time_ * screws_[first].rate, local_axis_[first]);
    pose = parent * Pose<double>{p, {1.0, 0.0, 0.0, 0.0}};
    screws_[first].axis = rotate(parent.q, local_axis_[first]);
    screws_[first].anchor = pose.p;
    const double angle = time_ * screws_[first + 1].rate;
    turn(pose, {0.0, 0.0, 0.0}, unit(&from_[at + 3]) * about(local_axis_[first + 1], angle),
         local_axis_[first + 1], first + 1);
    break;
  }
  case JointType::fixed:
    break;
  }
}

// Turn a pose about an anchor in it, by a rotation whose own axis `axis` is.
void Motion::turn(Pose<double> &pose, const Vec &anchor, const Quat<double> &by, const Vec &axis,
                  std::size_t screw) {
  const Vec fixed = pose.p + rotate(pose.q, anchor);
  pose.q = pose.q * by;
  pose.p = fixed - rotate(pose.q, anchor);
  screws_[screw].axis = rotate(pose.q, axis);
  screws_[screw].anchor = fixed;
}

} // namespace phyzctl
