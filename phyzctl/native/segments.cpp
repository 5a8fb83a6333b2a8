#include "segments.hpp"

namespace phyzctl {

Segments::Segments(const Pattern &pattern) {
  const std::size_t size = pattern.size();
  std::vector<std::int32_t> parents(size, -1);
  std::vector<std::uint32_t> children(size);
  for (std::size_t d = 0; d < size; ++d) {
    if (pattern.start[d + 1] - pattern.start[d] > 1) {
      parents[d] = pattern.columns[pattern.start[d] + 1];
      ++children[static_cast<std::size_t>(parents[d])];
    }
  }
  for (std::size_t d = 0; d < size; ++d) {
    const std::int32_t parent = parents[d];
    const bool goes_on = d > 0 && parent == static_cast<std::int32_t>(d) - 1 &&
                         children[d - 1] == 1 && items.back().count < longest_segment;
    if (goes_on) {
      ++items.back().count;
    } else {
      const std::int32_t below =
          parent < 0 ? -1 : static_cast<std::int32_t>(of[static_cast<std::size_t>(parent)]);
      const std::uint32_t tree = below < 0 ? static_cast<std::uint32_t>(trees++)
                                           : items[static_cast<std::size_t>(below)].tree;
      items.push_back({static_cast<std::uint32_t>(d), 1, below, tree});
    }
    of.push_back(static_cast<std::uint32_t>(items.size() - 1));
  }
}

} // namespace phyzctl
