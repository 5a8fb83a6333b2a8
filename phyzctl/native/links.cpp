#include "links.hpp"

namespace phyzctl {
namespace {

std::size_t index(std::int32_t i) { return static_cast<std::size_t>(i); }

// Both as one, in the frame of the first; `frame` is that of the second in it.
Mass joined(const Mass &a, const Mass &b, const Pose<double> &frame) {
  const double mass = a.mass + b.mass;
  if (!(mass > 0.0)) {
    return a;
  }
  const Vec com = frame.p + rotate(frame.q, b.com);
  const Vec middle = a.com + scaled(b.mass / mass, com - a.com);
  const Inertia whole = inertia_about_point(a.mass, a.com - middle, a.inertia) +
                        inertia_about_point(b.mass, com - middle, turned(matrix(frame.q), b.inertia));
  return {mass, middle, whole.rotational, 0.0};
}

} // namespace

Links::Links(const System &system, const std::vector<Mass> &masses,
             const std::vector<std::int32_t> &velocities) {
  for (std::size_t j = 0; j < system.joints.size(); ++j) {
    const Joint &joint = system.joints[j];
    const bool turns = joint.type == JointType::hinge;
    hinge_of.push_back(turns ? static_cast<std::int32_t>(hinges.size()) : -1);
    if (turns) {
      hinges.push_back({joint.position, joint.ref});
    }
  }
  for (std::size_t i = 0; i < system.bodies.size(); ++i) {
    add(system, i, velocities);
    items[i].mass = masses[i];
  }
  weld_masses();
}

void Links::add(const System &system, std::size_t i, const std::vector<std::int32_t> &velocities) {
  const Body &body = system.bodies[i];
  const std::int32_t base = body.parent < 0 ? -1 : items[index(body.parent)].mover;
  Link link{};
  link.parent = body.parent;
  link.place = link.pivot = body.pose.p;
  link.turn = body.pose.q;
  link.mover = base;
  link.below = -1;
  if (body.first_joint < body.end_joint) {
    const Joint &joint = system.joints[index(body.first_joint)];
    const Joint &last = system.joints[index(body.end_joint - 1)];
    const bool one = body.end_joint - body.first_joint == 1;
    const bool hinge = joint.type == JointType::hinge, slide = joint.type == JointType::slide;
    link.kind = one && hinge   ? LinkKind::hinge
                : one && slide ? LinkKind::slide
                               : LinkKind::other;
    link.mover = static_cast<std::int32_t>(i);
    link.below = base;
    link.first = velocities[index(body.first_joint)];
    link.end = velocities[index(body.end_joint - 1)] + velocity_count(last.type);
    link.anchored = joint.anchored;
    link.anchor = joint.anchor;
    link.ref = joint.ref;
    link.source = hinge ? hinge_of[index(body.first_joint)] : joint.position;
    link.axis = rotate(body.pose.q, joint.axis);
    link.pivot = body.pose.p + rotate(body.pose.q, joint.anchor);
    link.turn_on =
        body.pose.q * Quat<double>{0.0, joint.axis.x, joint.axis.y, joint.axis.z};
    movers.push_back(link.mover);
  }
  items.push_back(link);
}

// What is welded to the world moves nowhere, and counts for nothing.
void Links::weld_masses() {
  std::vector<Pose<double>> frames; // in the one that each is welded to
  for (std::size_t i = 0; i < items.size(); ++i) {
    const Link &link = items[i];
    const bool welded = link.mover >= 0 && index(link.mover) != i;
    Pose<double> frame{{0.0, 0.0, 0.0}, {1.0, 0.0, 0.0, 0.0}};
    if (welded) {
      frame = frames[index(link.parent)] * Pose<double>{link.place, link.turn};
      frame.q = normalized(frame.q);
      Mass &mass = items[index(link.mover)].mass;
      mass = joined(mass, link.mass, frame);
    }
    frames.push_back(frame);
  }
}

} // namespace phyzctl
