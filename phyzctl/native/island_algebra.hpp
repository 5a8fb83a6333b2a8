// Products and solutions of the part of a problem that an island has.
#pragma once

#include <algorithm>
#include <vector>

#include "products.hpp"
#include "rows.hpp"

namespace phyzctl {

// Ranges of degrees of freedom, as lists of them to loop over.
struct Ranges {
  const Range *first, *last;
  const Range *begin() const { return first; }
  const Range *end() const { return last; }
};

template <class Visit> void each_dof(const Ranges &ranges, Visit visit) {
  for (const Range &range : ranges) {
    for (std::size_t d = range.first; d < range.end; ++d) {
      visit(d);
    }
  }
}

inline double dot(const Ranges &ranges, const std::vector<double> &a, const std::vector<double> &b) {
  double sum = 0.0;
  for (const Range &range : ranges) {
    for (std::size_t d = range.first; d < range.end; ++d) {
      sum += a[d] * b[d];
    }
  }
  return sum;
}

// y = M x, of a symmetric matrix.
inline void multiply(const Pattern &pattern, const Ranges &ranges, const double *M, const double *x,
              double *y) {
  for (const Range &range : ranges) {
    for (std::size_t i = range.first; i < range.end; ++i) {
      const std::size_t start = pattern.start[i];
      double sum = M[start] * x[i];
      for (std::size_t at = start + 1; at < pattern.start[i + 1]; ++at) {
        const std::int32_t j = pattern.columns[at];
        sum += M[at] * x[j];
        y[j] += M[at] * x[i];
      }
      y[i] = sum; // what later rows add comes later
    }
  }
}

// Makes the factors of M.
inline void factorize_for(const Pattern &pattern, const Ranges &ranges, const std::vector<double> &M,
                          std::vector<double> &factor) {
  for (const Range *range = ranges.end(); range-- != ranges.begin();) {
    std::copy(M.begin() + static_cast<std::ptrdiff_t>(pattern.start[range->first]),
              M.begin() + static_cast<std::ptrdiff_t>(pattern.start[range->end]),
              factor.begin() + static_cast<std::ptrdiff_t>(pattern.start[range->first]));
  }
  for (const Range *range = ranges.end(); range-- != ranges.begin();) {
    factorize(pattern, *range, factor.data());
  }
}

// x becomes M^-1 x, by the factors of M.
inline void solve_with(const Pattern &pattern, const Ranges &ranges, const std::vector<double> &factor,
                       double *x) {
  for (const Range *range = ranges.end(); range-- != ranges.begin();) {
    solve_down(pattern, *range, factor.data(), x);
  }
  for (const Range &range : ranges) {
    solve_up(pattern, range, factor.data(), x);
  }
}

// Both.
inline void solve_for(const Pattern &pattern, const Ranges &ranges, const std::vector<double> &M,
                      std::vector<double> &factor, double *x) {
  factorize_for(pattern, ranges, M, factor);
  solve_with(pattern, ranges, factor, x);
}

// The Jacobian's rows of a block times x.
inline void apply(const Rows &rows, const Block &block, const double *x, double *result) {
  const double *values = rows.values.data() + block.first_value;
  const std::int32_t *columns = rows.columns.data() + block.first_column;
  if (block.single()) {
    result[block.first_row] = values[0] * x[columns[0]];
    return;
  }
  by_count(block.rows, [&](auto n) {
    double sums[n] = {};
    for (std::size_t k = 0; k < block.columns; ++k) {
      const double moved = x[columns[k]];
      for (std::size_t r = 0; r < n; ++r) {
        sums[r] += values[r * block.columns + k] * moved;
      }
    }
    std::copy_n(sums, std::size_t{n}, result + block.first_row);
  });
}

// result += what a block's rows push with forces f.
inline void push(const Rows &rows, const Block &block, const double *f, double *result) {
  const double *values = rows.values.data() + block.first_value;
  const std::int32_t *columns = rows.columns.data() + block.first_column;
  if (block.single()) {
    result[columns[0]] += values[0] * f[block.first_row];
    return;
  }
  by_count(block.rows, [&](auto n) {
    double forces[n];
    bool pushes = false;
    for (std::size_t r = 0; r < n; ++r) {
      forces[r] = f[block.first_row + r];
      pushes = pushes || forces[r] != 0.0;
    }
    for (std::size_t k = 0; k < block.columns && pushes; ++k) {
      double sum = 0.0;
      for (std::size_t r = 0; r < n; ++r) {
        sum += values[r * block.columns + k] * forces[r];
      }
      result[columns[k]] += sum;
    }
  });
}

} // namespace phyzctl
