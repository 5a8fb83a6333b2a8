// Samples as what files hold: messages with holes for numbers, or lines of text.
#pragma once

#include <cstddef>
#include <cstdint>

namespace phyzctl {

// `count` samples of `width` numbers in rows, and when they were taken.
struct Samples {
  const double *numbers;
  const std::int64_t *stamps; // [ns]
  std::size_t count, width;
};

// A row of `size` bytes with holes at offsets, all little-endian. Each hole for numbers is an
// offset, a column and how many numbers from there on; holes for a stamp take 8 bytes, for a time
// of seconds and nanoseconds 4 each, and for the number of the sample, counted from `first`, 4.
struct RowLayout {
  const std::uint8_t *row;
  std::size_t size;
  const std::int64_t *numbers, *stamps, *times, *counters;
  std::size_t number_count, stamp_count, time_count, counter_count;
  std::uint32_t first;
};

// Fills `count` rows.
void encode_rows(const RowLayout &layout, const Samples &samples, std::uint8_t *result);

// What stands before each number of a line, and behind the last one: `width` + 1 texts, which end
// where `ends` says. `words` are what is written for NaN, inf and -inf.
struct LineLayout {
  const char *texts;
  const std::int64_t *ends;
  const char *words[3];
};

// The most bytes that a line takes.
std::size_t line_room(const LineLayout &layout, std::size_t width);

// A line each sample; numbers are as short as they can be and still read back exactly. Returns how
// many bytes were written, at most `count` times `line_room`.
std::size_t format_lines(const LineLayout &layout, const Samples &samples, char *result);

} // namespace phyzctl
