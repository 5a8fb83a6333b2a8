// Random 64-bit numbers: the stream that numpy.random.PCG64 makes of the same entropy.
//
// A permuted congruential generator of 128 bits, XSL RR output (O'Neill 2014, PCG: A family of
// simple fast space-efficient statistically good algorithms for random number generation), seeded
// through her seed_seq_fe as numpy.random.SeedSequence has it.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace phyzctl {

class Pcg64 {
public:
  Pcg64(const std::uint32_t *entropy, std::size_t words) {
    const std::array<std::uint64_t, 4> seed = spread(entropy, words);
    increment = Wide{seed[2] << 1 | seed[3] >> 63, seed[3] << 1 | 1};
    state = sum(increment, Wide{seed[0], seed[1]});
    step();
  }

  std::uint64_t next() {
    step();
    const std::uint64_t folded = state.high ^ state.low;
    const std::uint64_t turn = state.high >> 58;
    return folded >> turn | folded << ((64 - turn) & 63);
  }

private:
  struct Wide {
    std::uint64_t high, low;
  };

  static Wide sum(Wide a, Wide b) {
    const std::uint64_t low = a.low + b.low;
    return {a.high + b.high + (low < a.low ? 1 : 0), low};
  }

  static Wide product(std::uint64_t a, std::uint64_t b) {
    constexpr std::uint64_t half = 0xffffffff;
    const std::uint64_t low = (a & half) * (b & half), cross = (a >> 32) * (b & half) + (low >> 32);
    const std::uint64_t other = (a & half) * (b >> 32) + (cross & half);
    return {(a >> 32) * (b >> 32) + (cross >> 32) + (other >> 32), other << 32 | (low & half)};
  }

  void step() {
    constexpr Wide factor{0x2360ed051fc65da4, 0x4385df649fccf645};
    Wide next = product(state.low, factor.low);
    next.high += state.high * factor.low + state.low * factor.high;
    state = sum(next, increment);
  }

  static std::uint32_t hashed(std::uint32_t value, std::uint32_t &key, std::uint32_t factor) {
    value ^= key;
    key *= factor;
    value *= key;
    return value ^ value >> 16;
  }

  static std::uint32_t mixed(std::uint32_t a, std::uint32_t b) {
    const std::uint32_t value = 0xca01f9dd * a - 0x4973f715 * b;
    return value ^ value >> 16;
  }

  // Every bit of the entropy on every bit of the seed.
  static std::array<std::uint64_t, 4> spread(const std::uint32_t *entropy, std::size_t words) {
    std::array<std::uint32_t, 4> pool;
    std::uint32_t key = 0x43b0d7e5;
    const auto absorbed = [&key](std::uint32_t value) { return hashed(value, key, 0x931e8875); };
    for (std::size_t i = 0; i < pool.size(); ++i) {
      pool[i] = absorbed(i < words ? entropy[i] : 0);
    }
    for (std::size_t from = 0; from < pool.size(); ++from) {
      for (std::size_t to = 0; to < pool.size(); ++to) {
        if (from != to) {
          pool[to] = mixed(pool[to], absorbed(pool[from]));
        }
      }
    }
    for (std::size_t from = pool.size(); from < words; ++from) {
      for (std::uint32_t &to : pool) {
        to = mixed(to, absorbed(entropy[from]));
      }
    }
    std::array<std::uint64_t, 4> seed{};
    key = 0x8b51f9dd;
    for (std::size_t i = 0; i < 2 * seed.size(); ++i) {
      const std::uint64_t word = hashed(pool[i % pool.size()], key, 0x58f38ded);
      seed[i / 2] |= word << 32 * (i % 2);
    }
    return seed;
  }

  Wide increment, state{};
};

} // namespace phyzctl
