// The second derivative of the constrained problem: the mass matrix plus what the constraints
// resist, and its factors.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "islands.hpp"
#include "panels.hpp"
#include "tree_order.hpp"

namespace phyzctl {

// Where all blocks keep to paths of the tree, its pattern is that of the mass matrix, and nothing
// fills in. Else the trees that touch fewest others go first.
class Hessian {
public:
  explicit Hessian(const Pattern &pattern);

  // Where entries may be, whatever the curvatures.
  void prepare(const Rows &rows, const Islands &islands, const Island &island);

  // M + J' W J in factors. `curvature` has those of the blocks from `starts` on.
  void make(const double *M, const Rows &rows, const double *curvature,
            const std::vector<std::size_t> &starts);

  // Of the last that was made, before it was factored: at most what is lost along one degree of
  // freedom, g_d^2 / H_dd. No less than that is g' H^-1 g.
  double largest_share(const double *gradient) const;

  // In place, of the island's degrees of freedom: x becomes the solution.
  void solve(double *x);

private:
  // A block's columns in a row, all of one segment.
  struct Run {
    std::uint32_t panel, offset, first, count; // in the panel, from `offset` on
    std::uint32_t base;                        // where the panel of another run has them
  };

  bool cross(const Rows &rows, const Islands &islands, const Island &island);
  void find_order(const Rows &rows);
  void find_parts(const Rows &rows);
  void couple(std::size_t panel, std::size_t other);
  void couple(const Rows &rows, const Block &block);
  void hand_down(std::size_t panel);
  void spread(const double *M);
  void find_runs(const Rows &rows, const Block &block);
  void place_runs(std::size_t rows_of);
  void add_block(const Rows &rows, const Block &block, const double *curvature);
  template <std::size_t n> void add_runs(const double *values, std::size_t width);

  const Pattern &pattern_;
  const Islands *islands_ = nullptr;
  const Island *island_ = nullptr;
  bool on_path_ = false;  // all blocks of the island
  std::size_t found_ = 0; // when the islands were
  Panels panels_;
  std::vector<std::uint32_t> panel_of_; // per segment, where it is in the island
  std::vector<std::uint32_t> order_;    // segments, as they are eliminated
  TreeOrder trees_;
  std::size_t words_ = 0;
  std::vector<std::uint64_t> masks_;    // per panel its parts, as bits
  std::vector<std::int32_t> crossing_, columns_; // of blocks that keep to no path; those before
  std::vector<Run> runs_;
  std::vector<double> weighted_;        // of a block: W J
  std::vector<double> diagonal_, x_; // by place
};

} // namespace phyzctl
