// A half-space and whatever may lie on it.
#include <algorithm>

#include "contact_polygon.hpp"
#include "contact_shapes.hpp"
#include "support.hpp"

namespace phyzctl {
namespace {

// Vectors shorter than this have no direction.
constexpr double tiny = 1e-15;

struct Ground {
  Vec normal, point;
  Touches &out;

  double height(const Vec &p) const { return dot(normal, p - point); }

  // Where a point with a radius around it touches, its height being known.
  bool touch(const Vec &p, double height, double radius, const Vec &tangent = {}) const {
    const double distance = height - radius;
    return out.add(distance, p - scaled(radius + 0.5 * distance, normal), normal, tangent);
  }

  bool touch(const Vec &p) const { return touch(p, height(p), 0.0); }
};

// Both ends; the tangents follow the axis, along which a capsule rolls.
void meet_capsule(const Ground &ground, const Placed &b) {
  const Vec axis = column(b.rotation, 2), half = scaled(b.shape->size.y, axis);
  for (const Vec &end : {b.position + half, b.position - half}) {
    ground.touch(end, ground.height(end), b.shape->size.x, axis);
  }
}

// The lowest point, the one at the other end, and two more of an equilateral triangle on the end
// that is nearer.
void meet_cylinder(const Ground &ground, const Placed &b) {
  const double radius = b.shape->size.x;
  Vec axis = column(b.rotation, 2);
  double slope = dot(ground.normal, axis);
  if (slope > 0.0) {
    axis = -axis;
    slope = -slope;
  }
  const Vec down = scaled(slope, axis) - ground.normal;
  const double size = length(down);
  const Vec rim =
      size >= tiny ? scaled(radius / size, down) : scaled(radius, column(b.rotation, 0));
  axis = scaled(b.shape->size.y, axis);
  const double middle = ground.height(b.position), end = slope * b.shape->size.y,
               sink = dot(rim, ground.normal);
  if (!ground.touch(b.position + rim + axis, middle + end + sink, 0.0)) {
    return;
  }
  ground.touch(b.position + rim - axis, middle - end + sink, 0.0);
  const Vec sideways = cross(rim, axis);
  const double width = length(sideways);
  if (width > 0.0) {
    const Vec side = scaled(radius * std::sqrt(0.75) / width, sideways);
    const Vec opposite = b.position + axis - scaled(0.5, rim);
    for (const Vec &point : {opposite + side, opposite - side}) {
      ground.touch(point, middle + end - 0.5 * sink, 0.0);
    }
  }
}

// Corners below the middle, the first four.
void meet_box(const Ground &ground, const Placed &b) {
  const Vec &s = b.shape->size;
  const double middle = ground.height(b.position);
  int count = 0;
  for (int i = 0; i < 8 && count < 4; ++i) {
    const Vec corner = b.rotation * Vec{i & 1 ? s.x : -s.x, i & 2 ? s.y : -s.y, i & 4 ? s.z : -s.z};
    const double above = dot(ground.normal, corner);
    if (above <= 0.0 && ground.touch(b.position + corner, middle + above, 0.0)) {
      ++count;
    }
  }
}

// The face at the lowest vertex that lies flattest, or four of its corners.
void meet_face(const Ground &ground, const Placed &b, const HullFaces &faces, std::int32_t lowest) {
  const Vec down = back(b.rotation, -ground.normal);
  const auto vertex = static_cast<std::size_t>(lowest);
  std::int32_t face = -1;
  double best = -1.0;
  for (std::int32_t k = faces.vertex_first[vertex]; k < faces.vertex_first[vertex + 1]; ++k) {
    const std::int32_t index = faces.vertex_faces[static_cast<std::size_t>(k)];
    const double along = dot(faces.normals[static_cast<std::size_t>(index)], down);
    if (along > best) {
      best = along;
      face = index;
    }
  }
  if (face < 0) {
    return;
  }
  const std::int32_t *corners =
      faces.corners.data() + faces.first[static_cast<std::size_t>(face)];
  const int count = faces.first[static_cast<std::size_t>(face) + 1] -
                    faces.first[static_cast<std::size_t>(face)];
  const auto start = static_cast<int>(std::find(corners, corners + count, lowest) - corners);
  const auto vertex_at = [&](int i) { return b.shape->hull.vertices[corners[i]]; };
  Quad quad(count, vertex_at);
  const int kept = quad.from(start);
  for (int i = 1; i < kept; ++i) {
    const Vec corner = vertex_at(quad[i]);
    if (dot(down, corner - faces.centre) >= 0.0) {
      ground.touch(b.position + b.rotation * corner);
    }
  }
}

void meet_hull(const Ground &ground, const Placed &b, const HullFaces *faces) {
  const Hull &hull = b.shape->hull;
  const std::int32_t lowest = top(hull, back(b.rotation, -ground.normal));
  if (ground.touch(b.position + b.rotation * hull.vertices[lowest]) && faces != nullptr) {
    meet_face(ground, b, *faces, lowest);
  }
}

} // namespace

void meet_half_space(const Placed &a, const Placed &b, const HullFaces *faces, Touches &out) {
  const Ground ground{column(a.rotation, 2), a.position, out};
  switch (b.shape->type) {
  case ShapeType::sphere:
    ground.touch(b.position, ground.height(b.position), b.shape->size.x);
    break;
  case ShapeType::capsule:
    meet_capsule(ground, b);
    break;
  case ShapeType::cylinder:
    meet_cylinder(ground, b);
    break;
  case ShapeType::box:
    meet_box(ground, b);
    break;
  case ShapeType::hull:
    meet_hull(ground, b, faces);
    break;
  default:
    ground.touch(b.position + b.rotation * support(*b.shape, back(b.rotation, -ground.normal)));
    break;
  }
}

} // namespace phyzctl
