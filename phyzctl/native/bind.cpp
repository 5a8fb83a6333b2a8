// The compiled module phyzctl.native._kernel. Only this file includes nanobind.
//
// Arrays must arrive with the right type, shape and layout (nothing is converted); the loops run
// without the interpreter lock; statuses become ValueErrors here.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <algorithm>
#include <string>

#include "mesh_mass.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace {

using Points = nb::ndarray<const double, nb::shape<-1, 3>, nb::c_contig, nb::device::cpu>;
using Triangles = nb::ndarray<const std::int32_t, nb::shape<-1, 3>, nb::c_contig, nb::device::cpu>;
using Vector = nb::ndarray<double, nb::shape<3>, nb::c_contig, nb::device::cpu>;
using Matrix = nb::ndarray<double, nb::shape<3, 3>, nb::c_contig, nb::device::cpu>;

std::string sentence(const phyzctl::MeshMass &result, std::size_t vertex_count) {
  const std::string index = std::to_string(result.index);
  switch (result.status) {
  case phyzctl::MeshStatus::vertex_not_finite:
    return "vertices[" + index + "] is not finite";
  case phyzctl::MeshStatus::index_out_of_range:
    return "faces[" + index + "] names a vertex outside 0 to " + std::to_string(vertex_count) + " - 1";
  default:
    return "the mesh is too large: its mass properties overflow";
  }
}

nb::tuple mesh_mass_properties(const Points &vertices, const Triangles &faces, const Vector &com,
                               const Matrix &inertia) {
  phyzctl::MeshMass result;
  {
    const nb::gil_scoped_release release;
    result = phyzctl::mesh_mass(vertices.data(), vertices.shape(0), faces.data(), faces.shape(0));
  }
  if (result.status != phyzctl::MeshStatus::ok) {
    throw nb::value_error(sentence(result, vertices.shape(0)).c_str());
  }
  std::copy_n(result.com, 3, com.data());
  std::copy_n(result.inertia, 9, inertia.data());
  return nb::make_tuple(result.volume, result.area);
}

} // namespace

NB_MODULE(_kernel, module) {
  module.def("mesh_mass_properties", &mesh_mass_properties, "vertices"_a.noconvert(),
             "faces"_a.noconvert(), "com"_a.noconvert(), "inertia"_a.noconvert());
}
