// In which order trees are eliminated: first those that touch fewest others, so that little fills in.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "islands.hpp"

namespace phyzctl {

// Grows to what an island needs, and keeps that.
class TreeOrder {
public:
  // Trees that a block acts on touch; one that goes leaves those it touched touching each other.
  void find(const Rows &rows, const Islands &islands, const Island &island);

  // Of a tree of that island, when it goes.
  std::uint32_t rank(std::uint32_t tree) const { return ranks_[places_[tree]]; }

private:
  void touch(std::size_t a, std::size_t b);
  void link(const Rows &rows, const Islands &islands, const Block &block);
  void remove(std::size_t tree);
  std::size_t fewest() const;

  std::size_t count_ = 0, words_ = 0;
  std::vector<std::uint32_t> places_;   // per tree of all, in the island
  std::vector<std::uint32_t> ranks_;    // per tree of the island
  std::vector<std::uint32_t> degrees_;  // likewise, how many it touches; gone: more than there are
  std::vector<std::uint64_t> touching_; // likewise, which
  std::vector<std::uint32_t> together_; // trees of one block
};

} // namespace phyzctl
