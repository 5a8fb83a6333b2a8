#include "rows.hpp"

#include <algorithm>
#include <functional>

#include "followers.hpp"
#include "impedance.hpp"
#include "passive.hpp"
#include "rows_parts.hpp"

namespace phyzctl {
namespace {

std::size_t index(std::int32_t i) { return static_cast<std::size_t>(i); }

// What all kinds of rows need.
struct Context {
  const Constraints &constraints;
  const RowInputs &inputs;
  const Workspace &work;
};

// Softness, speed and target of a block of one row.
void settle(const Context &context, const Softness &softness, double mobility, const Block &block,
            Rows &rows) {
  const auto &[constraints, inputs, work] = context;
  measure_speed(block, inputs.v, rows);
  const std::size_t row = block.first_row;
  const Spring law = spring(softness, rows.rows[row].residual, constraints.refsafe ? inputs.h : 0.0);
  rows.rows[row].softness =
      law.regularizer(row_mobility(constraints, work, block, 0, mobility, rows));
  const double pull = block.law == Law::friction ? 0.0 : law.stiffness * rows.rows[row].residual;
  rows.rows[row].target = -law.damping * rows.rows[row].speed - pull;
}

bool has_terms(const Dynamics &dynamics, std::size_t tendon) {
  return dynamics.tendons[tendon].first_term < dynamics.tendons[tendon].end_term;
}

// The columns of a tendon's terms, falling, and the sums of their arms.
Block &add_tendon(const Context &context, Law law, std::size_t tendon, double sign, Rows &rows) {
  const Dynamics &dynamics = context.constraints.dynamics;
  const Tendon &of = dynamics.tendons[tendon];
  const std::size_t first = rows.columns.size();
  for (auto k = index(of.first_term); k < index(of.end_term); ++k) {
    rows.columns.push_back(dynamics.terms[k].velocity);
  }
  const auto begin = rows.columns.begin() + static_cast<std::ptrdiff_t>(first);
  std::sort(begin, rows.columns.end(), std::greater<std::int32_t>());
  rows.columns.erase(std::unique(begin, rows.columns.end()), rows.columns.end());
  Block &block = rows.add(law, Origin::tendon, tendon, 1, first);
  for (auto k = index(of.first_term); k < index(of.end_term); ++k) {
    std::size_t at = 0;
    while (rows.columns[first + at] != dynamics.terms[k].velocity) {
      ++at;
    }
    rows.values[block.first_value + at] += sign * context.work.arms[k];
  }
  return block;
}

void add_dry_friction(const Context &context, Rows &rows) {
  const Constraints &constraints = context.constraints;
  const Dynamics &dynamics = constraints.dynamics;
  for (const DofFriction &friction : constraints.dof_friction) {
    Row &row = rows.add_single(Law::friction, Origin::dof, friction.dof, friction.dof, 1.0);
    row.bound = friction.force;
    row.speed = context.inputs.v[friction.dof];
    row.softness = friction.regularizer;
    row.target = -friction.damping * row.speed;
    if (constraints.diagexact || (constraints.refsafe && context.inputs.h > friction.longest_step)) {
      const double mobility = constraints.dof_mobility[friction.dof];
      settle(context, friction.softness, mobility, rows.blocks.back(), rows);
    }
  }
  for (std::size_t t = 0; t < constraints.tendon_friction.size(); ++t) {
    const DryFriction &friction = constraints.tendon_friction[t];
    if (friction.force > 0.0 && has_terms(dynamics, t)) {
      const Block &block = add_tendon(context, Law::friction, t, 1.0, rows);
      rows.rows[block.first_row].bound = friction.force;
      settle(context, friction.softness, constraints.tendon_mobility[t], block, rows);
    }
  }
}

void add_joint_side(const Context &context, std::size_t joint, double residual, double sign,
                    Rows &rows) {
  const Constraints &constraints = context.constraints;
  const auto velocity = index(constraints.dynamics.joints[joint].velocity);
  Row &row = rows.add_single(Law::limit, Origin::joint, joint, velocity, sign);
  row.residual = residual;
  settle(context, constraints.joint_limits[joint].softness, constraints.dof_mobility[velocity],
         rows.blocks.back(), rows);
}

// The angle of a ball joint is limited, whatever its axis.
void add_ball(const Context &context, std::size_t joint, Rows &rows) {
  const Constraints &constraints = context.constraints;
  const Limit &limit = constraints.joint_limits[joint];
  const double *q = context.inputs.q + constraints.dynamics.system.joints[joint].position;
  const Vec turn = rotation_vector(normalized({q[0], q[1], q[2], q[3]}));
  const double angle = length(turn);
  const double distance = std::max(limit.range.low, limit.range.high) - angle;
  if (!(distance < limit.margin)) {
    return;
  }
  const Vec axis = angle > 0.0 ? scaled(1.0 / angle, turn) : Vec{1.0, 0.0, 0.0};
  const std::int32_t velocity = constraints.dynamics.joints[joint].velocity;
  const std::size_t first = rows.columns.size();
  for (std::int32_t k = 3; k-- > 0;) {
    rows.columns.push_back(velocity + k);
  }
  const Block &block = rows.add(Law::limit, Origin::joint, joint, 1, first);
  rows.values[block.first_value] = -axis.z;
  rows.values[block.first_value + 1] = -axis.y;
  rows.values[block.first_value + 2] = -axis.x;
  rows.rows[block.first_row].residual = distance - limit.margin;
  const double mobility = constraints.dof_mobility[index(velocity)];
  settle(context, limit.softness, mobility, block, rows);
}

void add_limits(const Context &context, Rows &rows) {
  const Constraints &constraints = context.constraints;
  const Dynamics &dynamics = constraints.dynamics;
  for (const JointLimit &limit : constraints.limited) {
    if (limit.position < 0) {
      add_ball(context, limit.joint, rows);
      continue;
    }
    const double q = context.inputs.q[limit.position];
    const double above = q - limit.low, below = limit.high - q;
    if (above < limit.margin) {
      add_joint_side(context, limit.joint, above - limit.margin, 1.0, rows);
    }
    if (below < limit.margin) {
      add_joint_side(context, limit.joint, below - limit.margin, -1.0, rows);
    }
  }
  for (std::size_t t = 0; t < constraints.tendon_limits.size(); ++t) {
    const Limit &limit = constraints.tendon_limits[t];
    if (!limit.exists() || !has_terms(dynamics, t)) {
      continue;
    }
    const double length = context.work.lengths[t];
    for (const double sign : {1.0, -1.0}) {
      const double distance = sign > 0.0 ? length - limit.range.low : limit.range.high - length;
      if (distance < limit.margin) {
        const Block &block = add_tendon(context, Law::limit, t, sign, rows);
        rows.rows[block.first_row].residual = distance - limit.margin;
        settle(context, limit.softness, constraints.tendon_mobility[t], block, rows);
      }
    }
  }
}

void add_equalities(const Constraints &constraints, const RowInputs &inputs,
                    const Workspace &work, Rows &rows) {
  for (std::size_t e = 0; e < constraints.equalities.size(); ++e) {
    if (inputs.active != nullptr && inputs.active[e] == 0) {
      continue;
    }
    const EqualityKind kind = constraints.equalities[e].kind;
    if (kind == EqualityKind::connect || kind == EqualityKind::weld) {
      add_joined(constraints, inputs, work, e, rows);
    } else {
      add_coupled(constraints, inputs, work, e, rows);
    }
  }
}

} // namespace

void Rows::clear() {
  blocks.clear();
  columns.clear();
  values.clear();
  rows.clear();
}

Block &Rows::add(Law law, Origin origin, std::size_t source, std::uint32_t count,
                 std::size_t first_column) {
  const auto width = static_cast<std::uint32_t>(columns.size() - first_column);
  blocks.push_back({law, origin, false, static_cast<std::int32_t>(source), count, width,
                    rows.size(), first_column, values.size(), 0.0, nullptr, false});
  values.resize(values.size() + std::size_t{count} * width);
  rows.resize(rows.size() + count);
  return blocks.back();
}

Row &Rows::add_single(Law law, Origin origin, std::size_t source, std::size_t column,
                      double value) {
  blocks.push_back({law, origin, true, static_cast<std::int32_t>(source), 1, 1, rows.size(),
                    columns.size(), values.size(), 0.0, nullptr, false});
  columns.push_back(static_cast<std::int32_t>(column));
  values.push_back(value);
  rows.push_back({});
  return rows.back();
}

void measure_speed(const Block &block, const double *v, Rows &rows) {
  const double *values = rows.values.data() + block.first_value;
  const std::int32_t *columns = rows.columns.data() + block.first_column;
  for (std::uint32_t row = 0; row < block.rows; ++row) {
    double sum = 0.0;
    for (std::uint32_t k = 0; k < block.columns; ++k) {
      sum += values[row * block.columns + k] * v[columns[k]];
    }
    rows.rows[block.first_row + row].speed = sum;
  }
}

double exact_mobility(const Constraints &constraints, const Workspace &work, const Block &block,
                      std::uint32_t row, double share, Rows &rows) {
  const double *values = rows.values.data() + block.first_value + row * block.columns;
  const std::int32_t *columns = rows.columns.data() + block.first_column;
  const auto entry = [&](std::uint32_t k) {
    return values[k] + (share != 0.0 ? share * values[k + block.columns] : 0.0);
  };
  rows.scratch.assign(constraints.dynamics.velocity_count, 0.0);
  for (std::uint32_t k = 0; k < block.columns; ++k) {
    rows.scratch[index(columns[k])] = entry(k);
  }
  fold(constraints.dynamics, rows.scratch.data());
  solve(constraints.dynamics.pattern, work.factor.data(), rows.scratch.data());
  unfold(constraints.dynamics, rows.scratch.data());
  double sum = 0.0;
  for (std::uint32_t k = 0; k < block.columns; ++k) {
    sum += entry(k) * rows.scratch[index(columns[k])];
  }
  return sum;
}

double row_mobility(const Constraints &constraints, const Workspace &work, const Block &block,
                    std::uint32_t row, double estimate, Rows &rows) {
  if (!constraints.diagexact) {
    return estimate;
  }
  const double share = block.law == Law::pyramid && block.rows > 1 ? block.friction[0] : 0.0;
  return exact_mobility(constraints, work, block, row, share, rows);
}

// Columns that lie in one row of the pattern keep to it in all their products.
void find_paths(const Pattern &pattern, Rows &rows) {
  for (Block &block : rows.blocks) {
    if (block.single()) {
      block.on_path = true;
      continue;
    }
    const std::int32_t *columns = rows.columns.data() + block.first_column;
    const auto lowest = index(columns[0]);
    const std::int32_t *path = pattern.columns.data() + pattern.start[lowest];
    const std::int32_t *end = pattern.columns.data() + pattern.start[lowest + 1];
    block.on_path = true;
    for (std::uint32_t k = 0; k < block.columns && block.on_path; ++k) {
      path = std::find(path, end, columns[k]);
      block.on_path = path != end;
    }
  }
}

void make_rows(const Constraints &constraints, const RowInputs &inputs, const Workspace &work,
               Rows &rows) {
  rows.clear();
  add_equalities(constraints, inputs, work, rows);
  add_dry_friction({constraints, inputs, work}, rows);
  add_limits({constraints, inputs, work}, rows);
  for (std::size_t c = 0; c < inputs.contact_count; ++c) {
    add_contact(constraints, inputs, work, c, rows);
  }
  find_paths(constraints.dynamics.pattern, rows);
}

} // namespace phyzctl
