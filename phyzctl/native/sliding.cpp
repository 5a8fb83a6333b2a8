#include "sliding.hpp"

#include <algorithm>
#include <cmath>

namespace phyzctl {
namespace {

bool slides(const Block &block) { return block.law == Law::cone && !block.struck; }

// By how much the normal is to be lowered; `normal` is what it misses unlowered. Nothing where the
// contact sticks.
double lift(const Block &block, double normal, const double *miss) {
  double square = 0.0;
  for (std::uint32_t k = 1; k < block.rows; ++k) {
    const double slip = block.friction[k - 1] * miss[k];
    square += slip * slip;
  }
  const double mu = block.ratio; // of the regularized cone: where it begins to stick
  return std::max(0.0, std::sqrt(square) + mu * mu * std::min(0.0, normal));
}

} // namespace

void Sliding::begin(Rows &rows, const double *a, double slack) {
  lowered_.assign(rows.blocks.size(), {0.0, 0.0, 0.0});
  slack_ = slack;
  first_ = true;
  for (std::size_t b = 0; b < rows.blocks.size() && a != nullptr; ++b) {
    const Block &block = rows.blocks[b];
    if (!slides(block)) {
      continue;
    }
    double miss[6] = {0.0};
    const double *value = rows.values.data() + block.first_value;
    const std::int32_t *columns = rows.columns.data() + block.first_column;
    for (std::uint32_t k = 0; k < block.rows; ++k, value += block.columns) {
      miss[k] = -rows.rows[block.first_row + k].target;
      for (std::uint32_t c = 0; c < block.columns; ++c) {
        miss[k] += value[c] * a[columns[c]];
      }
    }
    lowered_[b].by = lift(block, miss[0], miss);
    rows.rows[block.first_row].target -= lowered_[b].by;
  }
}

bool Sliding::again(Rows &rows, const std::vector<double> &miss) {
  constexpr double steepest = 0.8;
  bool changed = false;
  for (std::size_t b = 0; b < rows.blocks.size(); ++b) {
    const Block &block = rows.blocks[b];
    if (!slides(block)) {
      continue;
    }
    Lowered &lowered = lowered_[b];
    const double *mine = miss.data() + block.first_row;
    const double wanted = lift(block, mine[0] - lowered.by, mine);
    const double short_by = wanted - lowered.by;
    if (std::fabs(short_by) <= slack_) {
      continue;
    }
    // A contact alone follows a line, with the slope k / (1 + k): k about the square of mu.
    const double mu = block.friction[0] * block.friction[0];
    double slope = mu / (1.0 + mu);
    if (!first_ && lowered.by != lowered.last) {
      slope = (wanted - lowered.wanted) / (lowered.by - lowered.last);
    }
    slope = std::min(steepest, std::max(0.0, slope));
    const double next = std::max(0.0, lowered.by + short_by / (1.0 - slope));
    rows.rows[block.first_row].target += lowered.by - next;
    lowered = {next, lowered.by, wanted};
    changed = true;
  }
  first_ = false;
  return changed;
}

} // namespace phyzctl
