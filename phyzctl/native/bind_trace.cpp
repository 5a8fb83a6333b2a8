#include "bind_trace.hpp"

#include <nanobind/ndarray.h>

#include <string>

#include "trace_rows.hpp"

namespace nb = nanobind;

namespace {

using Rows = nb::ndarray<const double, nb::shape<-1, -1>, nb::c_contig, nb::device::cpu>;
using Stamps = nb::ndarray<const std::int64_t, nb::shape<-1>, nb::c_contig, nb::device::cpu>;
using Holes = nb::ndarray<const std::int64_t, nb::shape<-1, 3>, nb::c_contig, nb::device::cpu>;
using Given = nb::ndarray<const std::uint8_t, nb::shape<-1>, nb::c_contig, nb::device::cpu>;
using Bytes = nb::ndarray<std::uint8_t, nb::c_contig, nb::device::cpu>;

void encode_rows(const Given &row, const Holes &numbers, const Stamps &stamps, const Stamps &times,
                 const Stamps &counters, std::uint32_t first, const Stamps &taken,
                 const Rows &samples, const Bytes &result) {
  phyzctl::encode_rows({row.data(), row.shape(0), numbers.data(), stamps.data(), times.data(),
                        counters.data(), numbers.shape(0), stamps.shape(0), times.shape(0),
                        counters.shape(0), first},
                       {samples.data(), taken.data(), samples.shape(0), samples.shape(1)},
                       result.data());
}

phyzctl::LineLayout layout(const Given &texts, const Stamps &ends, const Given &words) {
  const auto *word = reinterpret_cast<const char *>(words.data());
  const char *second = word + std::char_traits<char>::length(word) + 1;
  const char *third = second + std::char_traits<char>::length(second) + 1;
  return {reinterpret_cast<const char *>(texts.data()), ends.data(), {word, second, third}};
}

std::size_t format_lines(const Given &texts, const Stamps &ends, const Given &words,
                         const Rows &samples, const Bytes &result) {
  return phyzctl::format_lines(layout(texts, ends, words),
                               {samples.data(), nullptr, samples.shape(0), samples.shape(1)},
                               reinterpret_cast<char *>(result.data()));
}

std::size_t line_room(const Given &texts, const Stamps &ends, const Given &words) {
  return phyzctl::line_room(layout(texts, ends, words), ends.shape(0) - 1);
}

} // namespace

void bind_trace(nb::module_ &module) {
  using Released = nb::call_guard<nb::gil_scoped_release>;
  module.def("encode_rows", &encode_rows, Released());
  module.def("line_room", &line_room);
  module.def("format_lines", &format_lines, Released());
}
