#include "tree_order.hpp"

#include <algorithm>
#include <limits>

#include "bits.hpp"

namespace phyzctl {
namespace {

constexpr std::uint32_t gone = std::numeric_limits<std::uint32_t>::max();

} // namespace

void TreeOrder::touch(std::size_t a, std::size_t b) {
  touching_[a * words_ + b / word_bits] |= bit(b);
  touching_[b * words_ + a / word_bits] |= bit(a);
}

void TreeOrder::link(const Rows &rows, const Islands &islands, const Block &block) {
  together_.clear();
  for (std::uint32_t k = 0; k < block.columns; ++k) {
    const auto dof = static_cast<std::size_t>(rows.columns[block.first_column + k]);
    const std::uint32_t place = places_[islands.segments.items[islands.segments.of[dof]].tree];
    if (std::find(together_.begin(), together_.end(), place) != together_.end()) {
      continue;
    }
    for (const std::uint32_t other : together_) {
      touch(place, other);
    }
    together_.push_back(place);
  }
}

void TreeOrder::remove(std::size_t tree) {
  const std::uint64_t *mine = touching_.data() + tree * words_;
  for_each_bit(mine, words_, [&](std::size_t other) {
    std::uint64_t *theirs = touching_.data() + other * words_;
    std::uint32_t degree = 0;
    theirs[tree / word_bits] &= ~bit(tree);
    for (std::size_t w = 0; w < words_; ++w) {
      theirs[w] |= mine[w];
    }
    theirs[other / word_bits] &= ~bit(other);
    for (std::size_t w = 0; w < words_; ++w) {
      degree += count_bits(theirs[w]);
    }
    degrees_[other] = degree;
  });
  degrees_[tree] = gone;
}

std::size_t TreeOrder::fewest() const {
  return static_cast<std::size_t>(std::min_element(degrees_.begin(), degrees_.end()) -
                                  degrees_.begin());
}

void TreeOrder::find(const Rows &rows, const Islands &islands, const Island &island) {
  places_.resize(islands.segments.trees);
  count_ = 0;
  for (std::size_t at = island.first_segment; at < island.end_segment; ++at) {
    const Segment &segment = islands.segments.items[islands.of_islands[at]];
    if (segment.parent < 0) {
      places_[segment.tree] = static_cast<std::uint32_t>(count_++);
    }
  }
  words_ = (count_ + word_bits - 1) / word_bits;
  touching_.assign(count_ * words_, 0);
  ranks_.resize(count_);
  for (std::size_t at = island.first_block; at < island.end_block; ++at) {
    const Block &block = rows.blocks[islands.blocks[at]];
    if (!block.on_path) {
      link(rows, islands, block);
    }
  }
  degrees_.assign(count_, 0);
  for (std::size_t tree = 0; tree < count_; ++tree) {
    for (std::size_t w = 0; w < words_; ++w) {
      degrees_[tree] += count_bits(touching_[tree * words_ + w]);
    }
  }
  for (std::uint32_t rank = 0; rank < count_; ++rank) {
    const std::size_t next = fewest();
    ranks_[next] = rank;
    remove(next);
  }
}

} // namespace phyzctl
