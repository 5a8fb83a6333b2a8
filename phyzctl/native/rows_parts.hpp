// What the kinds of rows are made with.
#pragma once

#include "rows.hpp"

namespace phyzctl {

// Blocks of the equality or contact of that number, if anything moves what it ties.
void add_joined(const Constraints &constraints, const RowInputs &inputs, const Workspace &work,
                std::size_t number, Rows &rows);
void add_coupled(const Constraints &constraints, const RowInputs &inputs, const Workspace &work,
                 std::size_t number, Rows &rows);
void add_contact(const Constraints &constraints, const RowInputs &inputs, const Workspace &work,
                 std::size_t number, Rows &rows);

// Jv of a block.
void measure_speed(const Block &block, const double *v, Rows &rows);

// J M^-1 J' of a row, plus `share` times the next.
double exact_mobility(const Constraints &constraints, const Workspace &work, const Block &block,
                      std::uint32_t row, double share, Rows &rows);

// How easily a row is moved: `estimate` unless the constraints ask for J M^-1 J'. Of a pyramid that
// of its first edge.
double row_mobility(const Constraints &constraints, const Workspace &work, const Block &block,
                    std::uint32_t row, double estimate, Rows &rows);

} // namespace phyzctl
