#include "panels.hpp"

#include <algorithm>

#include "products.hpp"

namespace phyzctl {
namespace {

template <std::size_t n> void factorize_own(double *rows, std::size_t width) {
  for (std::size_t r = 0; r < n; ++r) {
    double *mine = rows + r * width;
    const double inverse = 1.0 / mine[r];
    for (std::size_t a = r + 1; a < n; ++a) {
      const double l = mine[a] * inverse;
      const double less = -l;
      add_products<1>(&less, mine + a, width, width - a, rows + a * width + a);
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
      double less[n];
      double *column = rows + part.column + j;
      for (std::size_t r = 0; r < n; ++r) {
        less[r] = -column[r * width] * rows[r * width + r];
      }
      std::size_t skip = j; // the row's own columns start on the diagonal
      double *row = panels.row(target, j);
      for (const PanelRun &run : panels.runs) {
        add_products<n>(less, rows + run.from + skip, width, run.count - skip,
                        row + run.to + skip);
        skip = 0;
      }
      for (std::size_t r = 0; r < n; ++r) {
        column[r * width] = -less[r];
      }
    }
  }
}

// x, less what a panel's rows take from later ones.
template <std::size_t n> void solve_down(const Panels &panels, const Panel &panel, double *x) {
  const double *rows = panels.row(panel, 0);
  const std::size_t width = panel.width;
  double *own = x + panel.place;
  double less[n];
  for (std::size_t r = 0; r < n; ++r) {
    for (std::size_t a = r + 1; a < n; ++a) {
      own[a] -= rows[r * width + a] * own[r];
    }
    less[r] = -own[r];
  }
  for (std::size_t at = panel.first_part; at < panel.end_part; ++at) {
    const Part &part = panels.parts[at];
    const Panel &other = panels.items[part.panel];
    add_products<n>(less, rows + part.column, width, other.count, x + other.place);
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
    by_count(panel.count, [&](auto n) { eliminate<n>(panels, panel); });
  }
}

void solve(const Panels &panels, double *x) {
  for (const Panel &panel : panels.items) {
    by_count(panel.count, [&](auto n) { solve_down<n>(panels, panel, x); });
  }
  for (std::size_t p = panels.items.size(); p-- > 0;) {
    const Panel &panel = panels.items[p];
    by_count(panel.count, [&](auto n) { solve_up<n>(panels, panel, x); });
  }
}

} // namespace phyzctl
