// Several numbers that go through the same arithmetic at once, one a configuration. Each lane gets
// exactly the bits that it would get alone. Packs are taken in blocks: what is done to all of a
// block, one after the other, needn't wait for its own last result.
#pragma once

#include <cstddef>

namespace phyzctl {

#if defined(__GNUC__) || defined(__clang__)
constexpr std::size_t lanes = 2;
using Pack = double __attribute__((vector_size(lanes * sizeof(double))));
inline double lane(const Pack &pack, std::size_t i) { return pack[i]; }
inline void set_lane(Pack &pack, std::size_t i, double value) { pack[i] = value; }
#else
constexpr std::size_t lanes = 1;
using Pack = double;
inline double lane(const Pack &pack, std::size_t) { return pack; }
inline void set_lane(Pack &pack, std::size_t, double value) { pack = value; }
#endif

constexpr std::size_t block = 16; // configurations
constexpr std::size_t packs = block / lanes;

} // namespace phyzctl
