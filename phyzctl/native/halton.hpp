// Points that fill a cube evenly: the sequence of Halton, digits scrambled at random.
//
// Coordinate k of point i is the mirrored expansion of i in the k-th prime, each of its digits put
// through a random permutation of its own: the ranks of as many random numbers. Halton, J. H.
// (1960), On the efficiency of certain quasi-random sequences of points; Owen, A. B. (2017), A
// randomized Halton algorithm.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace phyzctl {

// The points `first` to `first + count - 1` in [0, 1), `dimensions` numbers each. The random
// numbers of a coordinate are Pcg64's, seeded by the words of `seed` and its own number.
void halton(const std::vector<std::uint32_t> &seed, std::uint64_t first, std::size_t count,
            std::size_t dimensions, double *points);

} // namespace phyzctl
