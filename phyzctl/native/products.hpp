// Sums over a few rows of numbers, as many as a block or a panel has.
#pragma once

#include <cstddef>
#include <type_traits>

namespace phyzctl {

// target[c] += the sum over n rows of factor times row[c]. Two columns at a time, all reads of them
// before the writes: compilers make vectors of that.
template <std::size_t n>
inline void add_products(const double *factors, const double *rows, std::size_t width,
                         std::size_t count, double *target) {
  double f[n];
  for (std::size_t r = 0; r < n; ++r) {
    f[r] = factors[r];
  }
  std::size_t c = 0;
  for (; c + 2 <= count; c += 2) {
    double sums[2] = {target[c], target[c + 1]};
    for (std::size_t r = 0; r < n; ++r) {
      sums[0] += f[r] * rows[r * width + c];
      sums[1] += f[r] * rows[r * width + c + 1];
    }
    target[c] = sums[0];
    target[c + 1] = sums[1];
  }
  if (c < count) {
    double sum = target[c];
    for (std::size_t r = 0; r < n; ++r) {
      sum += f[r] * rows[r * width + c];
    }
    target[c] = sum;
  }
}

template <std::size_t n> using Count = std::integral_constant<std::size_t, n>;

// Calls visit with `n`, from 1 to 6, as a type.
template <class Visit> inline void by_count(std::size_t n, Visit visit) {
  switch (n) {
  case 1:
    return visit(Count<1>());
  case 2:
    return visit(Count<2>());
  case 3:
    return visit(Count<3>());
  case 4:
    return visit(Count<4>());
  case 5:
    return visit(Count<5>());
  default:
    return visit(Count<6>());
  }
}

} // namespace phyzctl
