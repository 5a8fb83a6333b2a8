// The convex hull of points in space.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace phyzctl {

struct HullMesh {
  std::vector<std::int32_t> corners; // which of the points
  std::vector<std::int32_t> faces;   // three of the corners each, counterclockwise from outside
};

// Of `count` points, three finite numbers each. Points in one plane give faces on both sides,
// points on one line two corners, equal points one, all without faces. Points within 1e-9 of the
// cloud's extent along each axis from the hull may be taken to lie on it.
HullMesh quickhull(const double *points, std::size_t count);

} // namespace phyzctl
