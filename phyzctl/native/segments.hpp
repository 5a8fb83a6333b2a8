// Runs of degrees of freedom that carry one another and branch nowhere: a body that moves freely,
// a leg, a finger. Rows of the mass matrix that belong to one run have the same columns beyond it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "dynamics_factor.hpp"

namespace phyzctl {

constexpr std::uint32_t longest_segment = 6; // longer runs are cut

struct Segment {
  std::uint32_t first, count; // degrees of freedom
  std::int32_t parent;        // the one that carries it, -1: none
  std::uint32_t tree;

  std::uint32_t last() const { return first + count - 1; }
};

struct Segments {
  explicit Segments(const Pattern &pattern);

  std::vector<Segment> items;    // rising
  std::vector<std::uint32_t> of; // per degree of freedom
  std::size_t trees = 0;
};

} // namespace phyzctl
