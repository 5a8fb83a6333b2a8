// Symmetric positive definite matrices whose rows come in panels with the same columns, and their
// factors: L D L', the first panel's rows eliminated first.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "segments.hpp"

namespace phyzctl {

// Rows of one segment, its last degree of freedom first. Columns are its own in the same order,
// then those of its parts. Of its own square only the upper triangle is used.
struct Panel {
  std::uint32_t segment, count, width;
  std::size_t place;                 // of its first row in vectors
  std::size_t start;                 // of its numbers, row by row
  std::size_t first_part, end_part;
};

// A later panel, all of whose rows are columns.
struct Part {
  std::uint32_t panel, column;
};

// Columns in a row, and where a later panel has the same.
struct PanelRun {
  std::size_t from, to, count;
};

struct Panels {
  void clear();

  // The next panel, of so many rows, still without parts.
  void add(std::uint32_t segment, std::uint32_t count);

  // When all are there: a part of the panel that was the last to get one, or of a later one. Parts
  // of a panel rise.
  void add_part(std::size_t panel, std::uint32_t part);

  double *row(const Panel &panel, std::size_t r) {
    return numbers.data() + panel.start + r * panel.width;
  }
  const double *row(const Panel &panel, std::size_t r) const {
    return numbers.data() + panel.start + r * panel.width;
  }

  // When all parts are there: finds room for the numbers.
  void settle();

  std::size_t size = 0; // of vectors
  std::vector<Panel> items;
  std::vector<Part> parts;
  std::vector<double> numbers;
  std::vector<PanelRun> runs; // for `factorize`
};

// In place. The diagonal becomes the inverse of D, the rest of row i what column i of L is.
void factorize(Panels &panels);

// In place: x becomes the solution of A y = x.
void solve(const Panels &panels, double *x);

} // namespace phyzctl
