// Mass properties of the solid that a triangle mesh encloses, at unit density.
#pragma once

#include <cstddef>
#include <cstdint>

namespace phyzctl {

enum class MeshStatus {
  ok,
  vertex_not_finite,  // MeshMass::index is the vertex
  index_out_of_range, // MeshMass::index is the face
  overflow,           // finite vertices, but a result beyond double's range
};

struct MeshMass {
  MeshStatus status = MeshStatus::ok;
  std::size_t index = 0;
  double volume = 0.0;  // m^3, negative when the faces look inwards
  double area = 0.0;    // m^2
  double com[3] = {};     // m, in the vertices' frame
  double inertia[9] = {}; // kg m^2 at 1 kg/m^3, about com, row by row
};

// `vertices` is (vertex_count, 3) and `faces` (face_count, 3), both row by row.
MeshMass mesh_mass(const double *vertices, std::size_t vertex_count, const std::int32_t *faces,
                   std::size_t face_count);

} // namespace phyzctl
