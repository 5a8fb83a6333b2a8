// Shapes without a formula: the general search finds distance and normal. What then faces the other
// shape, a face or an edge that lies along one, makes a manifold of up to four points.
//
// Faces and edges count as parallel up to 5 degrees, as in MuJoCo.
#include <algorithm>
#include <cmath>

#include "contact_polygon.hpp"
#include "contact_shapes.hpp"
#include "contact_side.hpp"
#include "narrowphase.hpp"

namespace phyzctl {
namespace {

constexpr double parallel = 0.08878293; // sine of the largest angle between parallel things
constexpr double facing = 0.99605099;   // and its cosine

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
    const bool first = b.face_count > 0 && (a.dimension <= b.dimension || a.face_count == 0);
    if (a.dimension < 3 && first && meet_edge(a, b_, -normal_, true)) {
      return true;
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

  // An edge that lies along a face of the other side: of such faces the one that the normal is
  // nearest to, and the flattest edge. `outwards` is away from that side.
  bool meet_edge(const Feature &edges, const Side &side, const Vec &outwards, bool flip) {
    const FaceRef *face = nullptr;
    const EdgeRef *edge = nullptr;
    double best = 1e-15;
    for (int i = 0; i < side.feature.face_count; ++i) {
      const FaceRef &each = side.feature.faces[i];
      const double alike = dot(each.normal, outwards);
      const EdgeRef *along = alike > best ? flattest(edges, each.normal) : nullptr;
      if (along != nullptr) {
        best = alike;
        face = &each;
        edge = along;
      }
    }
    const int count = face != nullptr ? side.outline(*face, room_.first) : 0;
    if (count < 3) {
      return false;
    }
    room_.clipped[0] = edge->from;
    room_.clipped[1] = edge->to;
    return touch_face(room_.first, count, face->normal, room_.clipped, 2, room_.spare, false,
                      face->normal, flip, out_);
  }

  // The edge that lies flattest along a plane; null where none lies along it.
  static const EdgeRef *flattest(const Feature &edges, const Vec &normal) {
    const EdgeRef *result = nullptr;
    double least = parallel;
    for (int j = 0; j < edges.edge_count; ++j) {
      const double found = slope(edges.edges[j], normal);
      if (found < least) {
        least = found;
        result = &edges.edges[j];
      }
    }
    return result;
  }

  // The sine of the angle between an edge and a plane.
  static double slope(const EdgeRef &edge, const Vec &normal) {
    const Vec along = edge.to - edge.from;
    return std::fabs(dot(along, normal)) / length(along);
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
