#include <algorithm>

#include "carry.hpp"
#include "constraint.hpp"
#include "followers.hpp"
#include "impedance.hpp"

namespace phyzctl {
namespace {

std::size_t index(std::int32_t i) { return static_cast<std::size_t>(i); }

Softness softness(const double *row) {
  Softness result{};
  std::copy_n(row, 2, result.solref);
  std::copy_n(row + 2, 5, result.solimp);
  return result;
}

Limit limit(const double *row) { return {{row[0], row[1]}, row[2], softness(row + 3)}; }

Pose<double> pose(const double *row) {
  return {{row[0], row[1], row[2]}, normalized({row[3], row[4], row[5], row[6]})};
}

Equality equality(const double *row, const std::int32_t *target) {
  Equality result{};
  result.kind = static_cast<EqualityKind>(target[0]);
  result.first = target[1];
  result.second = target[2];
  if (result.kind == EqualityKind::connect || result.kind == EqualityKind::weld) {
    result.frames[0] = pose(row);
    result.frames[1] = pose(row + 7);
    result.torque_scale = row[14];
  } else {
    std::copy_n(row, 5, result.polynomial);
  }
  result.softness = softness(row + 15);
  return result;
}

bool target_exists(const Dynamics &dynamics, const std::int32_t *target) {
  const auto kind = static_cast<EqualityKind>(target[0]);
  const std::int32_t first = target[1], second = target[2];
  const auto scalar_joint = [&](std::int32_t j) {
    return j >= 0 && j < static_cast<std::int32_t>(dynamics.joints.size()) &&
           velocity_count(dynamics.system.joints[index(j)].type) == 1;
  };
  switch (kind) {
  case EqualityKind::joint:
    return scalar_joint(first) && (second == -1 || scalar_joint(second));
  case EqualityKind::tendon: {
    const auto count = static_cast<std::int32_t>(dynamics.tendons.size());
    return first >= 0 && first < count && second >= -1 && second < count;
  }
  default: {
    const auto count = static_cast<std::int32_t>(dynamics.system.bodies.size());
    return first >= -1 && first < count && second >= -1 && second < count;
  }
  }
}

// The positions or lengths where the robot stands in its reference position.
void set_reference(const Workspace &work, const Dynamics &dynamics, const double *q,
                   Equality &equality) {
  const std::int32_t ends[2] = {equality.first, equality.second};
  for (int end = 0; end < 2; ++end) {
    if (ends[end] < 0) {
      continue;
    }
    if (equality.kind == EqualityKind::joint) {
      equality.reference[end] = q[dynamics.system.joints[index(ends[end])].position];
    } else if (equality.kind == EqualityKind::tendon) {
      equality.reference[end] = work.lengths[index(ends[end])];
    }
  }
}

// A body that MuJoCo takes by its mass alone, whichever way it slides: on slides along its own axes
// on the world or on what is fixed there, with its centre of mass in its origin, and carrying none.
bool only_slides(const Dynamics &dynamics, std::size_t i) {
  const System &system = dynamics.system;
  const Body &body = system.bodies[i];
  const Mass &mass = dynamics.masses[i];
  const Symmetric &inertia = mass.inertia;
  if (squared(mass.com) != 0.0 || inertia.xy != 0.0 || inertia.xz != 0.0 || inertia.yz != 0.0 ||
      !(mass.mass > 0.0)) {
    return false;
  }
  if (body.parent >= 0) {
    const Body &parent = system.bodies[index(body.parent)];
    if (parent.parent >= 0 || dynamics.last_dof[index(body.parent)] >= 0) {
      return false;
    }
  }
  const auto along_an_axis = [](const Vec &a) {
    return (a.x != 0.0) + (a.y != 0.0) + (a.z != 0.0) == 1;
  };
  for (auto j = index(body.first_joint); j < index(body.end_joint); ++j) {
    const Joint &joint = system.joints[j];
    if (joint.type != JointType::slide || !along_an_axis(joint.axis)) {
      return false;
    }
  }
  return std::none_of(system.bodies.begin(), system.bodies.end(), [i](const Body &other) {
    return other.parent == static_cast<std::int32_t>(i);
  });
}

// Mobilities: diagonals of J M^-1 J', one row at a time.
struct Mobilities {
  Mobilities(const Dynamics &of, const double *q)
      : dynamics(of), work(of), x(of.velocity_count), rows(6 * of.velocity_count) {
    place(dynamics, q, work);
    work.factor = work.M;
    factorize(dynamics.pattern, work.factor.data());
  }

  double of(const double *row) {
    x.assign(row, row + x.size());
    fold(dynamics, x.data());
    solve(dynamics.pattern, work.factor.data(), x.data());
    unfold(dynamics, x.data());
    double sum = 0.0;
    for (std::size_t d = 0; d < x.size(); ++d) {
      sum += row[d] * x[d];
    }
    return sum;
  }

  Mobility of_body(std::int32_t body) {
    if (dynamics.last_dof[index(body)] < 0) {
      return {0.0, 0.0};
    }
    if (only_slides(dynamics, index(body))) {
      return {1.0 / dynamics.masses[index(body)].mass, 0.0};
    }
    const Vec centre =
        centre_from_point(dynamics, work, index(body)) + work.points[index(body)];
    jacobian(dynamics, work, body, centre, rows.data());
    double sums[2] = {0.0, 0.0};
    for (std::size_t k = 0; k < 6; ++k) {
      sums[k / 3] += of(rows.data() + k * x.size()) / 3.0;
    }
    return {sums[0], sums[1]};
  }

  double of_tendon(const Tendon &tendon) {
    std::vector<double> row(x.size());
    for (auto k = index(tendon.first_term); k < index(tendon.end_term); ++k) {
      row[index(dynamics.terms[k].velocity)] += work.arms[k];
    }
    return of(row.data());
  }

  // Balls, and each half of free joints, have one for all their directions.
  void of_joint(std::size_t joint, std::vector<double> &result) {
    const std::int32_t count = velocity_count(dynamics.system.joints[joint].type);
    const auto first = index(dynamics.joints[joint].velocity);
    for (std::size_t k = 0; k < index(count); ++k) {
      std::vector<double> unit(x.size());
      unit[first + k] = 1.0;
      result.push_back(of(unit.data()));
    }
    for (std::size_t k = 0; k + 3 <= index(count); k += 3) {
      double *three = result.data() + first + k;
      three[0] = three[1] = three[2] = (three[0] + three[1] + three[2]) / 3.0;
    }
  }

  const Dynamics &dynamics;
  Workspace work;
  std::vector<double> x, rows;
};

} // namespace

ConstraintCheck check(const Dynamics &dynamics, const ConstraintArrays &arrays) {
  for (std::size_t e = 0; e < arrays.equality_count; ++e) {
    const std::int32_t *target = arrays.equality_target + 3 * e;
    if (target[0] < 0 || target[0] > 3) {
      return {ConstraintStatus::equality_kind, e};
    }
    if (!target_exists(dynamics, target)) {
      return {ConstraintStatus::equality_target, e};
    }
  }
  return {};
}

void Constraints::add_limit(std::size_t joint) {
  const Limit &limit = joint_limits[joint];
  const Joint &of = dynamics.system.joints[joint];
  const bool scalar = of.type == JointType::hinge || of.type == JointType::slide;
  if (limit.exists() && (scalar || of.type == JointType::ball)) {
    limited.push_back({joint, scalar ? of.position : -1, limit.range.low, limit.range.high,
                       limit.margin});
  }
}

void Constraints::add_friction(std::size_t dof, double force, const Softness &softness) {
  if (force > 0.0) {
    const Spring law = spring(softness, 0.0, 0.0);
    dof_friction.push_back({dof, force, softness, law.regularizer(dof_mobility[dof]), law.damping,
                            0.5 * shortest_time(softness)});
  }
}

Constraints::Constraints(const Dynamics &of, const ConstraintArrays &arrays)
    : dynamics(of), cone(arrays.cone), impratio(arrays.impratio), refsafe(arrays.refsafe),
      diagexact(arrays.diagexact), noslip(arrays.noslip) {
  Mobilities mobilities(dynamics, arrays.q_reference);
  body_mobility.push_back({0.0, 0.0});
  for (std::size_t i = 0; i < dynamics.system.bodies.size(); ++i) {
    body_mobility.push_back(mobilities.of_body(static_cast<std::int32_t>(i)));
  }
  for (std::size_t j = 0; j < dynamics.joints.size(); ++j) {
    joint_limits.push_back(limit(arrays.joint_limits + 10 * j));
    mobilities.of_joint(j, dof_mobility);
    add_limit(j);
    for (auto d = index(dynamics.joints[j].velocity); d < dof_mobility.size(); ++d) {
      add_friction(d, arrays.dof_losses[d], softness(arrays.joint_weights + 7 * j));
    }
  }
  for (std::size_t t = 0; t < dynamics.tendons.size(); ++t) {
    tendon_limits.push_back(limit(arrays.tendon_limits + 10 * t));
    const double *row = arrays.tendon_frictions + 8 * t;
    tendon_friction.push_back({row[0], softness(row + 1)});
    tendon_mobility.push_back(mobilities.of_tendon(dynamics.tendons[t]));
  }
  for (std::size_t e = 0; e < arrays.equality_count; ++e) {
    equalities.push_back(equality(arrays.equalities + 22 * e, arrays.equality_target + 3 * e));
    set_reference(mobilities.work, dynamics, arrays.q_reference, equalities.back());
  }
}

} // namespace phyzctl
