// As in sweep.cpp, configurations are taken in blocks, whose outlines leave little to be looked at
// closely.
#include "clearance.hpp"

#include <algorithm>

#include "bounds.hpp"
#include "narrowphase.hpp"
#include "outline.hpp"

namespace phyzctl {
namespace {

// Calls back with the first configuration of each block and how many it has.
template <class Each> void each_block(std::size_t count, const Each &each) {
  for (std::size_t first = 0; first < count; first += block) {
    each(first, std::min(block, count - first));
  }
}

} // namespace

void first_hits(const System &system, const Shapes &shapes, const double *q, std::size_t count,
                const PairList &pairs, double margin, std::int32_t *pair) {
  Outlines outlines(system, shapes, named(pairs));
  std::fill_n(pair, count, -1);
  each_block(count, [&](std::size_t first, std::size_t size) {
    outlines.place(q + first * system.position_count, size);
    Mask open = (Mask{1} << size) - 1;
    for (std::size_t p = 0; p < pairs.count && open != 0; ++p) {
      const std::size_t a = pairs.index(p, 0), b = pairs.index(p, 1);
      outlines.each_near(a, b, open, margin, [&](std::size_t i, bool overlaps) {
        if (overlaps || overlap(outlines.exact(a, i), outlines.exact(b, i), margin)) {
          pair[first + i] = static_cast<std::int32_t>(p);
          open &= ~(Mask{1} << i);
        }
      });
    }
  });
}

void nearest_pairs(const System &system, const Shapes &shapes, const double *q, std::size_t count,
                   const PairList &pairs, double *least, std::int32_t *pair) {
  Outlines outlines(system, shapes, named(pairs));
  std::fill_n(pair, count, -1);
  std::fill_n(least, count, infinity);
  std::size_t capped = 0;
  each_block(count, [&](std::size_t first, std::size_t size) {
    outlines.place(q + first * system.position_count, size);
    const Mask all = (Mask{1} << size) - 1;
    for (std::size_t p = 0; p < pairs.count; ++p) {
      const std::size_t a = pairs.index(p, 0), b = pairs.index(p, 1);
      // What is beyond can't be nearer, in any configuration.
      const double most = *std::max_element(least + first, least + first + size);
      outlines.each_near(a, b, all, std::max(0.0, most), [&](std::size_t i, bool) {
        const Placed &one = outlines.exact(a, i), &other = outlines.exact(b, i);
        if (spheres_gap(one, other) > least[first + i]) {
          return;
        }
        const double found = distance(one, other, capped).distance;
        if (found < least[first + i]) {
          least[first + i] = found;
          pair[first + i] = static_cast<std::int32_t>(p);
        }
      });
    }
  });
}

} // namespace phyzctl
