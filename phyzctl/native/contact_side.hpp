// What of a shape looks at another one: faces and edges, for manifolds.
#pragma once

#include "contact_shapes.hpp"
#include "matrix.hpp"

namespace phyzctl {

// Where a face of a shape looks, in the world, and which one it is.
struct FaceRef {
  Vec normal;
  std::int32_t index;
};

// An edge from one end to the other, in the world.
struct EdgeRef {
  Vec from, to;
};

// What of a shape is nearest to the other one: a vertex (1), an edge (2), a face (3).
struct Feature {
  static constexpr int most = 64; // faces, and edges

  int dimension = 0;
  int face_count = 0, edge_count = 0;
  FaceRef faces[most]; // that it belongs to
  EdgeRef edges[most]; // that it belongs to
};

// A cylinder's end is a polygon of 16 corners, its side an edge; so is a capsule's.
class Side {
public:
  // `outwards` is the unit normal away from the shape, `point` on its surface. The solid must live
  // as long.
  Side(const Solid &solid, const Vec &outwards, const Vec &point);

  // Whether a face's outline surely turns at every corner.
  bool turning(const FaceRef &face) const {
    return shape_.type != ShapeType::hull ||
           solid_.faces->turning[static_cast<std::size_t>(face.index)] != 0;
  }

  // The corners of a face, clockwise as seen from outside. Returns how many.
  int outline(const FaceRef &face, Vec *corners) const;

  Feature feature;

private:
  Vec in_world(const Vec &p) const { return placed_.position + placed_.rotation * p; }

  void add_face(const Vec &local_normal, std::int32_t index) {
    if (feature.face_count < Feature::most) {
      feature.faces[feature.face_count++] = {placed_.rotation * local_normal, index};
    }
  }

  void add_edge(const Vec &from, const Vec &to) {
    if (feature.edge_count < Feature::most) {
      feature.edges[feature.edge_count++] = {from, to};
    }
  }

  // Along a line beside the axis, through the surface point: its ends at -1 and 1.
  Vec point_along(double end) const {
    const Vec axis = column(placed_.rotation, 2);
    const double at = dot(point_ - placed_.position, axis);
    return point_ + scaled(end * shape_.size.y - at, axis);
  }

  Vec box_corner(int bits) const {
    const Vec &s = shape_.size;
    return {bits & 1 ? s.x : -s.x, bits & 2 ? s.y : -s.y, bits & 4 ? s.z : -s.z};
  }

  template <class Each> void each_neighbour(std::int32_t vertex, const Each &each) const {
    const Hull &hull = shape_.hull;
    for (std::int32_t k = hull.first[vertex]; k < hull.first[vertex + 1]; ++k) {
      each(hull.neighbours[k]);
    }
  }

  void find_in_box();
  void find_in_cylinder();
  void find_in_hull(const HullFaces &faces);
  bool is_level(std::int32_t from, std::int32_t to) const;

  // The face at a vertex that looks most along the direction; -1 where it has none.
  std::int32_t flattest_at(const HullFaces &faces, std::int32_t vertex) const;

  int outline_of_box(std::int32_t face, Vec *corners) const;
  int outline_of_cylinder(std::int32_t face, Vec *corners) const;
  int outline_of_hull(std::int32_t face, Vec *corners) const;

  const Solid &solid_;
  const Placed &placed_;
  const Shape &shape_;
  Vec point_, local_; // the latter: outwards, in the shape's frame
};

} // namespace phyzctl
