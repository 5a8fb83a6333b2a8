#include "contact_side.hpp"

#include <algorithm>
#include <cmath>

#include "support.hpp"

namespace phyzctl {
namespace {

constexpr double level = 1e-7; // slope below which an edge lies across a direction
constexpr int cylinder_corners = 16;

bool has_corner(const HullFaces &faces, std::int32_t face, std::int32_t vertex) {
  const auto index = static_cast<std::size_t>(face);
  const auto begin = faces.corners.begin();
  const auto end = begin + faces.first[index + 1];
  return std::find(begin + faces.first[index], end, vertex) != end;
}

// The corner before `vertex` around a face.
std::int32_t before(const HullFaces &faces, std::int32_t face, std::int32_t vertex) {
  const auto index = static_cast<std::size_t>(face);
  const std::int32_t first = faces.first[index], end = faces.first[index + 1];
  std::int32_t last = faces.corners[static_cast<std::size_t>(end - 1)];
  for (std::int32_t k = first; k < end; ++k) {
    const std::int32_t corner = faces.corners[static_cast<std::size_t>(k)];
    if (corner == vertex) {
      break;
    }
    last = corner;
  }
  return last;
}

template <class Each>
void each_face(const HullFaces &faces, std::int32_t vertex, const Each &each) {
  const auto index = static_cast<std::size_t>(vertex);
  for (std::int32_t k = faces.vertex_first[index]; k < faces.vertex_first[index + 1]; ++k) {
    each(faces.vertex_faces[static_cast<std::size_t>(k)]);
  }
}

} // namespace

Side::Side(const Solid &solid, const Vec &outwards, const Vec &point)
    : solid_(solid), placed_(solid.placed), shape_(*solid.placed.shape), point_(point),
      local_(back(solid.placed.rotation, outwards)) {
  switch (shape_.type) {
  case ShapeType::box:
    find_in_box();
    break;
  case ShapeType::cylinder:
    find_in_cylinder();
    break;
  case ShapeType::capsule:
    feature.dimension = 1;
    add_edge(point_along(-1.0), point_along(1.0));
    break;
  case ShapeType::hull:
    if (solid.faces != nullptr) {
      find_in_hull(*solid.faces);
    }
    break;
  default:
    break;
  }
}

int Side::outline(const FaceRef &face, Vec *corners) const {
  switch (shape_.type) {
  case ShapeType::box:
    return outline_of_box(face.index, corners);
  case ShapeType::cylinder:
    return outline_of_cylinder(face.index, corners);
  default:
    return outline_of_hull(face.index, corners);
  }
}

void Side::find_in_box() {
  const double along[3] = {local_.x, local_.y, local_.z};
  int corner = 0, loose = 0;
  for (int k = 0; k < 3; ++k) {
    corner |= along[k] >= 0.0 ? 1 << k : 0;
    loose |= std::fabs(along[k]) < level ? 1 << k : 0;
  }
  for (int k = 0; k < 3; ++k) {
    const double side = corner >> k & 1 ? 1.0 : -1.0;
    const bool fixed = (loose >> k & 1) == 0;
    feature.dimension += fixed ? 0 : 1;
    if (fixed) {
      add_face({k == 0 ? side : 0.0, k == 1 ? side : 0.0, k == 2 ? side : 0.0},
               2 * k + (side < 0.0 ? 1 : 0));
    }
    if (!fixed || loose == 0) {
      add_edge(in_world(box_corner(corner)), in_world(box_corner(corner ^ 1 << k)));
    }
  }
  ++feature.dimension;
}

void Side::find_in_cylinder() {
  const bool lying = std::fabs(local_.z) < level;
  feature.dimension = lying ? 2 : 1;
  if (!lying) {
    add_face({0.0, 0.0, std::copysign(1.0, local_.z)}, local_.z < 0.0 ? 1 : 0);
  }
  const Vec rim = support(shape_, local_);
  const Vec other{rim.x, rim.y, -rim.z};
  add_edge(in_world(rim), in_world(other));
}

void Side::find_in_hull(const HullFaces &faces) {
  const Hull &hull = shape_.hull;
  const std::int32_t at = top(hull, local_);
  std::int32_t level_with = -1;
  feature.dimension = 1;
  each_neighbour(at, [&](std::int32_t next) {
    if (is_level(at, next)) {
      level_with = next;
      feature.dimension = std::min(3, feature.dimension + 1);
    }
  });
  if (feature.dimension == 3) {
    std::int32_t flattest = flattest_at(faces, at);
    if (flattest < 0) { // no rim passes a vertex within a face of many nearly level triangles
      each_neighbour(at, [&](std::int32_t next) {
        if (flattest < 0 && is_level(at, next)) {
          flattest = flattest_at(faces, next);
        }
      });
    }
    if (flattest >= 0) {
      add_face(faces.normals[static_cast<std::size_t>(flattest)], flattest);
    }
    return;
  }
  each_face(faces, at, [&](std::int32_t index) {
    if (feature.dimension == 1 || has_corner(faces, index, level_with)) {
      add_face(faces.normals[static_cast<std::size_t>(index)], index);
    }
    if (feature.dimension == 1) {
      add_edge(in_world(hull.vertices[at]), in_world(hull.vertices[before(faces, index, at)]));
    }
  });
  if (feature.dimension == 2) {
    add_edge(in_world(hull.vertices[at]), in_world(hull.vertices[level_with]));
  }
}

bool Side::is_level(std::int32_t from, std::int32_t to) const {
  const Vec edge = shape_.hull.vertices[to] - shape_.hull.vertices[from];
  return std::fabs(dot(edge, local_)) <= level * length(edge);
}

std::int32_t Side::flattest_at(const HullFaces &faces, std::int32_t vertex) const {
  std::int32_t result = -1;
  double most = -infinity;
  each_face(faces, vertex, [&](std::int32_t index) {
    const double along = dot(faces.normals[static_cast<std::size_t>(index)], local_);
    if (along > most) {
      most = along;
      result = index;
    }
  });
  return result;
}

int Side::outline_of_box(std::int32_t face, Vec *corners) const {
  static constexpr int order[6][4] = {{7, 3, 1, 5}, {2, 6, 4, 0}, {2, 3, 7, 6},
                                      {4, 5, 1, 0}, {6, 7, 5, 4}, {3, 2, 0, 1}};
  for (int i = 0; i < 4; ++i) {
    corners[i] = in_world(box_corner(order[face][i]));
  }
  return 4;
}

int Side::outline_of_cylinder(std::int32_t face, Vec *corners) const {
  static constexpr double eighth = 0.70710678118654752, cosine = 0.92387953251128674,
                          sine = 0.38268343236508977;
  static constexpr double wave[cylinder_corners] = {1.0,  cosine,  eighth,  sine,   0.0, -sine,
                                                    -eighth, -cosine, -1.0, -cosine, -eighth,
                                                    -sine, 0.0, sine, eighth, cosine};
  const double side = face == 0 ? 1.0 : -1.0, r = shape_.size.x;
  for (int i = 0; i < cylinder_corners; ++i) {
    const double sin = wave[(i + 12) % cylinder_corners];
    corners[i] = in_world({r * wave[i], -side * r * sin, side * shape_.size.y});
  }
  return cylinder_corners;
}

int Side::outline_of_hull(std::int32_t face, Vec *corners) const {
  const HullFaces &faces = *solid_.faces;
  const auto index = static_cast<std::size_t>(face);
  int count = 0;
  for (std::int32_t k = faces.first[index + 1]; k-- > faces.first[index];) {
    const std::int32_t vertex = faces.corners[static_cast<std::size_t>(k)];
    corners[count++] = in_world(shape_.hull.vertices[vertex]);
  }
  return count;
}

} // namespace phyzctl
