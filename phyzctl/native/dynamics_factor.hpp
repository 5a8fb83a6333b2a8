// Symmetric matrices whose entries (i, j) vanish unless one degree of freedom moves the other:
// their L'DL factors have the same pattern, because the last degrees of freedom go first.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace phyzctl {

// Row i holds the entries for i itself, the degree of freedom that carries it, and so on down to
// the root: `columns[start[i]]` to `columns[start[i + 1] - 1]`.
struct Pattern {
  explicit Pattern(const std::vector<std::int32_t> &parents);

  std::size_t size() const { return start.size() - 1; }
  std::size_t entries() const { return columns.size(); }

  // Where the entry (i, j) stands, -1 if it vanishes.
  std::ptrdiff_t find(std::size_t i, std::size_t j) const;

  std::vector<std::size_t> start;
  std::vector<std::int32_t> columns;
};

// Degrees of freedom in a row.
struct Range {
  std::size_t first, end;
};

// In place: A = L' D L. The diagonal becomes that of D, row i the rest of the row of L.
void factorize(const Pattern &pattern, double *matrix);

// The same for some rows only, which none outside couples to. Of several ranges of a tree the last
// goes first.
void factorize(const Pattern &pattern, const Range &range, double *matrix);

// In place: x becomes the solution of A y = x, by the factors of A.
void solve(const Pattern &pattern, const double *factor, double *x);

// The same in its two halves for some rows: down from the last range, then up from the first.
void solve_down(const Pattern &pattern, const Range &range, const double *factor, double *x);
void solve_up(const Pattern &pattern, const Range &range, const double *factor, double *x);

// The whole symmetric matrix, row by row.
void densify(const Pattern &pattern, const double *matrix, double *dense);

} // namespace phyzctl
