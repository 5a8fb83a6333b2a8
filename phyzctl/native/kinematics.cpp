#include "kinematics.hpp"

#include "trigonometry.hpp"

namespace phyzctl {
namespace {

constexpr Pose world{{0.0, 0.0, 0.0}, {1.0, 0.0, 0.0, 0.0}};

Pose read(const double *row) {
  return {{row[0], row[1], row[2]}, {row[3], row[4], row[5], row[6]}};
}

void write(double *row, const Pose &pose) {
  row[0] = pose.p.x;
  row[1] = pose.p.y;
  row[2] = pose.p.z;
  row[3] = pose.q.w;
  row[4] = pose.q.x;
  row[5] = pose.q.y;
  row[6] = pose.q.z;
}

Quat turn(Vec3 axis, double angle) {
  const SinCos half = sincos(0.5 * angle);
  return {half.cos, half.sin * axis.x, half.sin * axis.y, half.sin * axis.z};
}

// Turn the body about the joint's anchor, which stays where it is.
void turn_about_anchor(Pose &body, const Joint &joint, Quat by) {
  const Quat before = body.q;
  body.q = before * by;
  if (joint.anchored) {
    body.p = body.p + rotate(before, joint.anchor) - rotate(body.q, joint.anchor);
  }
}

// Move the body, given in its parent, by one joint. Axis and anchor ride on earlier joints.
void move(Pose &body, const Joint &joint, const double *q) {
  q += joint.position;
  switch (joint.type) {
  case JointType::hinge:
    turn_about_anchor(body, joint, turn(joint.axis, q[0] - joint.ref));
    break;
  case JointType::slide:
    body.p = body.p + (q[0] - joint.ref) * rotate(body.q, joint.axis);
    break;
  case JointType::ball:
    turn_about_anchor(body, joint, normalized({q[0], q[1], q[2], q[3]}));
    break;
  case JointType::free:
    body = {{q[0], q[1], q[2]}, normalized({q[3], q[4], q[5], q[6]})};
    break;
  case JointType::fixed:
    break;
  }
}

void place_bodies(const System &system, const double *q, double *poses) {
  double *row = poses;
  for (const Body &body : system.bodies) {
    Pose pose = body.pose;
    for (std::int32_t j = body.first_joint; j < body.end_joint; ++j) {
      move(pose, system.joints[static_cast<std::size_t>(j)], q);
    }
    if (body.parent >= 0) {
      pose = read(poses + 7 * body.parent) * pose;
    }
    pose.q = mended(pose.q);
    write(row, pose);
    row += 7;
  }
}

void place_geoms(const System &system, const double *bodies, double *row) {
  for (const Geom &geom : system.geoms) {
    const Pose body = geom.body < 0 ? world : read(bodies + 7 * geom.body);
    write(row, body * geom.pose);
    row += 7;
  }
}

} // namespace

void kinematics(const System &system, const double *q, std::size_t count, double *bodies,
                double *geoms) {
  for (std::size_t i = 0; i < count; ++i) {
    place_bodies(system, q, bodies);
    if (geoms != nullptr) {
      place_geoms(system, bodies, geoms);
      geoms += 7 * system.geoms.size();
    }
    q += system.position_count;
    bodies += 7 * system.bodies.size();
  }
}

void matrices(const double *poses, std::size_t count, double *matrices) {
  for (std::size_t i = 0; i < count; ++i) {
    const Pose pose = read(poses);
    const Vec3 x = rotate(pose.q, {1.0, 0.0, 0.0});
    const Vec3 y = rotate(pose.q, {0.0, 1.0, 0.0});
    const Vec3 z = rotate(pose.q, {0.0, 0.0, 1.0});
    const double rows[16] = {x.x, y.x, z.x, pose.p.x, //
                             x.y, y.y, z.y, pose.p.y, //
                             x.z, y.z, z.z, pose.p.z, //
                             0.0, 0.0, 0.0, 1.0};
    for (int k = 0; k < 16; ++k) {
      matrices[k] = rows[k];
    }
    poses += 7;
    matrices += 16;
  }
}

} // namespace phyzctl
