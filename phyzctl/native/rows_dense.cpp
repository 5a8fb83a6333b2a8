#include "rows_dense.hpp"

#include <algorithm>

namespace phyzctl {
namespace {

std::size_t edges(const Block &block) {
  return block.law == Law::pyramid ? 2 * (block.rows - 1) : block.rows;
}

// The row `k` of a block, plus `share` times the row `other`.
struct Mix {
  std::size_t k, other;
  double share;
};

Mix mix(const Block &block, std::size_t edge) {
  if (block.law != Law::pyramid) {
    return {edge, edge, 0.0};
  }
  const double mu = block.friction[edge / 2];
  return {0, 1 + edge / 2, edge % 2 == 0 ? mu : -mu};
}

} // namespace

std::size_t dense_count(const Rows &rows) {
  std::size_t count = 0;
  for (const Block &block : rows.blocks) {
    count += edges(block);
  }
  return count;
}

void write_dense(const Rows &rows, std::size_t velocity_count, const DenseRows &result) {
  std::size_t at = 0;
  for (const Block &block : rows.blocks) {
    for (std::size_t edge = 0; edge < edges(block); ++edge, ++at) {
      const Mix from = mix(block, edge);
      double *row = result.jacobian + at * velocity_count;
      std::fill_n(row, velocity_count, 0.0);
      const double *values = rows.values.data() + block.first_value;
      for (std::size_t k = 0; k < block.columns; ++k) {
        row[rows.columns[block.first_column + k]] =
            values[from.k * block.columns + k] +
            from.share * values[from.other * block.columns + k];
      }
      const std::size_t first = block.first_row + from.k, second = block.first_row + from.other;
      result.residual[at] = rows.rows[first].residual;
      result.target[at] = rows.rows[first].target + from.share * rows.rows[second].target;
      result.softness[at] = rows.rows[first].softness;
      result.origin[at] = static_cast<std::int32_t>(block.origin);
      result.source[at] = block.source;
    }
  }
}

} // namespace phyzctl
