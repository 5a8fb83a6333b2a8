// A polytope inside A - B grows by the support point across its face nearest to the origin. That
// face bounds the depth from below, every support plane seen from above; where they meet is the
// answer. Nearness is signed, so that the first tetrahedron need not hold the origin.
#include "epa.hpp"

#include "polytope.hpp"

namespace phyzctl {
namespace {

constexpr double tolerance = 1e-11; // of the depth, relative to the coordinates' size
constexpr double flatness = 1e-10;  // what is thinner than this counts as flat, likewise
constexpr double thin = 1e-6;       // a tetrahedron of less volume is no start, likewise
constexpr int max_descent = 40;
constexpr Mat3 identity{{1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}, {0.0, 0.0, 1.0}};

class Search {
public:
  explicit Search(const Pair &pair) : pair_(pair) { best_.depth = infinity; }

  Depth depth() {
    if (seed()) {
      grow();
      refine();
    }
    return best_;
  }

  Depth depth_from(const Corner *around) {
    if (!start(around)) {
      return depth();
    }
    grow();
    refine();
    return best_;
  }

private:
  // False where the tetrahedron is too thin to tell its faces' normals.
  bool start(const Corner *around) {
    Corner corner[4];
    std::copy_n(around, 4, corner);
    for (const Corner &each : corner) {
      scale_ = std::max(scale_, largest(each.w));
    }
    const Vec b = corner[1].w - corner[0].w, c = corner[2].w - corner[0].w,
              d = corner[3].w - corner[0].w;
    const double volume = dot(cross(b, c), d);
    if (!(std::fabs(volume) > thin * scale_ * scale_ * scale_)) {
      return false;
    }
    if (volume > 0.0) {
      std::swap(corner[1], corner[2]);
    }
    polytope_.start(corner);
    return true;
  }

  // Four corners far from one plane. False when A - B is flat, which is then answered.
  bool seed() {
    Corner found[10];
    int count = 0;
    for (const Vec &d : {Vec{1, 0, 0}, Vec{0, 1, 0}, Vec{0, 0, 1}}) {
      found[count++] = support(pair_, d);
      found[count++] = support(pair_, -d);
    }
    for (int i = 0; i < count; ++i) {
      scale_ = std::max(scale_, largest(found[i].w));
    }
    Corner base[4] = {found[0], found[1], {}, {}};
    for (int i = 0; i < count; i += 2) {
      if (squared(found[i].w - found[i + 1].w) > squared(base[0].w - base[1].w)) {
        base[0] = found[i];
        base[1] = found[i + 1];
      }
    }
    const Vec along = base[1].w - base[0].w;
    if (!(length(along) > flatness * scale_)) {
      return flat({1.0, 0.0, 0.0});
    }
    const Vec side = perpendicular(along), other = cross(scaled(1.0 / length(along), along), side);
    for (const Vec &d : {side, -side, other, -other}) {
      found[count++] = support(pair_, d);
    }
    base[2] = farthest_from_line(found, count, base[0].w, along);
    const Vec normal = cross(along, base[2].w - base[0].w);
    if (!(length(normal) > flatness * scale_ * length(along))) {
      return flat(side);
    }
    return raise(base, scaled(1.0 / length(normal), normal));
  }

  static Corner farthest_from_line(const Corner *found, int count, const Vec &at, const Vec &along) {
    int best = 0;
    for (int i = 1; i < count; ++i) {
      if (squared(cross(along, found[i].w - at)) > squared(cross(along, found[best].w - at))) {
        best = i;
      }
    }
    return found[best];
  }

  // A tetrahedron over the triangle of three corners, whose normal is given.
  bool raise(Corner *base, const Vec &normal) {
    const Corner up = support(pair_, normal), down = support(pair_, -normal);
    const double above = dot(normal, up.w - base[0].w), below = dot(normal, base[0].w - down.w);
    if (!(std::max(above, below) > flatness * scale_)) {
      return flat(normal);
    }
    base[3] = above > below ? up : down;
    if (above > below) {
      std::swap(base[1], base[2]);
    }
    polytope_.start(base);
    return true;
  }

  bool flat(const Vec &normal) {
    for (const Vec &d : {normal, -normal}) {
      const Corner corner = support(pair_, d);
      consider(dot(d, corner.w), d, corner.a);
    }
    return false;
  }

  void grow() {
    bool sure = true, capped = false;
    while (!capped) {
      const int index = polytope_.nearest();
      const Face &face = polytope_.face(index);
      if (settled(face)) {
        break;
      }
      const Corner corner = support(pair_, face.normal);
      const double reach = dot(face.normal, corner.w);
      if (reach < best_.depth) {
        consider(reach, face.normal, polytope_.foot(face));
      }
      if (settled(face)) {
        break;
      }
      if (polytope_.has(corner)) {
        polytope_.close(index); // a sliver, whose normal is nothing but rounding
        sure = false;
      } else {
        capped = polytope_.full() || !polytope_.expand(index, corner);
      }
    }
    if (capped || !sure) {
      descend();
      best_.capped = capped;
    }
  }

  // Whether the least depth seen is that of this face, which bounds it from below.
  bool settled(const Face &face) const {
    return best_.depth - face.offset <= tolerance * scale_;
  }

  // Many faces of nearly the same depth, as of round shapes one in the other, outnumber the
  // corners. Where A - B is round its support plane's height is a smooth function of the normal,
  // with the support point as its gradient: go down it from the best that was seen.
  void descend() {
    Vec normal = best_.normal, last_normal{}, last_slope{};
    double step = 0.5 / scale_;
    for (int i = 0; i < max_descent; ++i) {
      const Corner corner = support(pair_, normal);
      const double reach = dot(normal, corner.w);
      consider(reach, normal, corner.a);
      const Vec slope = corner.w - scaled(reach, normal);
      const Vec moved = normal - last_normal, bent = slope - last_slope;
      if (i > 0 && dot(moved, bent) > 0.0) {
        step = squared(moved) / dot(moved, bent);
      }
      last_normal = normal;
      last_slope = slope;
      const Vec next = normal - scaled(step, slope);
      normal = scaled(1.0 / length(next), next);
    }
  }

  // A depth known to rounding leaves the normal of what is round uncertain by its root. Where a
  // flat face bears an ellipsoid its normal is the one, and the normal tells the ellipsoid's point.
  void refine() {
    const bool first = pair_.a->type == ShapeType::ellipsoid;
    if (first || pair_.b->type == ShapeType::ellipsoid) {
      snap(*pair_.a, identity);
      snap(*pair_.b, pair_.rotation);
      const Corner corner = support(pair_, best_.normal);
      best_.a = first ? corner.a : corner.a - corner.w + scaled(best_.depth, best_.normal);
    }
  }

  void snap(const Shape &shape, const Mat3 &rotation) {
    const bool box = shape.type == ShapeType::box;
    if (!box && shape.type != ShapeType::cylinder) {
      return;
    }
    for (int k = box ? 0 : 2; k < 3; ++k) {
      const Vec axis = column(rotation, k);
      const Vec normal = scaled(std::copysign(1.0, dot(axis, best_.normal)), axis);
      const double reach = dot(normal, support(pair_, normal).w);
      if (reach <= best_.depth + tolerance * scale_) {
        best_.depth = reach;
        best_.normal = normal;
      }
    }
  }

  void consider(double reach, const Vec &normal, const Vec &a) {
    if (reach < best_.depth) {
      best_ = {reach, normal, a, false};
    }
  }

  const Pair &pair_;
  Polytope polytope_;
  double scale_ = 0.0;
  Depth best_;
};

} // namespace

Depth core_depth(const Pair &pair) { return Search(pair).depth(); }

Depth core_depth(const Pair &pair, const Corner *around) { return Search(pair).depth_from(around); }

} // namespace phyzctl
