#include "followers.hpp"

#include <algorithm>
#include <functional>
#include <set>

namespace phyzctl {
namespace {

std::size_t index(std::int32_t i) { return static_cast<std::size_t>(i); }

// What stands by itself: without inertia of its own as if it were one.
double alone(double inertia) { return inertia > 0.0 ? inertia : 1.0; }

// The block's columns and values, to the end of what is folded; each column once, and never none.
void fold_block(const Dynamics &dynamics, const Block &block, Rows &rows) {
  const std::size_t first = rows.folded_columns.size();
  for (std::uint32_t k = 0; k < block.columns; ++k) {
    const Image &to = dynamics.images[index(rows.columns[block.first_column + k])];
    if (to.dof >= 0) {
      rows.folded_columns.push_back(to.dof);
    }
  }
  if (rows.folded_columns.size() == first) {
    rows.folded_columns.push_back(rows.columns[block.first_column]);
  }
  const auto begin = rows.folded_columns.begin() + static_cast<std::ptrdiff_t>(first);
  std::sort(begin, rows.folded_columns.end(), std::greater<std::int32_t>());
  rows.folded_columns.erase(std::unique(begin, rows.folded_columns.end()),
                            rows.folded_columns.end());
  const std::size_t width = rows.folded_columns.size() - first, start = rows.folded_values.size();
  rows.folded_values.resize(start + block.rows * width);
  for (std::uint32_t k = 0; k < block.columns; ++k) {
    const Image &to = dynamics.images[index(rows.columns[block.first_column + k])];
    if (to.dof < 0) {
      continue;
    }
    const auto at = std::find(begin, rows.folded_columns.end(), to.dof);
    double *value = rows.folded_values.data() + start + (at - begin);
    for (std::uint32_t r = 0; r < block.rows; ++r) {
      value[r * width] += to.ratio * rows.values[block.first_value + r * block.columns + k];
    }
  }
}

} // namespace

std::vector<Image> images(std::size_t count, const std::vector<Follower> &followers) {
  std::vector<Image> result;
  for (std::size_t d = 0; d < count; ++d) {
    result.push_back({static_cast<std::int32_t>(d), 1.0});
  }
  for (const Follower &each : followers) {
    result[index(each.dof)] = {each.leader, each.ratio};
  }
  return result;
}

Pattern folded_pattern(const Pattern &paths, const std::vector<Image> &image) {
  std::vector<std::set<std::int32_t>> rows(paths.size()); // what is below the diagonal
  for (std::size_t i = 0; i < paths.size(); ++i) {
    for (std::size_t at = paths.start[i]; at < paths.start[i + 1]; ++at) {
      const std::int32_t a = image[i].dof, b = image[index(paths.columns[at])].dof;
      if (a >= 0 && b >= 0 && a != b) {
        rows[index(std::max(a, b))].insert(std::min(a, b));
      }
    }
  }
  std::vector<std::int32_t> parents(paths.size(), -1);
  for (std::size_t i = paths.size(); i-- > 0;) { // elimination hands what is left of a row down
    if (!rows[i].empty()) {
      parents[i] = *rows[i].rbegin();
      rows[index(parents[i])].insert(rows[i].begin(), std::prev(rows[i].end()));
    }
  }
  return Pattern(parents);
}

std::vector<Fold> folds(const Pattern &paths, const Pattern &pattern,
                        const std::vector<Image> &image) {
  std::vector<Fold> result;
  for (std::size_t i = 0; i < paths.size(); ++i) {
    for (std::size_t at = paths.start[i]; at < paths.start[i + 1]; ++at) {
      const auto j = index(paths.columns[at]);
      const Image &a = image[i], &b = image[j];
      if (a.dof < 0 || b.dof < 0) {
        result.push_back({FoldKind::dropped, 0, 0.0});
        continue;
      }
      const auto to = index(static_cast<std::int32_t>(pattern.find(index(a.dof), index(b.dof))));
      const FoldKind kind = a.dof == b.dof && i != j ? FoldKind::merged
                            : a.dof < b.dof          ? FoldKind::swapped
                                                     : FoldKind::straight;
      result.push_back({kind, to, a.ratio * b.ratio});
    }
  }
  return result;
}

void fold(const Dynamics &dynamics, double *f) {
  for (const Follower &each : dynamics.followers) {
    if (each.leader >= 0) {
      f[each.leader] += each.ratio * f[each.dof];
    }
    f[each.dof] = 0.0;
  }
}

void unfold(const Dynamics &dynamics, double *v) {
  for (const Follower &each : dynamics.followers) {
    v[each.dof] = each.leader < 0 ? 0.0 : each.ratio * v[each.leader];
  }
}

void follow(const Dynamics &dynamics, double *q, double *v) {
  unfold(dynamics, v);
  for (const Follower &each : dynamics.followers) {
    const double led = each.leader < 0 ? 0.0 : each.ratio * q[each.leader_position];
    q[each.position] = led + each.offset;
  }
}

void fold(const Dynamics &dynamics, const std::vector<double> &full, std::vector<double> &folded) {
  std::fill(folded.begin(), folded.end(), 0.0);
  for (std::size_t k = 0; k < full.size(); ++k) {
    const Fold &to = dynamics.folds[k];
    folded[to.at] += (to.kind == FoldKind::merged ? 2.0 : 1.0) * to.share * full[k];
  }
  for (const Follower &each : dynamics.followers) {
    folded[dynamics.pattern.start[index(each.dof)]] =
        alone(full[dynamics.paths.start[index(each.dof)]]);
  }
}

void fold(const Dynamics &dynamics, const GeneralMatrix &full, GeneralMatrix &folded) {
  std::fill(folded.lower.begin(), folded.lower.end(), 0.0);
  std::fill(folded.upper.begin(), folded.upper.end(), 0.0);
  for (std::size_t k = 0; k < full.lower.size(); ++k) {
    const Fold &to = dynamics.folds[k];
    const double lower = to.share * full.lower[k], upper = to.share * full.upper[k];
    const bool swapped = to.kind == FoldKind::swapped;
    folded.lower[to.at] += swapped ? upper : lower;
    folded.upper[to.at] += swapped ? lower : upper;
    folded.lower[to.at] += to.kind == FoldKind::merged ? upper : 0.0;
  }
}

void fold(const Dynamics &dynamics, Rows &rows) {
  if (dynamics.followers.empty()) {
    return;
  }
  rows.folded_columns.clear();
  rows.folded_values.clear();
  for (Block &block : rows.blocks) {
    const std::size_t first_column = rows.folded_columns.size();
    const std::size_t first_value = rows.folded_values.size();
    fold_block(dynamics, block, rows);
    block.first_column = first_column;
    block.first_value = first_value;
    block.columns = static_cast<std::uint32_t>(rows.folded_columns.size() - first_column);
  }
  std::swap(rows.columns, rows.folded_columns);
  std::swap(rows.values, rows.folded_values);
  find_paths(dynamics.pattern, rows);
}

} // namespace phyzctl
