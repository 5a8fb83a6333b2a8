// Rows that tie frames on two bodies: connect and weld.
#include <cmath>

#include "impedance.hpp"
#include "rows_columns.hpp"
#include "rows_parts.hpp"

namespace phyzctl {
namespace {

std::size_t index(std::int32_t i) { return static_cast<std::size_t>(i); }

struct PointMotion {
  Vec angular, linear, angular_acceleration, acceleration;
};

// Of a point at `p` on a body, joints not accelerating; gravity taken off.
PointMotion motion_at(const Dynamics &dynamics, const Workspace &work, std::int32_t body,
                      const Vec &p) {
  const std::int32_t mover = body < 0 ? -1 : dynamics.links.items[index(body)].mover;
  if (mover < 0) {
    return {};
  }
  const Spatial &v = work.velocities[index(mover)], &a = work.accelerations[index(mover)];
  const Vec arm = p - work.points[index(body)];
  const Vec speed = v.linear + cross(v.angular, arm);
  const Vec change = a.linear + dynamics.gravity + cross(a.angular, arm);
  return {v.angular, speed, a.angular, change + cross(v.angular, speed)};
}

Vec imaginary(const Quat<double> &q) { return {q.x, q.y, q.z}; }
Quat<double> conjugate(const Quat<double> &q) { return {q.w, -q.x, -q.y, -q.z}; }
Quat<double> pure(const Vec &v) { return {0.0, v.x, v.y, v.z}; }

void write(const Vec &v, double *result, std::size_t stride) {
  result[0] = v.x;
  result[stride] = v.y;
  result[2 * stride] = v.z;
}

// How frames on two bodies stand to each other.
struct Joined {
  Joined(const Dynamics &dynamics, const Workspace &work, const Equality &equality)
      : a(placed(work, equality.first, equality.frames[0])),
        b(placed(work, equality.second, equality.frames[1])), inverse(conjugate(b.q)),
        scale(equality.torque_scale), of_a(motion_at(dynamics, work, equality.first, a.p)),
        of_b(motion_at(dynamics, work, equality.second, b.p)) {}

  Vec turned() const { return scaled(scale, imaginary(inverse * a.q)); }

  // How fast that changes where the first turns at `w` against the second.
  Vec turning(const Vec &w) const {
    return scaled(0.5 * scale, imaginary(inverse * pure(w) * a.q));
  }

  // The part of its acceleration that comes from velocities.
  Vec turning_bias() const {
    const Vec w = of_a.angular - of_b.angular;
    const Quat<double> both = inverse * pure(w) * pure(of_a.angular) * a.q;
    const Quat<double> back = inverse * pure(of_b.angular) * pure(w) * a.q;
    const Vec spin = imaginary(both) - imaginary(back);
    return turning(of_a.angular_acceleration - of_b.angular_acceleration) +
           scaled(0.25 * scale, spin);
  }

  Pose<double> a, b;
  Quat<double> inverse;
  double scale;
  PointMotion of_a, of_b;
};

void fill_joined(const Dynamics &dynamics, const Workspace &work, const Equality &equality,
                 const Joined &joined, const Block &block, Rows &rows) {
  const std::int32_t bodies[2] = {equality.first, equality.second};
  const Vec arm_a = joined.a.p - tree_point(work, bodies[0]);
  const Vec arm_b = joined.b.p - tree_point(work, bodies[1]);
  double *value = rows.values.data() + block.first_value;
  visit_columns(dynamics, bodies, false, [&](std::int32_t column, bool first, bool second) {
    const Spatial &motion = work.motions[index(column)];
    Vec linear{}, angular{};
    if (first) {
      linear = motion.linear + cross(motion.angular, arm_a);
      angular = motion.angular;
    }
    if (second) {
      linear = linear - motion.linear - cross(motion.angular, arm_b);
      angular = angular - motion.angular;
    }
    write(linear, value, block.columns);
    if (block.rows == 6) {
      write(joined.turning(angular), value + 3 * block.columns, block.columns);
    }
    ++value;
  });
}

} // namespace

void add_joined(const Constraints &constraints, const RowInputs &inputs, const Workspace &work,
                std::size_t number, Rows &rows) {
  const Equality &equality = constraints.equalities[number];
  const Dynamics &dynamics = constraints.dynamics;
  const std::int32_t bodies[2] = {equality.first, equality.second};
  const std::size_t first = rows.columns.size();
  visit_columns(dynamics, bodies, false,
                [&](std::int32_t column, bool, bool) { rows.columns.push_back(column); });
  if (rows.columns.size() == first) {
    return;
  }
  const bool weld = equality.kind == EqualityKind::weld;
  const Joined joined(dynamics, work, equality);
  const Block &block =
      rows.add(Law::equality, Origin::equality, number, weld ? 6 : 3, first);
  fill_joined(dynamics, work, equality, joined, block, rows);
  measure_speed(block, inputs.v, rows);
  double bias[6], residual[6];
  write(joined.a.p - joined.b.p, residual, 1);
  write(joined.of_a.acceleration - joined.of_b.acceleration, bias, 1);
  if (weld) {
    write(joined.turned(), residual + 3, 1);
    write(joined.turning_bias(), bias + 3, 1);
  }
  double square = 0.0;
  for (std::uint32_t k = 0; k < block.rows; ++k) {
    rows.rows[block.first_row + k].residual = residual[k];
    square += residual[k] * residual[k];
  }
  const Spring law =
      spring(equality.softness, std::sqrt(square), constraints.refsafe ? inputs.h : 0.0);
  const Mobility &a = constraints.mobility(bodies[0]), &b = constraints.mobility(bodies[1]);
  for (std::uint32_t k = 0; k < block.rows; ++k) {
    const std::size_t row = block.first_row + k;
    const double estimate = k < 3 ? a.linear + b.linear : a.angular + b.angular;
    rows.rows[row].softness =
        law.regularizer(row_mobility(constraints, work, block, k, estimate, rows));
    rows.rows[row].target =
        -law.damping * rows.rows[row].speed - law.stiffness * rows.rows[row].residual - bias[k];
  }
}

} // namespace phyzctl
