// The compiled module phyzctl.native._kernel. Only this file includes nanobind.
//
// Arrays must arrive with the right type, shape and layout (nothing is converted); the loops run
// without the interpreter lock; statuses become ValueErrors here.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>

#include <algorithm>
#include <new>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "bind_constraint.hpp"
#include "bind_contacts.hpp"
#include "bind_dynamics.hpp"
#include "bind_simulation.hpp"
#include "bind_obj.hpp"
#include "bind_owned.hpp"
#include "bind_trace.hpp"
#include "certify.hpp"
#include "clearance.hpp"
#include "halton.hpp"
#include "kinematics.hpp"
#include "mesh_mass.hpp"
#include "pairs.hpp"
#include "quickhull.hpp"
#include "sweep.hpp"
#include "system.hpp"
#include "trajectory.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace {

using Points = nb::ndarray<const double, nb::shape<-1, 3>, nb::c_contig, nb::device::cpu>;
using Triangles = nb::ndarray<const std::int32_t, nb::shape<-1, 3>, nb::c_contig, nb::device::cpu>;
using Vector = nb::ndarray<double, nb::shape<3>, nb::c_contig, nb::device::cpu>;
using Vectors = nb::ndarray<const double, nb::shape<-1>, nb::c_contig, nb::device::cpu>;
using Quaternions = nb::ndarray<const double, nb::shape<-1, 4>, nb::c_contig, nb::device::cpu>;
using Indices = nb::ndarray<const std::int32_t, nb::shape<-1>, nb::c_contig, nb::device::cpu>;
using Rows = nb::ndarray<const double, nb::shape<-1, -1>, nb::c_contig, nb::device::cpu>;
using Poses = nb::ndarray<double, nb::shape<-1, -1, 7>, nb::c_contig, nb::device::cpu>;
using PoseRows = nb::ndarray<const double, nb::shape<-1, 7>, nb::c_contig, nb::device::cpu>;
using Matrices = nb::ndarray<double, nb::shape<-1, 4, 4>, nb::c_contig, nb::device::cpu>;
using PoseBlocks = nb::ndarray<const double, nb::shape<-1, -1, 7>, nb::c_contig, nb::device::cpu>;
using IndexPairs = nb::ndarray<const std::int32_t, nb::shape<-1, 2>, nb::c_contig, nb::device::cpu>;
using Numbers = nb::ndarray<double, nb::c_contig, nb::device::cpu>;
using Counts = nb::ndarray<std::int64_t, nb::c_contig, nb::device::cpu>;
using PairNumbers = nb::ndarray<std::int32_t, nb::shape<-1>, nb::c_contig, nb::device::cpu>;
using Truths = nb::ndarray<bool, nb::c_contig, nb::device::cpu>;
using Words = nb::ndarray<const std::uint32_t, nb::shape<-1>, nb::c_contig, nb::device::cpu>;
using Table = nb::ndarray<double, nb::shape<-1, -1>, nb::c_contig, nb::device::cpu>;
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

std::string sentence(phyzctl::SystemCheck result) {
  const std::string index = "[" + std::to_string(result.index) + "]";
  switch (result.status) {
  case phyzctl::SystemStatus::body_parent:
    return "body_parent" + index + " is neither -1 nor an earlier body";
  case phyzctl::SystemStatus::joint_start:
    return "joint_start" + index + " does not divide the joints among the bodies in order";
  case phyzctl::SystemStatus::joint_type:
    return "joint_type" + index + " is none of 0 to 4";
  case phyzctl::SystemStatus::joint_position:
    return "q_offset" + index + " reaches outside q";
  default:
    return "geom_body" + index + " is neither -1 nor a body";
  }
}

// The door has made sure that the lengths agree.
void make_system(phyzctl::System *place, const std::size_t position_count,
                 const Indices &body_parent, const Points &body_pos, const Quaternions &body_quat,
                 const Indices &joint_start, const Indices &joint_type, const Points &joint_axis,
                 const Points &joint_anchor, const Vectors &joint_ref, const Indices &q_offset,
                 const Indices &geom_body, const Points &geom_pos, const Quaternions &geom_quat) {
  const phyzctl::SystemArrays arrays{body_parent.shape(0), joint_type.shape(0), geom_body.shape(0),
                                     position_count,       body_parent.data(),  body_pos.data(),
                                     body_quat.data(),     joint_start.data(),  joint_type.data(),
                                     joint_axis.data(),    joint_anchor.data(), joint_ref.data(),
                                     q_offset.data(),      geom_body.data(),    geom_pos.data(),
                                     geom_quat.data()};
  const phyzctl::SystemCheck result = phyzctl::check(arrays);
  if (result.status != phyzctl::SystemStatus::ok) {
    throw nb::value_error(sentence(result).c_str());
  }
  new (place) phyzctl::System(arrays);
}

void kinematics(const phyzctl::System &system, const Rows &q, const Poses &bodies,
                const std::optional<Poses> &geoms) {
  const nb::gil_scoped_release release;
  phyzctl::kinematics(system, q.data(), q.shape(0), bodies.data(),
                      geoms ? geoms->data() : nullptr);
}

void matrices(const PoseRows &poses, const Matrices &result) {
  const nb::gil_scoped_release release;
  phyzctl::matrices(poses.data(), poses.shape(0), result.data());
}

nb::tuple quickhull(const Points &points) {
  phyzctl::HullMesh hull;
  {
    const nb::gil_scoped_release release;
    hull = phyzctl::quickhull(points.data(), points.shape(0));
  }
  return nb::make_tuple(owned(std::move(hull.corners)), owned(std::move(hull.faces), 3));
}

void halton(const Words &seed, std::uint64_t first, const Table &points) {
  const std::vector<std::uint32_t> words(seed.data(), seed.data() + seed.shape(0));
  const nb::gil_scoped_release release;
  phyzctl::halton(words, first, points.shape(0), points.shape(1), points.data());
}

std::string sentence(phyzctl::ShapeCheck result) {
  const std::string index = "[" + std::to_string(result.index) + "]";
  switch (result.status) {
  case phyzctl::ShapeStatus::type:
    return "types" + index + " is none of 0 to 8";
  case phyzctl::ShapeStatus::size:
    return "sizes" + index + " has a number that is negative or not finite";
  case phyzctl::ShapeStatus::padding:
    return "padding" + index + " is negative or not finite";
  case phyzctl::ShapeStatus::hull:
    return "hull" + index + " names no hull";
  case phyzctl::ShapeStatus::hull_start:
    return "hulls" + index + " has no vertices";
  case phyzctl::ShapeStatus::vertices:
    return "hulls: vertex " + std::to_string(result.index) + " of all is not finite";
  default:
    return "hulls: the neighbours of vertex " + std::to_string(result.index) +
           " of all are not within its hull";
  }
}

std::string sentence(phyzctl::PairCheck result) {
  const std::string pair = "pairs[" + std::to_string(result.index) + "]";
  switch (result.status) {
  case phyzctl::PairStatus::range:
    return pair + " names a shape that isn't there";
  case phyzctl::PairStatus::none:
    return pair + " names a shape that is not known to be convex";
  default:
    return pair + " is one of two half-spaces, which have no distance";
  }
}

std::string sentence(phyzctl::SearchCheck result) {
  const std::string index = "[" + std::to_string(result.index) + "]";
  switch (result.status) {
  case phyzctl::SearchFault::body:
    return "bodies" + index + " is neither -1 nor a body";
  case phyzctl::SearchFault::variable:
    return "variable" + index + " is more than there are, or of a joint that has none";
  case phyzctl::SearchFault::pair:
    return "pairs" + index + " is not a geom of the first and one of the second body";
  default:
    return "lower" + index + " and upper" + index + " are not finite and in order";
  }
}

template <class Check> void refuse(const Check &result) {
  if (result.status != decltype(result.status)::ok) {
    throw nb::value_error(sentence(result).c_str());
  }
}

void make_shapes(phyzctl::Shapes *place, const Indices &type, const Points &size,
                 const Vectors &padding, const Indices &hull, const Points &vertices,
                 const Indices &hull_start, const Indices &neighbour_start,
                 const Indices &neighbours) {
  const phyzctl::ShapeArrays arrays{type.shape(0),          hull_start.shape(0) - 1,
                                    vertices.shape(0),      neighbours.shape(0),
                                    type.data(),            size.data(),
                                    padding.data(),         hull.data(),
                                    vertices.data(),        hull_start.data(),
                                    neighbour_start.data(), neighbours.data()};
  refuse(phyzctl::check(arrays));
  new (place) phyzctl::Shapes(arrays);
}

std::size_t distances(const phyzctl::Shapes &shapes, const PoseBlocks &poses,
                      const IndexPairs &pairs, const Numbers &distance, const Numbers &normal,
                      const Numbers &a, const Numbers &b) {
  const phyzctl::PairList list{pairs.data(), pairs.shape(0)};
  refuse(phyzctl::check(shapes, list));
  const nb::gil_scoped_release release;
  return phyzctl::distances(shapes, poses.data(), poses.shape(0), list,
                            {distance.data(), normal.data(), a.data(), b.data()});
}

void overlaps(const phyzctl::Shapes &shapes, const PoseBlocks &poses, const IndexPairs &pairs,
              double margin, const Truths &result) {
  const phyzctl::PairList list{pairs.data(), pairs.shape(0)};
  refuse(phyzctl::check(shapes, list));
  const nb::gil_scoped_release release;
  phyzctl::overlaps(shapes, poses.data(), poses.shape(0), list, margin, result.data());
}

void sweep(const phyzctl::System &system, const phyzctl::Shapes &shapes, const Rows &q,
           const IndexPairs &pairs, const std::optional<Indices> &groups, std::size_t threads,
           const Counts &hits, const Counts &first_hit, const std::optional<Numbers> &deepest,
           const Counts &deepest_at, const std::optional<Numbers> &clearance,
           const Counts &clearance_at) {
  const phyzctl::PairList list{pairs.data(), pairs.shape(0)};
  refuse(phyzctl::check(shapes, list));
  const phyzctl::SweepRows rows{hits.data(),
                                first_hit.data(),
                                deepest ? deepest->data() : nullptr,
                                deepest_at.data(),
                                clearance ? clearance->data() : nullptr,
                                clearance_at.data()};
  const nb::gil_scoped_release release;
  phyzctl::sweep(system, shapes, q.data(), q.shape(0), list, groups ? groups->data() : nullptr,
                 threads, rows);
}

void bind_collision(nb::module_ &module) {
  nb::class_<phyzctl::Shapes>(module, "Shapes")
      .def("__init__", &make_shapes, "types"_a.noconvert(), "sizes"_a.noconvert(),
           "padding"_a.noconvert(), "hull"_a.noconvert(), "vertices"_a.noconvert(),
           "hull_start"_a.noconvert(), "neighbour_start"_a.noconvert(),
           "neighbours"_a.noconvert());
  module.def("quickhull", &quickhull, "points"_a.noconvert());
  module.def("halton", &halton, "seed"_a.noconvert(), "first"_a, "points"_a.noconvert());
  module.def("distances", &distances, "shapes"_a, "poses"_a.noconvert(), "pairs"_a.noconvert(),
             "distance"_a.noconvert(), "normal"_a.noconvert(), "a"_a.noconvert(),
             "b"_a.noconvert());
  module.def("overlaps", &overlaps, "shapes"_a, "poses"_a.noconvert(), "pairs"_a.noconvert(),
             "margin"_a, "result"_a.noconvert());
  module.def("sweep", &sweep, "system"_a, "shapes"_a, "q"_a.noconvert(), "pairs"_a.noconvert(),
             "groups"_a.noconvert().none(), "threads"_a, "hits"_a.noconvert(), "first_hit"_a.noconvert(),
             "deepest"_a.noconvert().none(), "deepest_at"_a.noconvert(),
             "clearance"_a.noconvert().none(), "clearance_at"_a.noconvert());
}

// The System and the Shapes must outlive the Search; the binding sees to that.
void make_search(phyzctl::Search *place, const phyzctl::System &system,
                 const phyzctl::Shapes &shapes, const Indices &bodies, const IndexPairs &pairs,
                 const Vectors &q, const Vectors &lower, const Vectors &upper,
                 const Indices &variable, const Rows &polynomial, bool always) {
  const phyzctl::SearchArrays arrays{
      bodies.data()[0],
      bodies.data()[1],
      {variable.data(), polynomial.data(), polynomial.shape(1), q.data()},
      lower.shape(0),
      lower.data(),
      upper.data(),
      {pairs.data(), pairs.shape(0)},
      always ? phyzctl::Claim::always : phyzctl::Claim::never};
  refuse(phyzctl::check(shapes, arrays.pairs));
  refuse(phyzctl::check(system, arrays));
  new (place) phyzctl::Search(system, shapes, arrays);
}

int advance(phyzctl::Search &search, double work) {
  const nb::gil_scoped_release release;
  return static_cast<int>(search.advance(work));
}

double descend(phyzctl::Search &search, const Numbers &x) {
  const nb::gil_scoped_release release;
  return search.descend(x.data());
}

double distance_at(phyzctl::Search &search, const Vectors &x) {
  const nb::gil_scoped_release release;
  return search.distance_at(x.data());
}

nb::tuple state(const phyzctl::Search &search, const Numbers &witness) {
  std::copy(search.witness().begin(), search.witness().end(), witness.data());
  return nb::make_tuple(search.proved(), search.cells(), search.spent(),
                        search.witness_distance());
}

void bind_search(nb::module_ &module) {
  nb::class_<phyzctl::Search>(module, "Search")
      .def("__init__", &make_search, "system"_a, "shapes"_a, "bodies"_a.noconvert(),
           "pairs"_a.noconvert(), "q"_a.noconvert(), "lower"_a.noconvert(), "upper"_a.noconvert(),
           "variable"_a.noconvert(), "polynomial"_a.noconvert(), "always"_a,
           nb::keep_alive<1, 2>(), nb::keep_alive<1, 3>())
      .def("advance", &advance, "work"_a)
      .def("descend", &descend, "x"_a.noconvert())
      .def("distance_at", &distance_at, "x"_a.noconvert())
      .def("state", &state, "witness"_a.noconvert());
}

void first_hits(const phyzctl::System &system, const phyzctl::Shapes &shapes, const Rows &q,
                const IndexPairs &pairs, double margin, const PairNumbers &pair) {
  const phyzctl::PairList list{pairs.data(), pairs.shape(0)};
  refuse(phyzctl::check(shapes, list));
  const nb::gil_scoped_release release;
  phyzctl::first_hits(system, shapes, q.data(), q.shape(0), list, margin, pair.data());
}

void nearest_pairs(const phyzctl::System &system, const phyzctl::Shapes &shapes, const Rows &q,
                   const IndexPairs &pairs, const Numbers &distance, const PairNumbers &pair) {
  const phyzctl::PairList list{pairs.data(), pairs.shape(0)};
  refuse(phyzctl::check(shapes, list));
  const nb::gil_scoped_release release;
  phyzctl::nearest_pairs(system, shapes, q.data(), q.shape(0), list, distance.data(), pair.data());
}

std::size_t first_contacts(const phyzctl::System &system, const phyzctl::Shapes &shapes,
                           const Rows &q, const IndexPairs &pairs, double margin,
                           const Numbers &time) {
  const phyzctl::PairList list{pairs.data(), pairs.shape(0)};
  refuse(phyzctl::check(shapes, list));
  const nb::gil_scoped_release release;
  return phyzctl::first_contacts(system, shapes, q.data(), q.shape(0), list, margin, time.data());
}

void bind_scene(nb::module_ &module) {
  module.def("first_hits", &first_hits, "system"_a, "shapes"_a, "q"_a.noconvert(),
             "pairs"_a.noconvert(), "margin"_a, "pair"_a.noconvert());
  module.def("nearest_pairs", &nearest_pairs, "system"_a, "shapes"_a, "q"_a.noconvert(),
             "pairs"_a.noconvert(), "distance"_a.noconvert(), "pair"_a.noconvert());
  module.def("first_contacts", &first_contacts, "system"_a, "shapes"_a, "q"_a.noconvert(),
             "pairs"_a.noconvert(), "margin"_a, "time"_a.noconvert());
}

} // namespace

NB_MODULE(_kernel, module) {
  nb::set_leak_warnings(false); // the command ends without taking apart what it holds
  nb::class_<phyzctl::System>(module, "System")
      .def("__init__", &make_system, "nq"_a, "body_parent"_a.noconvert(), "body_pos"_a.noconvert(),
           "body_quat"_a.noconvert(), "joint_start"_a.noconvert(), "joint_type"_a.noconvert(),
           "joint_axis"_a.noconvert(), "joint_anchor"_a.noconvert(), "joint_ref"_a.noconvert(),
           "q_offset"_a.noconvert(), "geom_body"_a.noconvert(), "geom_pos"_a.noconvert(),
           "geom_quat"_a.noconvert());
  module.def("kinematics", &kinematics, "system"_a, "q"_a.noconvert(), "bodies"_a.noconvert(),
             "geoms"_a.noconvert().none());
  module.def("matrices", &matrices, "poses"_a.noconvert(), "result"_a.noconvert());
  module.def("mesh_mass_properties", &mesh_mass_properties, "vertices"_a.noconvert(),
             "faces"_a.noconvert(), "com"_a.noconvert(), "inertia"_a.noconvert());
  bind_collision(module);
  bind_search(module);
  bind_dynamics(module);
  bind_constraint(module);
  bind_contacts(module);
  bind_obj(module);
  bind_simulation(module);
  bind_trace(module);
  bind_scene(module);
}
