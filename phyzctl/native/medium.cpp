#include "medium.hpp"

#include <algorithm>
#include <cmath>

#include "carry.hpp"

namespace phyzctl {
namespace {

constexpr double pi = 3.14159265358979323846;
constexpr double least = 1e-15; // of a mass or inertia that counts

// How something on a body moves through the medium, along its axes and about them.
struct Passage {
  Mat3 axes; // in the world
  Vec arm;   // from the tree's point
  double speed[6];
};

Passage passage(const Dynamics &dynamics, std::size_t body, const Quat<double> &turn, const Vec &arm,
                const Workspace &work) {
  const std::int32_t mover = dynamics.links.items[body].mover;
  const Spatial v = mover < 0 ? Spatial{} : work.velocities[static_cast<std::size_t>(mover)];
  const Mat3 axes = matrix(work.poses[body].q * turn);
  const Vec there = v.linear + cross(v.angular, arm);
  const Vec linear = back(axes, there - dynamics.medium.wind), angular = back(axes, v.angular);
  return {axes, arm, {angular.x, angular.y, angular.z, linear.x, linear.y, linear.z}};
}

Passage passage(const Dynamics &dynamics, std::size_t body, const Workspace &work) {
  return passage(dynamics, body, dynamics.boxes[body].turn, centre_from_point(dynamics, work, body),
                 work);
}

Passage passage(const Dynamics &dynamics, const FluidShape &shape, const Workspace &work) {
  const auto body = static_cast<std::size_t>(shape.body);
  const Vec centre = work.poses[body].p + work.rotations[body] * shape.frame.p;
  return passage(dynamics, body, shape.frame.q, centre - work.points[body], work);
}

// About the tree's point.
Spatial pushed(const Passage &here, const double (&f)[6]) {
  const Vec force = here.axes * Vec{f[3], f[4], f[5]};
  return {here.axes * Vec{f[0], f[1], f[2]} + cross(here.arm, force), force};
}

// Adds -h times the slope of a force by the speeds, symmetric, to a matrix on paths.
void add_slope(const Dynamics &dynamics, std::size_t body, const Passage &here,
               const double (&slope)[6][6], double h, Workspace &work, std::vector<double> &matrix) {
  const Pattern &paths = dynamics.paths;
  const auto last = static_cast<std::size_t>(dynamics.last_dof[body]);
  const std::size_t start = paths.start[last], depth = paths.start[last + 1] - start;
  for (std::size_t a = 0; a < depth; ++a) { // what each degree of freedom does there
    const Spatial &s = work.motions[static_cast<std::size_t>(paths.columns[start + a])];
    const Vec linear = back(here.axes, s.linear + cross(s.angular, here.arm));
    const Vec angular = back(here.axes, s.angular);
    work.passages[a] = {angular.x, angular.y, angular.z, linear.x, linear.y, linear.z};
  }
  for (std::size_t a = 0; a < depth; ++a) {
    // Its own path holds the columns from its own on.
    double *row = matrix.data() + paths.start[static_cast<std::size_t>(paths.columns[start + a])];
    for (std::size_t k = 0; k < 6; ++k) {
      double weight = 0.0;
      for (std::size_t l = 0; l < 6; ++l) {
        weight -= h * 0.5 * (slope[k][l] + slope[l][k]) * work.passages[a][l];
      }
      for (std::size_t b = a; b < depth && weight != 0.0; ++b) {
        row[b - a] += weight * work.passages[b][k];
      }
    }
  }
}

// The sum of two moments less the third is m/6 times the square of the side along its axis.
void find_sides(const Mass &mass, const Mat3 &R, double (&sides)[3]) {
  const Mat3 inverse{column(R, 0), column(R, 1), column(R, 2)};
  const Symmetric inertia = turned(inverse, mass.inertia);
  const double moments[3] = {inertia.xx, inertia.yy, inertia.zz};
  for (int k = 0; k < 3; ++k) {
    const double across = moments[(k + 1) % 3] + moments[(k + 2) % 3] - moments[k];
    sides[k] = std::sqrt(6.0 * std::max(least, across) / mass.mass);
  }
}

} // namespace

Box drag_box(const Medium &medium, const Mass &mass, const Quat<double> &turn) {
  Box box{normalized(turn), {}};
  if (!(mass.mass >= least)) {
    return box; // nothing drags what has no mass
  }
  double sides[3];
  find_sides(mass, matrix(box.turn), sides);
  const double diameter = (sides[0] + sides[1] + sides[2]) / 3.0;
  for (int k = 0; k < 3; ++k) {
    const double a = sides[k], b = sides[(k + 1) % 3], c = sides[(k + 2) % 3];
    const double fourths = b * b * b * b + c * c * c * c;
    box.drags[k] = {pi * diameter * diameter * diameter * medium.viscosity,
                    medium.density * a * fourths / 64.0};
    box.drags[3 + k] = {3.0 * pi * diameter * medium.viscosity, 0.5 * medium.density * b * c};
  }
  return box;
}

void medium_forces(const Dynamics &dynamics, Workspace &work) {
  for (std::size_t i = 0; i < dynamics.boxes.size(); ++i) {
    const Passage here = passage(dynamics, i, work);
    const Drag *drag = dynamics.boxes[i].drags;
    double f[6];
    for (int k = 0; k < 6; ++k) {
      f[k] = -(drag[k].linear + drag[k].quadratic * std::fabs(here.speed[k])) * here.speed[k];
    }
    work.forces[i] = pushed(here, f);
  }
  for (const FluidShape &shape : dynamics.fluid_shapes) {
    const Passage here = passage(dynamics, shape, work);
    double f[6];
    fluid_force(shape, dynamics.medium, here.speed, f);
    Spatial &force = work.forces[static_cast<std::size_t>(shape.body)];
    force = force + pushed(here, f);
  }
  carry_forces(dynamics, work, [&](std::size_t, std::size_t d, double force) {
    work.passive[d] += force;
  });
}

void add_medium(const Dynamics &dynamics, double h, Workspace &work, std::vector<double> &matrix) {
  for (std::size_t i = 0; i < dynamics.boxes.size(); ++i) {
    if (dynamics.last_dof[i] < 0) {
      continue;
    }
    const Passage here = passage(dynamics, i, work);
    const Drag *drag = dynamics.boxes[i].drags;
    double slope[6][6] = {};
    for (std::size_t k = 0; k < 6; ++k) {
      slope[k][k] = -(drag[k].linear + 2.0 * drag[k].quadratic * std::fabs(here.speed[k]));
    }
    add_slope(dynamics, i, here, slope, h, work, matrix);
  }
  for (const FluidShape &shape : dynamics.fluid_shapes) {
    const auto body = static_cast<std::size_t>(shape.body);
    if (dynamics.last_dof[body] >= 0) {
      const Passage here = passage(dynamics, shape, work);
      add_slope(dynamics, body, here, fluid_slope(shape, dynamics.medium, here.speed).slope, h,
                work, matrix);
    }
  }
}

} // namespace phyzctl
