// Shapes without a formula: the general search finds distance and normal. What then faces the other
// shape, a face or an edge that lies along one, makes a manifold of up to four points.
//
// Faces and edges count as parallel up to 5 degrees, as in MuJoCo. A cylinder's end is a polygon of
// 16 corners, its side an edge; so is a capsule's.
#include <algorithm>
#include <cmath>

#include "contact_polygon.hpp"
#include "contact_shapes.hpp"
#include "narrowphase.hpp"
#include "support.hpp"

namespace phyzctl {
namespace {

constexpr double parallel = 0.08878293;  // sine of the largest angle between parallel things
constexpr double facing = 0.99605099;    // and its cosine
constexpr double level = 1e-7;           // slope below which an edge lies across a direction
constexpr int most_faces = 64;           // of a feature
constexpr int cylinder_corners = 16;

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
  int dimension = 0;
  int face_count = 0, edge_count = 0;
  FaceRef faces[most_faces]; // that it belongs to
  EdgeRef edges[most_faces]; // that it belongs to
};

class Side {
public:
  // `outwards` is the unit normal away from the shape, `point` on its surface.
  Side(const Solid &solid, const Vec &outwards, const Vec &point)
      : solid_(solid), placed_(solid.placed), shape_(*solid.placed.shape), outwards_(outwards),
        point_(point), local_(back(solid.placed.rotation, outwards)) {
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

  // Whether a face's outline surely turns at every corner.
  bool turning(const FaceRef &face) const {
    return shape_.type != ShapeType::hull ||
           solid_.faces->turning[static_cast<std::size_t>(face.index)] != 0;
  }

  // The corners of a face, clockwise as seen from outside. Returns how many.
  int outline(const FaceRef &face, Vec *corners) const {
    switch (shape_.type) {
    case ShapeType::box:
      return outline_of_box(face.index, corners);
    case ShapeType::cylinder:
      return outline_of_cylinder(face.index, corners);
    default:
      return outline_of_hull(face.index, corners);
    }
  }

  Feature feature;

private:
  Vec in_world(const Vec &p) const { return placed_.position + placed_.rotation * p; }

  void add_face(const Vec &local_normal, std::int32_t index) {
    if (feature.face_count < most_faces) {
      feature.faces[feature.face_count++] = {placed_.rotation * local_normal, index};
    }
  }

  void add_edge(const Vec &from, const Vec &to) {
    if (feature.edge_count < most_faces) {
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

  void find_in_box() {
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

  void find_in_cylinder() {
    const bool lying = std::fabs(local_.z) < level;
    feature.dimension = lying ? 2 : 1;
    if (!lying) {
      add_face({0.0, 0.0, std::copysign(1.0, local_.z)}, local_.z < 0.0 ? 1 : 0);
    }
    const Vec rim = support(shape_, local_);
    const Vec other{rim.x, rim.y, -rim.z};
    add_edge(in_world(rim), in_world(other));
  }

  void find_in_hull(const HullFaces &faces) {
    const Hull &hull = shape_.hull;
    const std::int32_t at = top(hull, local_);
    std::int32_t level_with = -1;
    feature.dimension = 1;
    each_neighbour(at, [&](std::int32_t next) {
      const Vec edge = hull.vertices[next] - hull.vertices[at];
      if (std::fabs(dot(edge, local_)) <= level * length(edge)) {
        level_with = next;
        feature.dimension = std::min(3, feature.dimension + 1);
      }
    });
    const auto vertex = static_cast<std::size_t>(at);
    std::int32_t flattest = -1;
    for (std::int32_t k = faces.vertex_first[vertex]; k < faces.vertex_first[vertex + 1]; ++k) {
      const std::int32_t index = faces.vertex_faces[static_cast<std::size_t>(k)];
      if (flattest < 0 || slope(faces, index) > slope(faces, flattest)) {
        flattest = index;
      }
      if (feature.dimension == 1 ||
          (feature.dimension == 2 && has_corner(faces, index, level_with))) {
        add_face(faces.normals[static_cast<std::size_t>(index)], index);
      }
      if (feature.dimension == 1) {
        add_edge(in_world(hull.vertices[at]), in_world(hull.vertices[before(faces, index, at)]));
      }
    }
    if (feature.dimension == 3 && flattest >= 0) {
      add_face(faces.normals[static_cast<std::size_t>(flattest)], flattest);
    }
    if (feature.dimension == 2) {
      add_edge(in_world(hull.vertices[at]), in_world(hull.vertices[level_with]));
    }
  }

  double slope(const HullFaces &faces, std::int32_t face) const {
    return dot(faces.normals[static_cast<std::size_t>(face)], local_);
  }

  static bool has_corner(const HullFaces &faces, std::int32_t face, std::int32_t vertex) {
    const auto index = static_cast<std::size_t>(face);
    const auto begin = faces.corners.begin();
    const auto end = begin + faces.first[index + 1];
    return std::find(begin + faces.first[index], end, vertex) != end;
  }

  // The corner before `vertex` around a face.
  static std::int32_t before(const HullFaces &faces, std::int32_t face, std::int32_t vertex) {
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

  template <class Each> void each_neighbour(std::int32_t vertex, const Each &each) const {
    const Hull &hull = shape_.hull;
    for (std::int32_t k = hull.first[vertex]; k < hull.first[vertex + 1]; ++k) {
      each(hull.neighbours[k]);
    }
  }

  int outline_of_box(std::int32_t face, Vec *corners) const {
    static constexpr int order[6][4] = {{7, 3, 1, 5}, {2, 6, 4, 0}, {2, 3, 7, 6},
                                        {4, 5, 1, 0}, {6, 7, 5, 4}, {3, 2, 0, 1}};
    for (int i = 0; i < 4; ++i) {
      corners[i] = in_world(box_corner(order[face][i]));
    }
    return 4;
  }

  int outline_of_cylinder(std::int32_t face, Vec *corners) const {
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

  int outline_of_hull(std::int32_t face, Vec *corners) const {
    const HullFaces &faces = *solid_.faces;
    const auto index = static_cast<std::size_t>(face);
    int count = 0;
    for (std::int32_t k = faces.first[index + 1]; k-- > faces.first[index];) {
      const std::int32_t vertex = faces.corners[static_cast<std::size_t>(k)];
      corners[count++] = in_world(shape_.hull.vertices[vertex]);
    }
    return count;
  }

  const Solid &solid_;
  const Placed &placed_;
  const Shape &shape_;
  Vec outwards_, point_, local_;
};

// Contacts of what is left of a polygon or segment within a face and not above it by more than
// there is room. Distances count along `towards`, away from the face.
bool touch_face(const Vec *face, int face_count, const Vec &normal, Vec *points, int count,
                Vec *spare, bool turning, const Vec &along, bool flip, Touches &out) {
  const bool segment = count == 2;
  count = clip_to(face, face_count, normal, points, count, spare, turning);
  int kept = 0;
  for (int i = 0; i < count; ++i) {
    if (dot(normal, points[i] - face[0]) <= out.room()) {
      points[kept++] = points[i];
    }
  }
  const auto add = [&](const Vec &p) {
    const Vec foot = p - scaled(dot(normal, p - face[0]), normal);
    const double distance = dot(p - foot, along);
    const Vec middle = foot + scaled(0.5 * distance, along);
    out.add(distance, middle, flip ? -along : along);
  };
  if (segment && kept > 2) {
    int first = 0, last = 1;
    for (int i = 0; i < kept; ++i) {
      for (int j = i + 1; j < kept; ++j) {
        if (squared(points[j] - points[i]) > squared(points[last] - points[first])) {
          first = i;
          last = j;
        }
      }
    }
    add(points[first]);
    add(points[last]);
  } else if (kept > 4) {
    const auto corner = [&](int i) { return points[i]; };
    Quad quad(kept, corner);
    quad.widest();
    for (int k = 0; k < 4; ++k) {
      add(points[quad[k]]);
    }
  } else {
    std::for_each(points, points + kept, add);
  }
  return kept > 0;
}

class Manifold {
public:
  Manifold(const Solid &a, const Solid &b, const Separation &found, const PolygonRoom &room,
           Touches &out)
      : normal_(found.normal), a_(a, found.normal, found.a), b_(b, -found.normal, found.b),
        room_(room), out_(out) {}

  // False if there is none.
  bool meet() {
    const FaceRef *face_a = nullptr, *face_b = nullptr;
    if (find_faces(face_a, face_b)) {
      const int count = a_.outline(*face_a, room_.first), other = b_.outline(*face_b, room_.second);
      std::copy_n(room_.second, other, room_.clipped);
      return touch_face(room_.first, count, face_a->normal, room_.clipped, other, room_.spare,
                        b_.turning(*face_b), -face_b->normal, false, out_);
    }
    const Feature &a = a_.feature, &b = b_.feature;
    if (a.dimension < 3 && b.face_count > 0 &&
        (a.dimension <= b.dimension || a.face_count == 0)) {
      return meet_edge(a, b_, -normal_, true);
    }
    return b.dimension < 3 && meet_edge(b, a_, normal_, false);
  }

private:
  // Faces that look at each other, best of all pairs.
  bool find_faces(const FaceRef *&face_a, const FaceRef *&face_b) const {
    double best = -facing;
    for (int i = 0; i < a_.feature.face_count; ++i) {
      const FaceRef &a = a_.feature.faces[i];
      if (dot(a.normal, normal_) <= parallel) {
        continue;
      }
      for (int j = 0; j < b_.feature.face_count; ++j) {
        const FaceRef &b = b_.feature.faces[j];
        const double alike = dot(a.normal, b.normal);
        if (dot(b.normal, normal_) < -parallel && alike < best) {
          best = alike;
          face_a = &a;
          face_b = &b;
        }
      }
    }
    return face_a != nullptr;
  }

  // An edge that lies along a face of the other side. `outwards` is away from that.
  bool meet_edge(const Feature &edges, const Side &side, const Vec &outwards, bool flip) {
    for (int i = 0; i < side.feature.face_count; ++i) {
      const FaceRef &face = side.feature.faces[i];
      if (dot(face.normal, outwards) <= 1e-15) {
        continue;
      }
      for (int j = 0; j < edges.edge_count; ++j) {
        const EdgeRef &edge = edges.edges[j];
        const Vec along = edge.to - edge.from;
        if (std::fabs(dot(along, face.normal)) < parallel * length(along)) {
          const int count = side.outline(face, room_.first);
          room_.clipped[0] = edge.from;
          room_.clipped[1] = edge.to;
          return count >= 3 && touch_face(room_.first, count, face.normal, room_.clipped, 2,
                                          room_.spare, false, face.normal, flip, out_);
        }
      }
    }
    return false;
  }

  Vec normal_;
  Side a_, b_;
  const PolygonRoom &room_;
  Touches &out_;
};

bool has_faces(const Solid &solid) {
  const ShapeType type = solid.placed.shape->type;
  return type == ShapeType::cylinder || type == ShapeType::box ||
         (type == ShapeType::hull && solid.faces != nullptr);
}

bool has_manifold(const Solid &a, const Solid &b) {
  return has_faces(b) && (has_faces(a) || a.placed.shape->type == ShapeType::capsule);
}

} // namespace

void meet_convex(const Solid &a, const Solid &b, bool manifold, const PolygonRoom &room,
                 std::size_t &capped, Touches &out) {
  Separation found;
  if (!near(a.placed, b.placed, out.room(), found, capped)) {
    return;
  }
  if (manifold && has_manifold(a, b) && Manifold(a, b, found, room, out).meet()) {
    return;
  }
  out.add(found.distance, scaled(0.5, found.a + found.b), found.normal);
}

} // namespace phyzctl
