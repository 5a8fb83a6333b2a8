// Wavefront OBJ files: vertices, and faces as triangles.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

namespace phyzctl {

enum class ObjStatus {
  ok,
  vertex_word,  // no number; ObjMesh::word is it
  vertex_short, // fewer than three numbers
  face_word,    // no vertex number
  face_short,   // fewer than three corners
  face_zero,    // vertices count from 1
  face_outside, // names a vertex that isn't there
};

// How much of a file is read. The extent is the lowest and the highest corner of the box around all
// vertices, and behind them the first vertex that is not finite, if there is one.
enum class ObjDepth { objects, extent, faces };

struct ObjMesh {
  ObjStatus status = ObjStatus::ok;
  std::string_view word;
  std::size_t objects = 0; // objects and groups with faces
  std::vector<double> vertices;       // 3 a vertex
  std::vector<std::int32_t> triangles; // 3 a triangle
};

// With `first_object`, faces end where the second object or group begins after a face. Quadrilaterals
// are split along the shorter diagonal, that of the second corner where both are equal; other
// polygons into a fan about their first corner.
ObjMesh read_obj(std::string_view data, ObjDepth depth, bool first_object);

} // namespace phyzctl
