// Rows that tie a joint or tendon to a polynomial of another.
#include <algorithm>
#include <functional>

#include "impedance.hpp"
#include "rows_parts.hpp"

namespace phyzctl {
namespace {

std::size_t index(std::int32_t i) { return static_cast<std::size_t>(i); }

// The columns and entries of one end of an equality of joints or tendons.
template <class Visit>
void visit_end(const Dynamics &dynamics, const Workspace &work, const Equality &equality,
               std::int32_t end, Visit visit) {
  if (equality.kind == EqualityKind::joint) {
    visit(dynamics.joints[index(end)].velocity, 1.0);
    return;
  }
  const Tendon &tendon = dynamics.tendons[index(end)];
  for (auto k = index(tendon.first_term); k < index(tendon.end_term); ++k) {
    visit(dynamics.terms[k].velocity, work.arms[k]);
  }
}

double position(const Constraints &constraints, const Workspace &work, const Equality &equality,
                int end, const double *q) {
  const std::int32_t which = end == 0 ? equality.first : equality.second;
  const double here = equality.kind == EqualityKind::joint
                          ? q[constraints.dynamics.system.joints[index(which)].position]
                          : work.lengths[index(which)];
  return here - equality.reference[end];
}

} // namespace

void add_coupled(const Constraints &constraints, const RowInputs &inputs, const Workspace &work,
                 std::size_t number, Rows &rows) {
  const Equality &equality = constraints.equalities[number];
  const Dynamics &dynamics = constraints.dynamics;
  const bool single = equality.second < 0;
  const double *c = equality.polynomial;
  const double x = single ? 0.0 : position(constraints, work, equality, 1, inputs.q);
  const double follows = c[0] + x * (c[1] + x * (c[2] + x * (c[3] + x * c[4])));
  const double slope = c[1] + x * (2.0 * c[2] + x * (3.0 * c[3] + x * 4.0 * c[4]));
  const auto visit_ends = [&](auto visit) {
    visit_end(dynamics, work, equality, equality.first, visit);
    if (!single) {
      visit_end(dynamics, work, equality, equality.second,
                [&](std::int32_t column, double entry) { visit(column, -slope * entry); });
    }
  };
  const std::size_t first = rows.columns.size();
  visit_ends([&](std::int32_t column, double) { rows.columns.push_back(column); });
  const auto begin = rows.columns.begin() + static_cast<std::ptrdiff_t>(first);
  std::sort(begin, rows.columns.end(), std::greater<std::int32_t>());
  rows.columns.erase(std::unique(begin, rows.columns.end()), rows.columns.end());
  if (rows.columns.size() == first) {
    return;
  }
  const Block &block = rows.add(Law::equality, Origin::equality, number, 1, first);
  visit_ends([&](std::int32_t column, double entry) {
    const auto at = std::find(rows.columns.begin() + static_cast<std::ptrdiff_t>(first),
                              rows.columns.end(), column);
    const auto offset = static_cast<std::size_t>(at - rows.columns.begin()) - first;
    rows.values[block.first_value + offset] += entry;
  });
  const std::vector<double> &mobilities = equality.kind == EqualityKind::joint
                                              ? constraints.dof_mobility
                                              : constraints.tendon_mobility;
  const auto place_of = [&](std::int32_t end) {
    return equality.kind == EqualityKind::joint ? index(dynamics.joints[index(end)].velocity)
                                                : index(end);
  };
  const double estimate = mobilities[place_of(equality.first)] +
                          (single ? 0.0 : mobilities[place_of(equality.second)]);
  const std::size_t row = block.first_row;
  rows.rows[row].residual = position(constraints, work, equality, 0, inputs.q) - (single ? c[0] : follows);
  measure_speed(block, inputs.v, rows);
  const Spring law =
      spring(equality.softness, rows.rows[row].residual, constraints.refsafe ? inputs.h : 0.0);
  rows.rows[row].softness = law.regularizer(row_mobility(constraints, work, block, 0, estimate, rows));
  rows.rows[row].target = -law.damping * rows.rows[row].speed - law.stiffness * rows.rows[row].residual;
}

} // namespace phyzctl
