#include "bind_obj.hpp"

#include "bind_owned.hpp"
#include "obj.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace {

nb::tuple read_obj(const nb::bytes &data, int depth, bool first_object) {
  const std::string_view text(data.c_str(), data.size());
  phyzctl::ObjMesh mesh;
  {
    const nb::gil_scoped_release release;
    mesh = phyzctl::read_obj(text, static_cast<phyzctl::ObjDepth>(depth), first_object);
  }
  return nb::make_tuple(static_cast<int>(mesh.status), nb::bytes(mesh.word.data(), mesh.word.size()),
                        mesh.objects, owned(std::move(mesh.vertices), 3),
                        owned(std::move(mesh.triangles), 3));
}

} // namespace

void bind_obj(nb::module_ &module) {
  module.def("read_obj", &read_obj, "data"_a, "depth"_a, "first_object"_a);
}
