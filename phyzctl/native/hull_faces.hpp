// The faces of a convex hull, for contact: triangles in one plane are one face.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "shapes.hpp"

namespace phyzctl {

// A hull without volume has faces on both sides, or none.
struct HullFaces {
  HullFaces(const Hull &hull, const Vec &inside); // a point inside of it, as that of the bounds

  std::size_t count() const { return normals.size(); }

  Vec centre{};                          // of the volume; of the bounds, if there is none
  std::vector<Vec> normals;              // outwards, of length one
  std::vector<std::int32_t> first;       // per face where its corners start, and the end
  std::vector<char> turning;             // per face: its rim turns left at every corner, for sure
  std::vector<std::int32_t> corners;     // vertices, counterclockwise as seen from outside
  std::vector<std::int32_t> vertex_first; // per vertex where its faces start, and the end
  std::vector<std::int32_t> vertex_faces;
};

} // namespace phyzctl
