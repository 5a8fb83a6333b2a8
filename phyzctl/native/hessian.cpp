#include "hessian.hpp"

#include <algorithm>

#include "block_law.hpp"

namespace phyzctl {
namespace {

std::size_t index(std::int32_t i) { return static_cast<std::size_t>(i); }

constexpr std::size_t bits = 64;

int highest(std::uint64_t word) { // of one that is not zero
#if defined(__GNUC__)
  return 63 - __builtin_clzll(word);
#else
  int bit = -1;
  for (; word != 0; word >>= 1) {
    ++bit;
  }
  return bit;
#endif
}

// target[k] += the sum over n rows of weight times value.
template <std::size_t n, class At>
void add_rows(const double *weights, const double *values, std::size_t width, std::size_t first,
              At at) {
  for (std::size_t j = first; j < width; ++j) {
    double sum = 0.0;
    for (std::size_t r = 0; r < n; ++r) {
      sum += weights[r] * values[r * width + j];
    }
    at(j) += sum;
  }
}

// The same, unrolled for as many rows as blocks have.
template <class At>
void add_rows(std::size_t n, const double *weights, const double *values, std::size_t width,
              std::size_t first, At at) {
  switch (n) {
  case 1:
    return add_rows<1>(weights, values, width, first, at);
  case 3:
    return add_rows<3>(weights, values, width, first, at);
  case 4:
    return add_rows<4>(weights, values, width, first, at);
  default:
    return add_rows<6>(weights, values, width, first, at);
  }
}

} // namespace

Hessian::Hessian(const Pattern &pattern)
    : pattern_(pattern), size_(pattern.size()), words_((size_ + bits - 1) / bits),
      numbers_(pattern.entries()), own_(size_ * words_), masks_(own_.size()) {
  for (std::size_t i = 0; i < size_; ++i) {
    depths_.push_back(pattern.start[i + 1] - pattern.start[i]);
    for (std::size_t at = pattern.start[i]; at < pattern.start[i + 1]; ++at) {
      const std::size_t column = index(pattern.columns[at]);
      own_[i * words_ + column / bits] |= std::uint64_t{1} << column % bits;
    }
  }
}

void Hessian::prepare(const Rows &rows) {
  square_ = std::any_of(rows.blocks.begin(), rows.blocks.end(),
                        [](const Block &block) { return !block.on_path; });
  if (square_) {
    numbers_.resize(std::max(numbers_.size(), size_ * size_));
    find_rows(rows);
  }
}

// A block couples all of its columns: its first row has them, and elimination hands them down.
void Hessian::find_rows(const Rows &rows) {
  masks_ = own_;
  for (const Block &block : rows.blocks) {
    const std::int32_t *columns = rows.columns.data() + block.first_column;
    std::uint64_t *mask = masks_.data() + index(columns[0]) * words_;
    for (std::uint32_t k = 0; k < block.columns && !block.on_path; ++k) {
      mask[index(columns[k]) / bits] |= std::uint64_t{1} << index(columns[k]) % bits;
    }
  }
  start_.assign(size_ + 1, 0);
  columns_.resize(std::max(columns_.size(), size_ * (size_ + 1) / 2));
  std::size_t filled = 0;
  for (std::size_t i = size_; i-- > 0;) { // rows stand in falling order
    const std::uint64_t *mask = masks_.data() + i * words_;
    start_[i + 1] = filled;
    for (std::size_t w = words_; w-- > 0;) {
      for (std::uint64_t word = mask[w]; word != 0;) {
        const int bit = highest(word);
        word ^= std::uint64_t{1} << bit;
        columns_[filled++] = static_cast<std::int32_t>(w * bits) + bit;
      }
    }
    if (filled - start_[i + 1] > 1) {
      const std::size_t parent = index(columns_[start_[i + 1] + 1]);
      for (std::size_t w = 0; w < words_; ++w) {
        masks_[parent * words_ + w] |= mask[w];
      }
      masks_[parent * words_ + i / bits] &= ~(std::uint64_t{1} << i % bits);
    }
  }
  start_[0] = filled;
}

void Hessian::spread(const double *M) {
  for (std::size_t i = 0; i < size_; ++i) {
    double *mine = row(i);
    for (std::size_t at = start_[i + 1]; at < start_[i]; ++at) {
      mine[columns_[at]] = 0.0;
    }
    for (std::size_t at = pattern_.start[i]; at < pattern_.start[i + 1]; ++at) {
      mine[pattern_.columns[at]] = M[at];
    }
  }
}

void Hessian::make(const double *M, const Rows &rows, const double *curvature,
                   const std::vector<std::size_t> &starts) {
  if (square_) {
    spread(M);
  } else {
    std::copy_n(M, pattern_.entries(), numbers_.begin());
  }
  for (std::size_t b = 0; b < rows.blocks.size(); ++b) {
    add_block(rows, rows.blocks[b], curvature + starts[b]);
  }
  if (square_) {
    factorize_square();
  } else {
    factorize(pattern_, numbers_.data());
  }
}

void Hessian::add_block(const Rows &rows, const Block &block, const double *curvature) {
  const std::size_t n = block.rows, width = block.columns;
  const std::int32_t *columns = rows.columns.data() + block.first_column;
  const double *values = rows.values.data() + block.first_value;
  if (width == 1 && n == 1) {
    const std::size_t d = index(columns[0]);
    row(d)[square_ ? d : 0] += curvature[0] * values[0] * values[0];
    return;
  }
  const bool full = coupled(block);
  if (std::all_of(curvature, curvature + (full ? n * n : n), [](double w) { return w == 0.0; })) {
    return;
  }
  for (std::size_t i = 0; i < width; ++i) {
    double weighted[6];
    for (std::size_t r = 0; r < n; ++r) {
      weighted[r] = full ? 0.0 : curvature[r] * values[r * width + i];
      for (std::size_t s = 0; s < n && full; ++s) {
        weighted[r] += curvature[r * n + s] * values[s * width + i];
      }
    }
    double *mine = row(index(columns[i]));
    if (square_) {
      add_rows(n, weighted, values, width, i,
               [&](std::size_t j) -> double & { return mine[columns[j]]; });
    } else if (columns[i] - columns[width - 1] == static_cast<std::int32_t>(width - 1 - i)) {
      add_rows(n, weighted, values, width, i,
               [&](std::size_t j) -> double & { return mine[j - i]; });
    } else {
      const std::size_t depth = depths_[index(columns[i])];
      add_rows(n, weighted, values, width, i, [&](std::size_t j) -> double & {
        return mine[depth - depths_[index(columns[j])]];
      });
    }
  }
}

// As phyzctl::factorize, along rows that were found.
void Hessian::factorize_square() {
  for (std::size_t k = size_; k-- > 0;) {
    double *mine = row(k);
    const std::int32_t *columns = columns_.data() + start_[k + 1];
    const std::size_t length = start_[k] - start_[k + 1];
    const double inverse = 1.0 / mine[k];
    for (std::size_t a = 1; a < length; ++a) {
      const double l = mine[columns[a]] * inverse;
      double *other = row(index(columns[a]));
      for (std::size_t b = a; b < length; ++b) {
        other[columns[b]] -= l * mine[columns[b]];
      }
      mine[columns[a]] = l;
    }
  }
}

void Hessian::solve(double *x) const {
  if (square_) {
    solve_square(x);
  } else {
    phyzctl::solve(pattern_, numbers_.data(), x);
  }
}

void Hessian::solve_square(double *x) const {
  for (std::size_t k = size_; k-- > 0;) {
    const double *mine = numbers_.data() + k * size_;
    for (std::size_t at = start_[k + 1] + 1; at < start_[k]; ++at) {
      x[columns_[at]] -= mine[columns_[at]] * x[k];
    }
  }
  for (std::size_t k = 0; k < size_; ++k) {
    const double *mine = numbers_.data() + k * size_;
    double sum = x[k] / mine[k];
    for (std::size_t at = start_[k + 1] + 1; at < start_[k]; ++at) {
      sum -= mine[columns_[at]] * x[columns_[at]];
    }
    x[k] = sum;
  }
}

} // namespace phyzctl
