// The second derivative of the constrained problem: the mass matrix plus what the constraints
// resist, and its factors.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "rows.hpp"

namespace phyzctl {

// Where all blocks keep to paths of the tree, its pattern is that of the mass matrix, and nothing
// fills in. Else its rows are found by elimination, and stand in a square.
class Hessian {
public:
  explicit Hessian(const Pattern &pattern);

  // Where entries may be, whatever the curvatures.
  void prepare(const Rows &rows);

  // M + J' W J in factors. `curvature` has those of the blocks from `starts` on.
  void make(const double *M, const Rows &rows, const double *curvature,
            const std::vector<std::size_t> &starts);

  // In place: x becomes the solution.
  void solve(double *x) const;

private:
  void find_rows(const Rows &rows);
  void spread(const double *M);
  void add_block(const Rows &rows, const Block &block, const double *curvature);
  void factorize_square();
  void solve_square(double *x) const;
  double *row(std::size_t i) { return numbers_.data() + (square_ ? i * size_ : pattern_.start[i]); }

  const Pattern &pattern_;
  std::size_t size_, words_;
  bool square_ = false;
  std::vector<double> numbers_;
  std::vector<std::size_t> depths_; // per row of M its length: how many carry it, and itself
  std::vector<std::uint64_t> own_, masks_; // the columns of each row, as bits: of M, of all
  std::vector<std::size_t> start_;         // in the square, as in a Pattern
  std::vector<std::int32_t> columns_;
};

} // namespace phyzctl
