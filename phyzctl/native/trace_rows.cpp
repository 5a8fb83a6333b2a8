#include "trace_rows.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstring>

namespace phyzctl {
namespace {

constexpr std::size_t longest_number = 24; // -2.2250738585072014e-308
constexpr std::int64_t second = 1'000'000'000;

// Numbers in memory are little-endian on every machine that the kernel is built for.
template <class Number>
void put(std::uint8_t *at, Number number) {
  std::memcpy(at, &number, sizeof number);
}

void encode_row(const RowLayout &layout, const double *numbers, std::int64_t stamp,
                std::uint32_t number, std::uint8_t *row) {
  std::memcpy(row, layout.row, layout.size);
  for (std::size_t k = 0; k < layout.stamp_count; ++k) {
    put(row + layout.stamps[k], stamp);
  }
  const auto seconds = static_cast<std::int32_t>(stamp / second);
  const auto rest = static_cast<std::uint32_t>(stamp % second);
  for (std::size_t k = 0; k < layout.time_count; ++k) {
    put(row + layout.times[k], seconds);
    put(row + layout.times[k] + 4, rest);
  }
  for (std::size_t k = 0; k < layout.counter_count; ++k) {
    put(row + layout.counters[k], number);
  }
  for (std::size_t k = 0; k < layout.number_count; ++k) {
    const std::int64_t *hole = layout.numbers + 3 * k;
    std::memcpy(row + hole[0], numbers + hole[1], 8 * static_cast<std::size_t>(hole[2]));
  }
}

char *append(const char *text, std::size_t length, char *at) {
  std::memcpy(at, text, length);
  return at + length;
}

char *append(const LineLayout &layout, double number, char *at) {
  if (!std::isfinite(number)) {
    const char *word = layout.words[std::isnan(number) ? 0 : number > 0.0 ? 1 : 2];
    return append(word, std::strlen(word), at);
  }
  if (number == 0.0 && std::signbit(number)) {
    return append("-0.0", 4, at); // -0 is an integer to some, which has no sign
  }
  return std::to_chars(at, at + longest_number, number).ptr;
}

} // namespace

void encode_rows(const RowLayout &layout, const Samples &samples, std::uint8_t *result) {
  for (std::size_t i = 0; i < samples.count; ++i) {
    encode_row(layout, samples.numbers + i * samples.width, samples.stamps[i],
               layout.first + static_cast<std::uint32_t>(i), result + i * layout.size);
  }
}

std::size_t line_room(const LineLayout &layout, std::size_t width) {
  std::size_t number = longest_number;
  for (const char *word : layout.words) {
    number = std::max(number, std::strlen(word));
  }
  return static_cast<std::size_t>(layout.ends[width]) + width * number;
}

std::size_t format_lines(const LineLayout &layout, const Samples &samples, char *result) {
  char *at = result;
  for (std::size_t i = 0; i < samples.count; ++i) {
    const double *numbers = samples.numbers + i * samples.width;
    std::int64_t start = 0;
    for (std::size_t k = 0; k <= samples.width; ++k) {
      at = append(layout.texts + start, static_cast<std::size_t>(layout.ends[k] - start), at);
      start = layout.ends[k];
      if (k < samples.width) {
        at = append(layout, numbers[k], at);
      }
    }
  }
  return static_cast<std::size_t>(at - result);
}

} // namespace phyzctl
