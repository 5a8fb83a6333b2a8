#include "drift.hpp"

#include <algorithm>
#include <cmath>

#include "passive.hpp"
#include "smooth.hpp"

namespace phyzctl {
namespace {

std::size_t index(std::int32_t i) { return static_cast<std::size_t>(i); }

// Jacobi's rotations: the eigenvalues of a symmetric matrix and its eigenvectors.
void principal(const Symmetric &given, double (&moments)[3], Vec (&axes)[3]) {
  double A[3][3] = {{given.xx, given.xy, given.xz},
                    {given.xy, given.yy, given.yz},
                    {given.xz, given.yz, given.zz}};
  double V[3][3] = {{1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}, {0.0, 0.0, 1.0}};
  for (int sweep = 0; sweep < 30; ++sweep) {
    for (int p = 0; p < 2; ++p) {
      for (int q = p + 1; q < 3; ++q) {
        if (A[p][q] == 0.0) {
          continue;
        }
        const double slope = 0.5 * (A[q][q] - A[p][p]) / A[p][q];
        const double t =
            std::copysign(1.0, slope) / (std::fabs(slope) + std::sqrt(1.0 + slope * slope));
        const double c = 1.0 / std::sqrt(1.0 + t * t), s = t * c;
        for (int k = 0; k < 3; ++k) {
          const double x = A[k][p], y = A[k][q];
          A[k][p] = c * x - s * y;
          A[k][q] = s * x + c * y;
        }
        for (int k = 0; k < 3; ++k) {
          const double x = A[p][k], y = A[q][k], u = V[k][p], w = V[k][q];
          A[p][k] = c * x - s * y;
          A[q][k] = s * x + c * y;
          V[k][p] = c * u - s * w;
          V[k][q] = s * u + c * w;
        }
      }
    }
  }
  for (int k = 0; k < 3; ++k) {
    moments[k] = A[k][k];
    axes[k] = {V[0][k], V[1][k], V[2][k]};
  }
}

bool has_armature(const Dynamics &dynamics, std::int32_t first, std::int32_t count) {
  const auto begin = dynamics.armature.begin() + first;
  return std::any_of(begin, begin + count, [](double armature) { return armature != 0.0; });
}

// Whether other degrees of freedom than its own move on the joint's body, or under it.
bool is_alone(const Dynamics &dynamics, std::int32_t first, std::int32_t count) {
  const Pattern &pattern = dynamics.paths;
  if (pattern.start[index(first) + 1] - pattern.start[index(first)] != 1) {
    return false;
  }
  const auto last = index(first + count - 1);
  for (std::size_t d = last + 1; d < pattern.size(); ++d) {
    const auto begin = pattern.columns.begin() + static_cast<std::ptrdiff_t>(pattern.start[d]);
    const auto end = pattern.columns.begin() + static_cast<std::ptrdiff_t>(pattern.start[d + 1]);
    if (std::find(begin, end, static_cast<std::int32_t>(last)) != end) {
      return false;
    }
  }
  return true;
}

// Mass properties of the body and what is welded to it, about the pivot, in the body's axes.
bool describe(const Workspace &work, const Joint &joint, Spinner &spinner) {
  const auto body = index(spinner.body);
  const Inertia &all = work.composites[body];
  const Pose<double> &pose = work.poses[body];
  const Mat3 R = matrix(pose.q);
  const Vec centre = work.points[body] + scaled(1.0 / all.mass, all.moment);
  spinner.centre = back(R, centre - pose.p);
  const Vec pivot = spinner.free ? centre : pose.p + R * joint.anchor;
  const Vec from = scaled(1.0 / all.mass, all.moment), to = centre - pivot;
  Symmetric inertia = all.rotational; // about the tree's point; by way of the centre to the pivot
  const double near = squared(from), far = squared(to);
  inertia.xx += all.mass * (from.x * from.x - near + far - to.x * to.x);
  inertia.yy += all.mass * (from.y * from.y - near + far - to.y * to.y);
  inertia.zz += all.mass * (from.z * from.z - near + far - to.z * to.z);
  inertia.xy += all.mass * (from.x * from.y - to.x * to.y);
  inertia.xz += all.mass * (from.x * from.z - to.x * to.z);
  inertia.yz += all.mass * (from.y * from.z - to.y * to.z);
  const Mat3 inverse{{R.x.x, R.y.x, R.z.x}, {R.x.y, R.y.y, R.z.y}, {R.x.z, R.y.z, R.z.z}};
  principal(turned(inverse, inertia), spinner.moments, spinner.axes);
  return *std::min_element(spinner.moments, spinner.moments + 3) > 0.0;
}

// For a time h, the angular momentum in the body turning as the body turns the other way.
void spin(const Spinner &spinner, double h, Quat<double> &turn, Vec &momentum) {
  constexpr int order[5] = {0, 1, 2, 1, 0};
  constexpr double share[5] = {0.5, 0.5, 1.0, 0.5, 0.5};
  for (int k = 0; k < 5; ++k) {
    const Vec &axis = spinner.axes[order[k]];
    const double rate = dot(momentum, axis) / spinner.moments[order[k]];
    const Quat<double> by = turn_by(scaled(share[k] * h * rate, axis));
    turn = turn * by;
    momentum = rotate(Quat<double>{by.w, -by.x, -by.y, -by.z}, momentum);
  }
  turn = normalized(turn);
}

Vec along_axes(const Spinner &spinner, const Vec &x, bool divide) {
  Vec sum{};
  for (int k = 0; k < 3; ++k) {
    const double part = dot(x, spinner.axes[k]);
    sum = sum + scaled(divide ? part / spinner.moments[k] : part * spinner.moments[k],
                       spinner.axes[k]);
  }
  return sum;
}

void drift_one(const Spinner &spinner, double h, const double *q, const double *v, double *next_q,
               double *next_v) {
  const double *at = q + spinner.position, *w = v + spinner.velocity;
  const Vec rate{w[0], w[1], w[2]};
  const Quat<double> start = normalized({at[0], at[1], at[2], at[3]});
  Quat<double> turn = start;
  Vec momentum = along_axes(spinner, rate, false);
  spin(spinner, h, turn, momentum);
  const Vec next_rate = along_axes(spinner, momentum, true);
  double *to = next_q + spinner.position, *speed = next_v + spinner.velocity;
  to[0] = turn.w;
  to[1] = turn.x;
  to[2] = turn.y;
  to[3] = turn.z;
  speed[0] = next_rate.x;
  speed[1] = next_rate.y;
  speed[2] = next_rate.z;
  if (!spinner.free) {
    return;
  }
  const double *p = q + spinner.position - 3, *linear = v + spinner.velocity - 3;
  const Vec arm = rotate(start, spinner.centre), next_arm = rotate(turn, spinner.centre);
  const Vec velocity = Vec{linear[0], linear[1], linear[2]} +
                       rotate(start, cross(rate, spinner.centre)); // of the centre of mass
  const Vec place = Vec{p[0], p[1], p[2]} + arm + scaled(h, velocity) - next_arm;
  const Vec origin = velocity - rotate(turn, cross(next_rate, spinner.centre));
  const double numbers[6] = {place.x, place.y, place.z, origin.x, origin.y, origin.z};
  std::copy_n(numbers, 3, to - 3);
  std::copy_n(numbers + 3, 3, speed - 3);
}

} // namespace

std::vector<Spinner> spinners(const Dynamics &dynamics) {
  Workspace work(dynamics);
  std::vector<double> q(dynamics.system.position_count);
  place(dynamics, q.data(), work); // turns of length zero are none
  std::vector<Spinner> found;
  for (std::size_t i = 0; i < dynamics.system.bodies.size(); ++i) {
    const Body &body = dynamics.system.bodies[i];
    if (body.end_joint != body.first_joint + 1) {
      continue;
    }
    const auto j = index(body.first_joint);
    const Joint &joint = dynamics.system.joints[j];
    const std::int32_t first = dynamics.joints[j].velocity, count = velocity_count(joint.type);
    if ((joint.type != JointType::free && joint.type != JointType::ball) ||
        !is_alone(dynamics, first, count) || has_armature(dynamics, first, count) ||
        !(work.composites[i].mass > 0.0)) {
      continue;
    }
    const bool free = joint.type == JointType::free;
    Spinner spinner{static_cast<std::int32_t>(i), first + (free ? 3 : 0),
                    joint.position + (free ? 3 : 0), free, {}, {}, {}};
    if (describe(work, joint, spinner)) {
      found.push_back(spinner);
    }
  }
  return found;
}

void drift(const Dynamics &dynamics, const std::vector<Spinner> &spinners, double h,
           const double *q, const double *v, double *next_q, double *next_v) {
  integrate(dynamics, q, v, h, next_q);
  std::copy_n(v, dynamics.velocity_count, next_v);
  for (const Spinner &spinner : spinners) {
    drift_one(spinner, h, q, v, next_q, next_v);
  }
}

} // namespace phyzctl
