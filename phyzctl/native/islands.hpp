// Parts of a robot, or of many, that nothing joins: what holds in one moves no other.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "rows.hpp"
#include "segments.hpp"

namespace phyzctl {

// Trees that rows join, and all rows on them. Its parts stand in a row in lists of an Islands.
struct Island {
  std::size_t first_block, end_block, first_segment, end_segment, first_range, end_range;
};

class Islands {
public:
  explicit Islands(const Pattern &pattern);

  void find(const Rows &rows);

  const Segments segments;
  std::vector<Island> items;             // by their lowest tree
  std::vector<std::uint32_t> blocks;     // rising within an island
  std::vector<std::uint32_t> of_islands; // segments, likewise
  std::vector<Range> ranges;             // of degrees of freedom, rising, as long as can be
  std::vector<Range> loose;              // of those that no row moves
  std::size_t found = 0;                 // how often there were others than before, maybe

private:
  std::uint32_t leader(std::uint32_t tree);
  std::uint32_t tree_of(const Rows &rows, const Block &block, std::uint32_t k) const;
  void join_trees(const Rows &rows, const Block &block);
  void number_islands(const Rows &rows);
  void sort_blocks(const Rows &rows);
  void sort_segments();
  void list_ranges();

  std::vector<std::uint32_t> trees_;   // per degree of freedom
  std::vector<std::uint32_t> leaders_; // per tree a lower one that it is joined to, or itself
  std::vector<std::int32_t> numbers_;  // per tree its island, -1: none
};

} // namespace phyzctl
