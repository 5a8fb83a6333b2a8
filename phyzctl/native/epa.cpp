// A polytope inside A - B grows by the support point across its face nearest to the origin. That
// face bounds the depth from below, every support plane seen from above; where they meet is the
// answer. Nearness is signed, so that the first tetrahedron need not hold the origin.
#include "epa.hpp"

#include "polytope.hpp"

namespace phyzctl {
namespace {

constexpr double tolerance = 1e-11; // of the depth, relative to the coordinates' size
constexpr double flatness = 1e-10;  // what is thinner than this counts as flat, likewise
constexpr int max_descent = 40;

class Search {
public:
  explicit Search(const Pair &pair) : pair_(pair) { best_.depth = infinity; }

  Depth depth() {
    if (seed()) {
      grow();
    }
    return best_;
  }

private:
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
      if (best_.depth - face.offset <= tolerance * scale_) {
        break;
      }
      const Corner corner = support(pair_, face.normal);
      consider(dot(face.normal, corner.w), face.normal, polytope_.foot(face));
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

} // namespace phyzctl
