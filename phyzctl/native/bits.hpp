// Sets of small numbers, as bits of words.
#pragma once

#include <cstddef>
#include <cstdint>

namespace phyzctl {

constexpr std::size_t word_bits = 64;

// In its word, the one of that number.
constexpr std::uint64_t bit(std::size_t number) { return std::uint64_t{1} << number % word_bits; }

inline std::size_t lowest_bit(std::uint64_t word) { // of one that is not zero
#if defined(__GNUC__)
  return static_cast<std::size_t>(__builtin_ctzll(word));
#else
  std::size_t at = 0;
  for (; (word & 1) == 0; word >>= 1) {
    ++at;
  }
  return at;
#endif
}

inline std::uint32_t count_bits(std::uint64_t word) {
  std::uint32_t count = 0;
  for (; word != 0; word &= word - 1) {
    ++count;
  }
  return count;
}

// Calls visit(number) for all in the set, rising.
template <class Visit>
void for_each_bit(const std::uint64_t *words, std::size_t count, Visit visit) {
  for (std::size_t w = 0; w < count; ++w) {
    for (std::uint64_t word = words[w]; word != 0; word &= word - 1) {
      visit(w * word_bits + lowest_bit(word));
    }
  }
}

} // namespace phyzctl
