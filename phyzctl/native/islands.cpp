#include "islands.hpp"

#include <algorithm>
#include <numeric>

namespace phyzctl {
namespace {

std::size_t index(std::int32_t i) { return static_cast<std::size_t>(i); }

// Appends a segment's degrees of freedom to the ranges from `first` on.
void append(const Segment &segment, std::size_t first, std::vector<Range> &ranges) {
  const std::size_t end = std::size_t{segment.first} + segment.count;
  if (ranges.size() > first && ranges.back().end == segment.first) {
    ranges.back().end = end;
  } else {
    ranges.push_back({segment.first, end});
  }
}

} // namespace

Islands::Islands(const Pattern &pattern)
    : segments(pattern), leaders_(segments.trees), numbers_(segments.trees) {
  for (const std::uint32_t segment : segments.of) {
    trees_.push_back(segments.items[segment].tree);
  }
  items.reserve(segments.trees);
  of_islands.reserve(segments.items.size());
  ranges.reserve(segments.items.size());
  loose.reserve(segments.items.size());
}

std::uint32_t Islands::leader(std::uint32_t tree) {
  while (leaders_[tree] != tree) {
    tree = leaders_[tree] = leaders_[leaders_[tree]];
  }
  return tree;
}

std::uint32_t Islands::tree_of(const Rows &rows, const Block &block, std::uint32_t k) const {
  return trees_[index(rows.columns[block.first_column + k])];
}

void Islands::join_trees(const Rows &rows, const Block &block) {
  for (std::uint32_t k = 1; k < block.columns && !block.on_path; ++k) {
    const std::uint32_t a = leader(tree_of(rows, block, 0)), b = leader(tree_of(rows, block, k));
    leaders_[std::max(a, b)] = std::min(a, b);
  }
}

void Islands::number_islands(const Rows &rows) {
  std::fill(numbers_.begin(), numbers_.end(), -1);
  for (const Block &block : rows.blocks) {
    numbers_[leader(tree_of(rows, block, 0))] = 0;
  }
  for (std::uint32_t tree = 0; tree < numbers_.size(); ++tree) {
    const std::uint32_t first = leader(tree);
    if (first == tree && numbers_[tree] == 0) {
      numbers_[tree] = static_cast<std::int32_t>(items.size());
      items.push_back({});
    }
    numbers_[tree] = numbers_[first];
  }
}

// Counts first, so that all islands' lists stand in a row.
void Islands::sort_blocks(const Rows &rows) {
  const auto island_of = [&](const Block &block) -> Island & {
    return items[index(numbers_[tree_of(rows, block, 0)])];
  };
  for (const Block &block : rows.blocks) {
    ++island_of(block).end_block;
  }
  std::size_t filled = 0;
  for (Island &island : items) {
    const std::size_t count = island.end_block;
    island.first_block = island.end_block = filled;
    filled += count;
  }
  blocks.resize(rows.blocks.size());
  for (std::uint32_t b = 0; b < rows.blocks.size(); ++b) {
    blocks[island_of(rows.blocks[b]).end_block++] = b;
  }
}

void Islands::sort_segments() {
  std::size_t held = 0;
  for (const Segment &segment : segments.items) {
    const std::int32_t number = numbers_[segment.tree];
    if (number >= 0) {
      ++items[index(number)].end_segment;
      ++held;
    }
  }
  std::size_t filled = 0;
  for (Island &island : items) {
    const std::size_t count = island.end_segment;
    island.first_segment = island.end_segment = filled;
    filled += count;
  }
  of_islands.resize(held);
  for (std::uint32_t s = 0; s < segments.items.size(); ++s) {
    const std::int32_t number = numbers_[segments.items[s].tree];
    if (number >= 0) {
      of_islands[items[index(number)].end_segment++] = s;
    }
  }
}

void Islands::list_ranges() {
  for (Island &island : items) {
    island.first_range = ranges.size();
    for (std::size_t at = island.first_segment; at < island.end_segment; ++at) {
      append(segments.items[of_islands[at]], island.first_range, ranges);
    }
    island.end_range = ranges.size();
  }
  for (const Segment &segment : segments.items) {
    if (numbers_[segment.tree] < 0) {
      append(segment, 0, loose);
    }
  }
}

void Islands::find(const Rows &rows) {
  if (segments.trees == 1 && items.size() == 1 && !rows.blocks.empty()) { // as it was
    blocks.resize(rows.blocks.size());
    std::iota(blocks.begin(), blocks.end(), 0u);
    items[0].end_block = blocks.size();
    return;
  }
  ++found;
  items.clear();
  ranges.clear();
  loose.clear();
  std::iota(leaders_.begin(), leaders_.end(), 0u);
  for (const Block &block : rows.blocks) {
    join_trees(rows, block);
  }
  number_islands(rows);
  sort_blocks(rows);
  sort_segments();
  list_ranges();
}

} // namespace phyzctl
