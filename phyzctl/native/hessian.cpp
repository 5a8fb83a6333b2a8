#include "hessian.hpp"

#include <algorithm>
#include <iterator>

#include "bits.hpp"
#include "block_law.hpp"
#include "products.hpp"

namespace phyzctl {
namespace {

std::size_t index(std::int32_t i) { return static_cast<std::size_t>(i); }

// Whether the curvature is zero.
bool flat(const double *curvature, std::size_t count) {
  return std::all_of(curvature, curvature + count, [](double w) { return w == 0.0; });
}

} // namespace

Hessian::Hessian(const Pattern &pattern) : pattern_(pattern) {}

void Hessian::prepare(const Rows &rows, const Islands &islands, const Island &island) {
  const std::uint32_t *blocks = islands.blocks.data();
  const bool on_path = std::all_of(blocks + island.first_block, blocks + island.end_block,
                                   [&](std::uint32_t b) { return rows.blocks[b].on_path; });
  const bool crossed = cross(rows, islands, island);
  const bool known = !crossed && on_path == on_path_ && islands.found == found_ && island_ == &island;
  islands_ = &islands;
  island_ = &island;
  on_path_ = on_path;
  found_ = islands.found;
  if (known) {
    return; // rows may be others, but no other entries follow from them
  }
  find_order(rows);
  panel_of_.resize(islands.segments.items.size());
  panels_.clear();
  for (const std::uint32_t segment : order_) {
    panel_of_[segment] = static_cast<std::uint32_t>(panels_.items.size());
    panels_.add(segment, islands.segments.items[segment].count);
  }
  find_parts(rows);
  panels_.settle();
  diagonal_.resize(panels_.size);
  x_.resize(panels_.size);
}

// Blocks that keep to no path of the tree, by their columns. True where they are others than before.
bool Hessian::cross(const Rows &rows, const Islands &islands, const Island &island) {
  columns_.clear();
  for (std::size_t at = island.first_block; at < island.end_block; ++at) {
    const Block &block = rows.blocks[islands.blocks[at]];
    if (!block.on_path) {
      const auto first = rows.columns.begin() + static_cast<std::ptrdiff_t>(block.first_column);
      columns_.push_back(-1);
      columns_.insert(columns_.end(), first, first + block.columns);
    }
  }
  std::swap(columns_, crossing_);
  return columns_ != crossing_;
}

// The last segments of a tree first: those before carry them.
void Hessian::find_order(const Rows &rows) {
  const std::uint32_t *of_islands = islands_->of_islands.data();
  order_.assign(std::make_reverse_iterator(of_islands + island_->end_segment),
                std::make_reverse_iterator(of_islands + island_->first_segment));
  if (on_path_) {
    return;
  }
  trees_.find(rows, *islands_, *island_);
  std::sort(order_.begin(), order_.end(), [&](std::uint32_t a, std::uint32_t b) {
    const auto rank = [&](std::uint32_t s) { return trees_.rank(islands_->segments.items[s].tree); };
    return rank(a) != rank(b) ? rank(a) < rank(b) : a > b;
  });
}

void Hessian::find_parts(const Rows &rows) {
  const std::vector<Segment> &segments = islands_->segments.items;
  const auto each_carrier = [&](std::size_t p, auto visit) {
    for (std::int32_t s = segments[order_[p]].parent; s >= 0; s = segments[index(s)].parent) {
      visit(panel_of_[index(s)]);
    }
  };
  if (on_path_) {
    for (std::size_t p = 0; p < order_.size(); ++p) {
      each_carrier(p, [&](std::uint32_t carrier) { panels_.add_part(p, carrier); });
    }
    return;
  }
  words_ = (order_.size() + word_bits - 1) / word_bits;
  masks_.assign(order_.size() * words_, 0);
  for (std::size_t p = 0; p < order_.size(); ++p) {
    each_carrier(p, [&](std::uint32_t carrier) { couple(p, carrier); });
  }
  for (std::size_t at = island_->first_block; at < island_->end_block; ++at) {
    couple(rows, rows.blocks[islands_->blocks[at]]);
  }
  for (std::size_t p = 0; p < order_.size(); ++p) {
    hand_down(p);
  }
}

void Hessian::couple(std::size_t panel, std::size_t other) {
  masks_[panel * words_ + other / word_bits] |= bit(other);
}

// All of a block's columns: the first panel has them.
void Hessian::couple(const Rows &rows, const Block &block) {
  const std::int32_t *columns = rows.columns.data() + block.first_column;
  const auto panel = [&](std::uint32_t k) {
    return panel_of_[islands_->segments.of[index(columns[k])]];
  };
  if (block.on_path) {
    return; // as the mass matrix does
  }
  std::uint32_t first = panel(0);
  for (std::uint32_t k = 1; k < block.columns; ++k) {
    first = std::min(first, panel(k));
  }
  for (std::uint32_t k = 0; k < block.columns; ++k) {
    if (panel(k) != first) {
      couple(first, panel(k));
    }
  }
}

// When a panel is eliminated, its columns become columns of the first panel among them.
void Hessian::hand_down(std::size_t panel) {
  const std::uint64_t *mine = masks_.data() + panel * words_;
  std::uint64_t *heir = nullptr;
  std::size_t first = 0;
  for_each_bit(mine, words_, [&](std::size_t part) {
    panels_.add_part(panel, static_cast<std::uint32_t>(part));
    if (heir == nullptr) {
      first = part;
      heir = masks_.data() + part * words_;
    }
  });
  for (std::size_t w = 0; w < words_ && heir != nullptr; ++w) {
    heir[w] |= mine[w];
  }
  if (heir != nullptr) {
    heir[first / word_bits] &= ~bit(first);
  }
}

// The mass matrix: of a segment all, and the segments that carry it.
void Hessian::spread(const double *M) {
  const std::vector<Segment> &segments = islands_->segments.items;
  for (const Panel &panel : panels_.items) {
    const Segment &segment = segments[panel.segment];
    for (std::uint32_t r = 0; r < panel.count; ++r) {
      const double *from = M + pattern_.start[segment.last() - r];
      double *row = panels_.row(panel, r);
      std::copy_n(from, panel.count - r, row + r);
      from += panel.count - r;
      std::fill(row + panel.count, row + panel.width, 0.0);
      const Part *part = panels_.parts.data() + panel.first_part;
      for (std::int32_t s = segment.parent; s >= 0; s = segments[index(s)].parent) {
        while (part->panel != panel_of_[index(s)]) {
          ++part;
        }
        std::copy_n(from, segments[index(s)].count, row + part->column);
        from += segments[index(s)].count;
      }
    }
  }
}

void Hessian::make(const double *M, const Rows &rows, const double *curvature,
                   const std::vector<std::size_t> &starts) {
  spread(M);
  for (std::size_t at = island_->first_block; at < island_->end_block; ++at) {
    const std::uint32_t b = islands_->blocks[at];
    add_block(rows, rows.blocks[b], curvature + starts[b]);
  }
  for (const Panel &panel : panels_.items) {
    for (std::size_t r = 0; r < panel.count; ++r) {
      diagonal_[panel.place + r] = panels_.row(panel, r)[r];
    }
  }
  factorize(panels_);
}

void Hessian::find_runs(const Rows &rows, const Block &block) {
  const std::int32_t *columns = rows.columns.data() + block.first_column;
  runs_.clear();
  for (std::uint32_t k = 0; k < block.columns;) {
    const auto dof = static_cast<std::uint32_t>(columns[k]);
    const std::uint32_t number = islands_->segments.of[dof];
    const Segment &segment = islands_->segments.items[number];
    std::uint32_t end = std::min(block.columns, k + dof - segment.first + 1);
    while (columns[k] - columns[end - 1] != static_cast<std::int32_t>(end - 1 - k)) {
      --end; // it leaves some out
    }
    runs_.push_back({panel_of_[number], segment.last() - dof, k, end - k, 0});
    k = end;
  }
  if (!block.on_path) { // else they rise as they are
    std::sort(runs_.begin(), runs_.end(), [](const Run &a, const Run &b) {
      return a.panel != b.panel ? a.panel < b.panel : a.offset < b.offset;
    });
  }
}

// Where the panel of the run `first` has it and those after it.
void Hessian::place_runs(std::size_t first) {
  const Panel &panel = panels_.items[runs_[first].panel];
  const Part *part = panels_.parts.data() + panel.first_part;
  for (std::size_t k = first; k < runs_.size(); ++k) {
    if (runs_[k].panel == runs_[first].panel) {
      runs_[k].base = runs_[k].offset;
      continue;
    }
    while (part->panel != runs_[k].panel) {
      ++part;
    }
    runs_[k].base = part->column + runs_[k].offset;
  }
}

void Hessian::add_block(const Rows &rows, const Block &block, const double *curvature) {
  const std::size_t n = block.rows, width = block.columns;
  const double *values = rows.values.data() + block.first_value;
  if (width == 1 && n == 1) {
    const auto dof = static_cast<std::uint32_t>(rows.columns[block.first_column]);
    const std::uint32_t segment = islands_->segments.of[dof];
    const std::uint32_t offset = islands_->segments.items[segment].last() - dof;
    panels_.row(panels_.items[panel_of_[segment]], offset)[offset] +=
        curvature[0] * values[0] * values[0];
    return;
  }
  const bool full = coupled(block);
  if (flat(curvature, full ? n * n : n)) {
    return;
  }
  find_runs(rows, block);
  weighted_.assign(n * width, 0.0); // column by column
  for (std::size_t r = 0; r < n; ++r) {
    for (std::size_t s = full ? 0 : r; s < (full ? n : r + 1); ++s) {
      const double weight = full ? curvature[r * n + s] : curvature[r];
      for (std::size_t k = 0; k < width; ++k) {
        weighted_[k * n + r] += weight * values[s * width + k];
      }
    }
  }
  by_count(n, [&](auto count) { add_runs<count>(values, width); });
}

template <std::size_t n> void Hessian::add_runs(const double *values, std::size_t width) {
  for (std::size_t first = 0; first < runs_.size(); ++first) {
    place_runs(first);
    const Run &own = runs_[first];
    for (std::uint32_t i = 0; i < own.count; ++i) {
      const double *weighted = weighted_.data() + (own.first + i) * n;
      double *row = panels_.row(panels_.items[own.panel], own.offset + i);
      std::uint32_t skip = i; // what is left of the diagonal is on its other side
      for (std::size_t k = first; k < runs_.size(); ++k) {
        const Run &run = runs_[k];
        add_products<n>(weighted, values + run.first + skip, width, run.count - skip,
                        row + run.base + skip);
        skip = 0;
      }
    }
  }
}

double Hessian::largest_share(const double *gradient) const {
  double most = 0.0;
  for (const Panel &panel : panels_.items) {
    const double *last = gradient + islands_->segments.items[panel.segment].last();
    for (std::size_t r = 0; r < panel.count; ++r, --last) {
      most = std::max(most, *last * *last / diagonal_[panel.place + r]);
    }
  }
  return most;
}

void Hessian::solve(double *x) {
  const auto visit = [&](auto each) {
    for (const Panel &panel : panels_.items) {
      double *last = x + islands_->segments.items[panel.segment].last();
      for (std::size_t r = 0; r < panel.count; ++r) {
        each(x_[panel.place + r], *(last - r));
      }
    }
  };
  visit([](double &mine, double &theirs) { mine = theirs; });
  phyzctl::solve(panels_, x_.data());
  visit([](double &mine, double &theirs) { theirs = mine; });
}

} // namespace phyzctl
