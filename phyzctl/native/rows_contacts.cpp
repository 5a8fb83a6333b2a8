// Rows of contacts: along the normal and the tangents, and turning about them.
#include <algorithm>
#include <cmath>

#include "impedance.hpp"
#include "rows_columns.hpp"
#include "rows_parts.hpp"

namespace phyzctl {
namespace {

std::size_t index(std::int32_t i) { return static_cast<std::size_t>(i); }

Softness softness(const ContactLaw &law) {
  Softness result{};
  std::copy_n(law.solref, 2, result.solref);
  std::copy_n(law.solimp, 5, result.solimp);
  return result;
}

// How the second body moves against the first.
void fill(const Dynamics &dynamics, const Workspace &work, const std::int32_t (&bodies)[2],
          const Contact &contact, const Block &block, Rows &rows) {
  const Vec arm_a = contact.position - tree_point(work, bodies[0]);
  const Vec arm_b = contact.position - tree_point(work, bodies[1]);
  const std::size_t width = block.columns;
  double *value = rows.values.data() + block.first_value;
  visit_columns(dynamics, bodies, true, [&](std::int32_t column, bool first, bool) {
    const Spatial &motion = work.motions[index(column)];
    const Vec speed = motion.linear + cross(motion.angular, first ? arm_a : arm_b);
    const double sign = first ? -1.0 : 1.0;
    const Vec linear = contact.frame * scaled(sign, speed);
    value[0] = linear.x;
    if (block.rows > 1) {
      value[width] = linear.y;
      value[2 * width] = linear.z;
    }
    if (block.rows > 3) {
      const Vec angular = contact.frame * scaled(sign, motion.angular);
      value[3 * width] = angular.x;
      if (block.rows > 4) {
        value[4 * width] = angular.y;
        value[5 * width] = angular.z;
      }
    }
    ++value;
  });
}

Law law_of(const Constraints &constraints, std::int32_t dimension) {
  if (dimension == 1) {
    return Law::limit;
  }
  return constraints.cone == Cone::elliptic ? Law::cone : Law::pyramid;
}

// The regularized cone's friction coefficient, and the regularizers: of a cone's tangents so that
// the force is sought on an ellipsoid like the cone, of a pyramid's edges all the same.
void soften(const Constraints &constraints, double normal, Block &block, Rows &rows) {
  Row *row = rows.rows.data() + block.first_row;
  row[0].softness = normal;
  if (block.rows == 1) {
    return;
  }
  const double tangent = normal / std::max(tiny, constraints.impratio);
  const double *mu = block.friction;
  block.ratio = mu[0] * std::sqrt(tangent / normal);
  if (block.law == Law::pyramid) {
    for (std::uint32_t k = 0; k < block.rows; ++k) {
      row[k].softness = 2.0 * block.ratio * block.ratio * normal;
    }
    return;
  }
  for (std::uint32_t k = 1; k < block.rows; ++k) {
    row[k].softness = tangent * (mu[0] * mu[0]) / (mu[k - 1] * mu[k - 1]);
  }
}

// What approaches faster than it falls in two steps hits: a slower body lies. What leaves as fast
// may be hit by others meanwhile.
bool hits(const Dynamics &dynamics, const RowInputs &inputs, const ContactLaw &law, double speed) {
  return law.restitution > 0.0 && std::fabs(speed) > 2.0 * inputs.h * length(dynamics.gravity);
}

// An impact within the step: by Newton's law the normal speed is at least -e times what it was. The
// tangents ask for what Coulomb's friction can do, and no more: what a convex problem can't stop
// lifts off instead.
void strike(const Constraints &constraints, const RowInputs &inputs, const Workspace &work,
            const ContactLaw &law, Block &block, Rows &rows) {
  constexpr double yielding = 1e-4; // R as a share of the mobility, made up for by the targets
  const double asked = (1.0 + yielding) / inputs.h;
  Row *row = rows.rows.data() + block.first_row;
  const double ease = exact_mobility(constraints, work, block, 0, 0.0, rows);
  soften(constraints, yielding * ease, block, rows);
  const double blow = -(1.0 + law.restitution) * row[0].speed;
  block.struck = true;
  row[0].target = blow * asked;
  if (block.rows < 3) {
    return;
  }
  const double slip = std::hypot(row[1].speed, row[2].speed);
  const double across = 0.5 * (exact_mobility(constraints, work, block, 1, 0.0, rows) +
                               exact_mobility(constraints, work, block, 2, 0.0, rows));
  for (std::uint32_t k = 1; k < 3; ++k) {
    const double stopped = law.friction[k - 1] * std::max(0.0, blow) * across;
    const double share = stopped < ease * slip ? stopped / (ease * slip) : 1.0;
    row[k].target = -share * row[k].speed * asked;
  }
}

// Beyond the margin a contact only pulls, if it can, and along the normal. 0: there is none.
std::int32_t dimension_of(const ContactLaw &law, double distance) {
  if (distance < law.margin) {
    return law.dimension;
  }
  return law.adhesion > 0.0 && distance < law.room() ? 1 : 0;
}

// The target makes up for what the rows yield under the force by which `press` does.
void stick(const ContactLaw &law, const Block &block, Rows &rows) {
  const double share = block.law == Law::pyramid ? 1.0 / (2.0 * (block.rows - 1)) : 1.0;
  Row &normal = rows.rows[block.first_row];
  normal.target += share * normal.softness * law.adhesion;
}

} // namespace

void press(const RowInputs &inputs, const Rows &rows, std::vector<double> &forces) {
  for (const Block &block : rows.blocks) {
    if (block.origin != Origin::contact) {
      continue;
    }
    const Contact &contact = inputs.contacts[block.source];
    const double adhesion = inputs.pairs[index(contact.pair)].law.adhesion;
    for (std::uint32_t k = 0; k < block.columns && adhesion > 0.0; ++k) {
      forces[index(rows.columns[block.first_column + k])] -=
          adhesion * rows.values[block.first_value + k];
    }
  }
}

void add_contact(const Constraints &constraints, const RowInputs &inputs, const Workspace &work,
                 std::size_t number, Rows &rows) {
  const Contact &contact = inputs.contacts[number];
  const ContactPair &pair = inputs.pairs[index(contact.pair)];
  const ContactLaw &law = pair.law;
  const std::int32_t dimension = dimension_of(law, contact.distance);
  if (dimension == 0) {
    return;
  }
  const std::size_t first = rows.columns.size();
  visit_columns(constraints.dynamics, pair.bodies, true,
                [&](std::int32_t column, bool, bool) { rows.columns.push_back(column); });
  if (rows.columns.size() == first) {
    return;
  }
  Block &block = rows.add(law_of(constraints, dimension), Origin::contact, number,
                          static_cast<std::uint32_t>(dimension), first);
  block.friction = law.friction;
  fill(constraints.dynamics, work, pair.bodies, contact, block, rows);
  measure_speed(block, inputs.v, rows);
  const double shortest = constraints.refsafe ? inputs.h : 0.0;
  const Softness soft = softness(law);
  const Spring spring_of = spring(soft, contact.distance - law.margin, shortest);
  double estimate = constraints.mobility(pair.bodies[0]).linear +
                    constraints.mobility(pair.bodies[1]).linear;
  if (block.law == Law::pyramid) {
    estimate *= 1.0 + law.friction[0] * law.friction[0];
  }
  const double mobility = row_mobility(constraints, work, block, 0, estimate, rows);
  soften(constraints, spring_of.regularizer(mobility), block, rows);
  const bool own = law.solref_friction[0] != 0.0 || law.solref_friction[1] != 0.0;
  const double along =
      own && block.law == Law::cone ? damping(law.solref_friction, soft, shortest)
                                    : spring_of.damping;
  for (std::uint32_t k = 0; k < block.rows; ++k) {
    const std::size_t row = block.first_row + k;
    rows.rows[row].target = -(k == 0 ? spring_of.damping : along) * rows.rows[row].speed;
  }
  rows.rows[block.first_row].residual = contact.distance - law.margin;
  rows.rows[block.first_row].target -= spring_of.stiffness * rows.rows[block.first_row].residual;
  stick(law, block, rows);
  if (hits(constraints.dynamics, inputs, law, rows.rows[block.first_row].speed)) {
    strike(constraints, inputs, work, law, block, rows);
  }
}

} // namespace phyzctl
