// Constraint rows at a state: what each constraint measures, how that moves with the degrees of
// freedom, and the acceleration that it asks for.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "constraint.hpp"
#include "contact.hpp"

namespace phyzctl {

// How the force of a block follows from its rows' accelerations.
enum class Law : std::uint8_t { equality, friction, limit, pyramid, cone };

// What a block comes from.
enum class Origin : std::uint8_t { equality, dof, joint, tendon, contact, actuator };

// Rows that share their columns and are judged together. A contact has one for each of its
// directions, whatever its cone: the edges of a pyramid are sums of these.
struct Block {
  Law law;
  Origin origin;
  bool on_path;        // its columns lie in one row of the mass matrix's pattern
  std::int32_t source; // which of its origin
  std::uint32_t rows, columns;
  std::size_t first_row, first_column, first_value; // values stand row by row
  double ratio;           // of a contact: the friction coefficient of the regularized cone
  const double *friction; // of a contact, one per row but the first
  bool struck;            // a contact that is thrown back within the step

  bool single() const { return rows == 1 && columns == 1; }
};

struct Row {
  double residual; // with the margin taken off
  double target;   // the acceleration asked for: aref
  double softness; // R; of the edges, where there is a pyramid
  double bound;    // of dry friction
  double speed;    // J v
};

// Grows to what a state needs, and keeps that.
struct Rows {
  void clear();

  // A block of `count` rows; its columns go to the end of `columns`, which the caller has filled
  // from `first_column` on. The values are zero.
  Block &add(Law law, Origin origin, std::size_t source, std::uint32_t count,
             std::size_t first_column);

  // A block of one row and one column. The row is zero.
  Row &add_single(Law law, Origin origin, std::size_t source, std::size_t column, double value);

  std::vector<Block> blocks;
  std::vector<std::int32_t> columns; // degrees of freedom, falling
  std::vector<double> values;
  std::vector<Row> rows;
  std::vector<double> scratch;  // per degree of freedom
  std::vector<std::int32_t> folded_columns; // while followers are folded
  std::vector<double> folded_values;
};

// Which blocks keep to one row of the pattern.
void find_paths(const Pattern &pattern, Rows &rows);

struct RowInputs {
  const double *q, *v;
  double h;                    // what time constants are kept above
  const std::uint8_t *active;  // per equality; null: all are
  const ContactPair *pairs;
  const Contact *contacts;
  std::size_t contact_count;
};

// Adds to generalised forces what presses contacts together that can pull: MuJoCo's adhesion, by
// which the cone of forces is moved along the normal. After `make_rows`.
void press(const RowInputs &inputs, const Rows &rows, std::vector<double> &forces);

// After `place` and `move`; work.factor holds the factors of the mass matrix where the mobilities
// are asked for exactly.
void make_rows(const Constraints &constraints, const RowInputs &inputs, const Workspace &work,
               Rows &rows);

} // namespace phyzctl
