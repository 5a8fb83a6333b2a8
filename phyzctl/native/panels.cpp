#include "panels.hpp"

#include <algorithm>
#include <type_traits>

namespace phyzctl {
namespace {

// target[c] -= the sum over n rows of factor times row[c]. Two columns at a time, all reads of them
// before the writes: compilers make vectors of that.
template <std::size_t n>
inline void subtract(const double *factors, const double *rows, std::size_t width, std::size_t count,
              double *target) {
  double f[n];
  for (std::size_t r = 0; r < n; ++r) {
    f[r] = factors[r];
  }
  std::size_t c = 0;
  for (; c + 2 <= count; c += 2) {
    double sums[2] = {0.0, 0.0};
    for (std::size_t r = 0; r < n; ++r) {
      sums[0] += f[r] * rows[r * width + c];
      sums[1] += f[r] * rows[r * width + c + 1];
    }
    target[c] -= sums[0];
    target[c + 1] -= sums[1];
  }
  if (c < count) {
    double sum = 0.0;
    for (std::size_t r = 0; r < n; ++r) {
      sum += f[r] * rows[r * width + c];
    }
    target[c] -= sum;
  }
}

template <std::size_t n> void factorize_own(double *rows, std::size_t width) {
  for (std::size_t r = 0; r < n; ++r) {
    double *mine = rows + r * width;
    const double inverse = 1.0 / mine[r];
    for (std::size_t a = r + 1; a < n; ++a) {
      const double l = mine[a] * inverse;
      subtract<1>(&l, mine + a, width, width - a, rows + a * width + a);
      mine[a] = l;
    }
    mine[r] = inverse;
  }
}

// Where a panel's columns from those of its part `at` on stand in the panel of that part.
void find_runs(Panels &panels, const Panel &panel, std::size_t at) {
  const Part &own = panels.parts[at];
  const Panel &target = panels.items[own.panel];
  panels.runs.assign(1, {own.column, 0, target.count});
  const Part *there = panels.parts.data() + target.first_part;
  for (std::size_t next = at + 1; next < panel.end_part; ++next) {
    const Part &part = panels.parts[next];
    while (there->panel != part.panel) {
      ++there;
    }
    const std::size_t count = panels.items[part.panel].count;
    PanelRun &last = panels.runs.back();
    if (last.to + last.count == there->column) {
      last.count += count;
    } else {
      panels.runs.push_back({part.column, there->column, count});
    }
  }
}

// What eliminating a panel of n rows does to itself and to those after it.
template <std::size_t n> void eliminate(Panels &panels, const Panel &panel) {
  double *rows = panels.row(panel, 0);
  const std::size_t width = panel.width;
  factorize_own<n>(rows, width);
  for (std::size_t at = panel.first_part; at < panel.end_part; ++at) {
    find_runs(panels, panel, at);
    const Part &part = panels.parts[at];
    const Panel &target = panels.items[part.panel];
    for (std::size_t j = 0; j < target.count; ++j) {
      double factors[n];
      double *column = rows + part.column + j;
      for (std::size_t r = 0; r < n; ++r) {
        factors[r] = column[r * width] * rows[r * width + r];
      }
      std::size_t skip = j; // the row's own columns start on the diagonal
      double *row = panels.row(target, j);
      for (const PanelRun &run : panels.runs) {
        subtract<n>(factors, rows + run.from + skip, width, run.count - skip,
                    row + run.to + skip);
        skip = 0;
      }
      for (std::size_t r = 0; r < n; ++r) {
        column[r * width] = factors[r];
      }
    }
  }
}

// x, less what a panel's rows take from later ones.
template <std::size_t n> void solve_down(const Panels &panels, const Panel &panel, double *x) {
  const double *rows = panels.row(panel, 0);
  const std::size_t width = panel.width;
  double *own = x + panel.place;
  for (std::size_t r = 0; r + 1 < n; ++r) {
    for (std::size_t a = r + 1; a < n; ++a) {
      own[a] -= rows[r * width + a] * own[r];
    }
  }
  for (std::size_t at = panel.first_part; at < panel.end_part; ++at) {
    const Part &part = panels.parts[at];
    const Panel &other = panels.items[part.panel];
    subtract<n>(own, rows + part.column, width, other.count, x + other.place);
  }
}

template <std::size_t n> void solve_up(const Panels &panels, const Panel &panel, double *x) {
  const double *rows = panels.row(panel, 0);
  const std::size_t width = panel.width;
  double *own = x + panel.place;
  double sums[n];
  for (std::size_t r = 0; r < n; ++r) {
    sums[r] = own[r] * rows[r * width + r];
  }
  for (std::size_t at = panel.first_part; at < panel.end_part; ++at) {
    const Part &part = panels.parts[at];
    const Panel &other = panels.items[part.panel];
    for (std::size_t j = 0; j < other.count; ++j) {
      const double value = x[other.place + j];
      for (std::size_t r = 0; r < n; ++r) {
        sums[r] -= rows[r * width + part.column + j] * value;
      }
    }
  }
  for (std::size_t r = n; r-- > 0;) {
    for (std::size_t a = r + 1; a < n; ++a) {
      sums[r] -= rows[r * width + a] * sums[a];
    }
    own[r] = sums[r];
  }
}

// Calls visit with the number of the panel's rows as a type.
template <class Visit> void by_count(const Panel &panel, Visit visit) {
  static_assert(longest_segment == 6);
  switch (panel.count) {
  case 1:
    return visit(std::integral_constant<std::size_t, 1>());
  case 2:
    return visit(std::integral_constant<std::size_t, 2>());
  case 3:
    return visit(std::integral_constant<std::size_t, 3>());
  case 4:
    return visit(std::integral_constant<std::size_t, 4>());
  case 5:
    return visit(std::integral_constant<std::size_t, 5>());
  default:
    return visit(std::integral_constant<std::size_t, 6>());
  }
}

} // namespace

void Panels::clear() {
  items.clear();
  parts.clear();
  size = 0;
}

void Panels::add(std::uint32_t segment, std::uint32_t count) {
  items.push_back({segment, count, count, size, 0, 0, 0});
  size += count;
}

void Panels::add_part(std::size_t panel, std::uint32_t part) {
  Panel &to = items[panel];
  if (to.width == to.count) {
    to.first_part = parts.size();
  }
  parts.push_back({part, to.width});
  to.end_part = parts.size();
  to.width += items[part].count;
}

void Panels::settle() {
  std::size_t filled = 0;
  for (Panel &panel : items) {
    panel.start = filled;
    filled += std::size_t{panel.count} * panel.width;
  }
  numbers.resize(std::max(numbers.size(), filled));
}

void factorize(Panels &panels) {
  for (const Panel &panel : panels.items) {
    by_count(panel, [&](auto n) { eliminate<n>(panels, panel); });
  }
}

void solve(const Panels &panels, double *x) {
  for (const Panel &panel : panels.items) {
    by_count(panel, [&](auto n) { solve_down<n>(panels, panel, x); });
  }
  for (std::size_t p = panels.items.size(); p-- > 0;) {
    const Panel &panel = panels.items[p];
    by_count(panel, [&](auto n) { solve_up<n>(panels, panel, x); });
  }
}

} // namespace phyzctl
