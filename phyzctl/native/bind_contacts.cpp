// The part of the binding that offers contacts.
#include "bind_contacts.hpp"

#include <nanobind/ndarray.h>

#include <string>
#include <utility>

#include "bind_owned.hpp"
#include "contacts_batch.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace {

using Rows = nb::ndarray<const double, nb::shape<-1, -1>, nb::c_contig, nb::device::cpu>;
using Indices = nb::ndarray<const std::int32_t, nb::shape<-1>, nb::c_contig, nb::device::cpu>;
using IndexPairs = nb::ndarray<const std::int32_t, nb::shape<-1, 2>, nb::c_contig, nb::device::cpu>;

std::string sentence(phyzctl::ContactCheck result) {
  const std::string index = "[" + std::to_string(result.index) + "]";
  switch (result.status) {
  case phyzctl::ContactStatus::geoms:
    return "geoms" + index + " names no geom";
  case phyzctl::ContactStatus::unknown:
    return "geoms" + index + " has a shape that is unknown, or two half-spaces";
  case phyzctl::ContactStatus::order:
    return "geoms" + index + " has the larger type first";
  case phyzctl::ContactStatus::law:
    return "law" + index + " names no law";
  default:
    return "dimension" + index + " is none of 1, 3, 4 and 6";
  }
}

// The System and the Shapes must outlive the ContactWorld; the binding sees to that.
void make_world(phyzctl::ContactWorld *place, const phyzctl::System &system,
                const phyzctl::Shapes &shapes, const IndexPairs &geoms, const Indices &law,
                const Indices &dimension, const Rows &numbers, bool manifolds) {
  const phyzctl::ContactArrays arrays{geoms.shape(0),   geoms.data(),   law.data(),
                                      numbers.shape(0), dimension.data(), numbers.data(),
                                      manifolds};
  const phyzctl::ContactCheck result = phyzctl::check(system, shapes, arrays);
  if (result.status != phyzctl::ContactStatus::ok) {
    throw nb::value_error(sentence(result).c_str());
  }
  new (place) phyzctl::ContactWorld(system, shapes, arrays);
}

nb::tuple contacts(const phyzctl::ContactWorld &world, const Rows &q) {
  phyzctl::ContactBlock found;
  {
    const nb::gil_scoped_release release;
    found = phyzctl::contacts_at(world, q.data(), q.shape(0));
  }
  return nb::make_tuple(owned(std::move(found.start)), owned(std::move(found.pair)),
                        owned(std::move(found.numbers)), found.capped);
}

} // namespace

void bind_contacts(nb::module_ &module) {
  nb::class_<phyzctl::ContactWorld>(module, "ContactWorld")
      .def("__init__", &make_world, "system"_a, "shapes"_a, "geoms"_a.noconvert(),
           "law"_a.noconvert(), "dimension"_a.noconvert(), "numbers"_a.noconvert(), "manifolds"_a,
           nb::keep_alive<1, 2>(), nb::keep_alive<1, 3>());
  module.def("contacts", &contacts, "world"_a, "q"_a.noconvert());
}
