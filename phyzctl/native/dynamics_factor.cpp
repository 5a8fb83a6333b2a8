#include "dynamics_factor.hpp"

#include <algorithm>

namespace phyzctl {

Pattern::Pattern(const std::vector<std::int32_t> &parents) {
  start.push_back(0);
  for (std::size_t i = 0; i < parents.size(); ++i) {
    for (auto j = static_cast<std::int32_t>(i); j >= 0; j = parents[static_cast<std::size_t>(j)]) {
      columns.push_back(j);
    }
    start.push_back(columns.size());
  }
}

std::ptrdiff_t Pattern::find(std::size_t i, std::size_t j) const {
  if (i < j) {
    std::swap(i, j);
  }
  const auto first = columns.begin() + static_cast<std::ptrdiff_t>(start[i]);
  const auto end = columns.begin() + static_cast<std::ptrdiff_t>(start[i + 1]);
  const auto found = std::find(first, end, static_cast<std::int32_t>(j));
  return found == end ? -1 : found - columns.begin();
}

void factorize(const Pattern &pattern, double *matrix) {
  factorize(pattern, {0, pattern.size()}, matrix);
}

void factorize(const Pattern &pattern, const Range &range, double *matrix) {
  for (std::size_t k = range.end; k-- > range.first;) {
    double *row = matrix + pattern.start[k];
    const std::int32_t *columns = pattern.columns.data() + pattern.start[k];
    const std::size_t length = pattern.start[k + 1] - pattern.start[k];
    const double inverse = 1.0 / row[0];
    for (std::size_t a = 1; a < length; ++a) {
      const double l = row[a] * inverse;
      // The rest of row k has the columns of row `columns[a]`.
      double *other = matrix + pattern.start[static_cast<std::size_t>(columns[a])];
      for (std::size_t b = a; b < length; ++b) {
        other[b - a] -= l * row[b];
      }
      row[a] = l;
    }
  }
}

void solve(const Pattern &pattern, const double *factor, double *x) {
  const Range all{0, pattern.size()};
  solve_down(pattern, all, factor, x);
  solve_up(pattern, all, factor, x);
}

void solve_down(const Pattern &pattern, const Range &range, const double *factor, double *x) {
  for (std::size_t k = range.end; k-- > range.first;) {
    for (std::size_t at = pattern.start[k] + 1; at < pattern.start[k + 1]; ++at) {
      x[pattern.columns[at]] -= factor[at] * x[k];
    }
  }
}

void solve_up(const Pattern &pattern, const Range &range, const double *factor, double *x) {
  for (std::size_t k = range.first; k < range.end; ++k) {
    double sum = x[k] / factor[pattern.start[k]];
    for (std::size_t at = pattern.start[k] + 1; at < pattern.start[k + 1]; ++at) {
      sum -= factor[at] * x[pattern.columns[at]];
    }
    x[k] = sum;
  }
}

void densify(const Pattern &pattern, const double *matrix, double *dense) {
  const std::size_t size = pattern.size();
  std::fill_n(dense, size * size, 0.0);
  for (std::size_t i = 0; i < size; ++i) {
    for (std::size_t at = pattern.start[i]; at < pattern.start[i + 1]; ++at) {
      const auto j = static_cast<std::size_t>(pattern.columns[at]);
      dense[i * size + j] = dense[j * size + i] = matrix[at];
    }
  }
}

} // namespace phyzctl
