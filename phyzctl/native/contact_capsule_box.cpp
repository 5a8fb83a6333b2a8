// A capsule and a box: the point of the segment that is nearest to the box, and, where the segment
// runs along a face or an edge, the last of its points above that. At each a ball meets the box.
//
// All in the frame of the box; a place on the segment is -1 to 1 from end to end.
#include <cmath>
#include <optional>

#include "closed_forms.hpp"
#include "contact_shapes.hpp"

namespace phyzctl {
namespace {

constexpr double tiny = 1e-15;

enum class Feature { none, face, edge, corner };

// What of the box is nearest to the segment.
struct Nearest {
  double distance = infinity; // squared
  Feature feature = Feature::none;
  double place = 0.0;   // on the segment
  int face = -1;        // the axis of a face; -1: the segment's end is inside
  int edge = 0;         // the axis of an edge
  double on_edge = 0.0; // from -1 to 1
  int corner = 0;       // bits, set where it is on the positive side
};

struct Parts {
  double at[3];
  explicit Parts(const Vec &v) : at{v.x, v.y, v.z} {}
  double operator[](int i) const { return at[i]; }
};

class Fit {
public:
  Fit(const Vec &centre, const Vec &axis, double half_length, const Vec &half)
      : centre_(centre), axis_(axis), reach_(scaled(half_length, axis)), half_(half) {
    for (int k = 0; k < 3; ++k) {
      heading_ |= reach_[k] > 0.0 ? 1 << k : 0;
    }
    length_ = half_length * half_length;
    for (const double end : {-1.0, 1.0}) {
      try_end(end);
    }
    for (int edge = 0; edge < 3; ++edge) {
      for (int corner = 0; corner < 8; ++corner) {
        if ((corner >> edge & 1) == 0) {
          try_edge(edge, corner);
        }
      }
    }
  }

  const Nearest &nearest() const { return best_; }

  // How far along the segment the second point is from the first. It may be the first once more,
  // which then weighs double, as in MuJoCo.
  std::optional<double> second() const {
    return best_.feature == Feature::corner ? from_corner()
           : best_.feature == Feature::edge ? across_edge()
           : best_.face >= 0                ? over_face()
                                            : std::nullopt;
  }

private:
  // An end counts if it is straight above a face, or inside.
  void try_end(double end) {
    double distance = 0.0;
    int outside = 0, face = -1;
    for (int k = 0; k < 3; ++k) {
      const double beyond = std::fabs(centre_[k] + end * reach_[k]) - half_[k];
      if (beyond > 0.0) {
        ++outside;
        face = k;
        distance += beyond * beyond;
      }
    }
    if (outside <= 1 && distance < best_.distance) {
      best_.distance = distance;
      best_.feature = Feature::face;
      best_.place = end;
      best_.face = face;
    }
  }

  // Nearest points of the segment and the edge that has this corner at its negative end.
  void try_edge(int edge, int corner) {
    double between[3]; // from the segment's centre to the edge's
    for (int k = 0; k < 3; ++k) {
      const double side = corner >> k & 1 ? half_[k] : -half_[k];
      between[k] = (k == edge ? 0.0 : side) - centre_[k];
    }
    const double own = half_[edge] * half_[edge], both = half_[edge] * reach_[edge];
    const double determinant = own * length_ - both * both;
    if (std::fabs(determinant) < tiny) {
      return;
    }
    const double u = -half_[edge] * between[edge];
    const double v = reach_[0] * between[0] + reach_[1] * between[1] + reach_[2] * between[2];
    double on_edge = (length_ * u + both * v) / determinant;
    double place = (own * v + both * u) / determinant;
    double end = 0.0; // of the edge, once it has come up, even if the segment's end then leads back
    if (std::fabs(on_edge) > 1.0) {
      end = on_edge = std::copysign(1.0, on_edge);
      place = (v + on_edge * both) / length_;
    }
    if (std::fabs(place) > 1.0) {
      place = std::copysign(1.0, place);
      on_edge = (u + place * both) / own;
      if (std::fabs(on_edge) > 1.0) {
        end = on_edge = std::copysign(1.0, on_edge);
      }
    }
    double distance = 0.0;
    for (int k = 0; k < 3; ++k) {
      const double gap =
          between[k] - place * reach_[k] + (k == edge ? half_[edge] * on_edge : 0.0);
      distance += gap * gap;
    }
    if (distance < best_.distance - tiny) {
      best_ = {distance, end != 0.0 ? Feature::corner : Feature::edge, place, -1, edge, on_edge,
               corner | (end > 0.0 ? 1 << edge : 0)};
    }
  }

  // How far a part of the segment can go to cross this width along an axis.
  double room(int axis, double width) const { return width / std::fabs(reach_[axis]); }

  static bool single(int bits) { return bits == 1 || bits == 2 || bits == 4; }
  static int axis_of(int bit) { return bit >> 1; } // 1, 2, 4 to 0, 1, 2

  // Along the edge that the segment follows, or else back over the face.
  std::optional<double> from_corner() const {
    int apart = heading_ ^ best_.corner;
    if (apart == 0 || apart == 7) {
      return std::nullopt; // it points to the corner, or away from it
    }
    const double way = single(apart) ? 1.0 : -1.0;
    apart = single(apart) ? apart : 7 - apart;
    const int axis = axis_of(apart), first = (axis + 1) % 3, other = (axis + 2) % 3;
    if (axis_[axis] * axis_[axis] > 0.5) {
      return way * std::min(1.0 - way * best_.place, room(axis, 2.0 * half_[axis]));
    }
    return -way * std::min({1.0 + way * best_.place, room(first, 2.0 * half_[first]),
                            room(other, 2.0 * half_[other])});
  }

  // Over the face that the segment makes the smaller angle with.
  std::optional<double> across_edge() const {
    const int apart = (heading_ ^ best_.corner) & ~(1 << best_.edge);
    if (!single(apart)) {
      return std::nullopt; // the segment stands on the edge
    }
    const int edge = best_.edge, first = (edge + 1) % 3, other = (edge + 2) % 3;
    const int across = std::fabs(axis_[first]) > std::fabs(axis_[other]) ? first : other;
    const bool forward = (apart >> across & 1) != 0;
    const double way = forward ? 1.0 : -1.0;
    const bool same = (heading_ >> edge & 1) == (apart >> across & 1);
    const double left = half_[edge] * (same ? 1.0 - best_.on_edge : 1.0 + best_.on_edge);
    return way * std::min({1.0 - way * best_.place, room(across, 2.0 * half_[across]),
                           room(edge, left)});
  }

  // From one end to where the segment leaves the space above the face.
  std::optional<double> over_face() const {
    const double way = -best_.place;
    double far = 2.0;
    for (int k = 0; k < 3; ++k) {
      const double end = centre_[k] + best_.place * reach_[k];
      for (const double side : {half_[k], -half_[k]}) {
        const double until = (side - end) / reach_[k] * way;
        if (k != best_.face && until > 0.0 && until < far) {
          far = until;
        }
      }
    }
    return way * far;
  }

  Parts centre_, axis_, reach_, half_;
  double length_ = 0.0; // of half the segment, squared
  int heading_ = 0;     // bits, set where the segment goes to the positive side
  Nearest best_;
};

// How far the box around the segment is beside the box, at least.
double beside(const Vec &centre, const Vec &half_segment, const Vec &half) {
  return std::max({std::fabs(centre.x) - std::fabs(half_segment.x) - half.x,
                   std::fabs(centre.y) - std::fabs(half_segment.y) - half.y,
                   std::fabs(centre.z) - std::fabs(half_segment.z) - half.z});
}

void meet_ball(const Placed &capsule, const Placed &box, double place, Touches &out) {
  Shape ball;
  ball.type = ShapeType::sphere;
  ball.radius = capsule.shape->size.x;
  const Vec half = scaled(capsule.shape->size.y, column(capsule.rotation, 2));
  const Placed placed{&ball, capsule.rotation, capsule.position + scaled(place, half)};
  const Separation found = sphere_and_solid(placed, box);
  out.add(found.distance, found.a + scaled(0.5 * found.distance, found.normal), found.normal);
}

} // namespace

void meet_capsule_and_box(const Placed &a, const Placed &b, Touches &out) {
  const Vec centre = back(b.rotation, a.position - b.position),
            axis = back(b.rotation, column(a.rotation, 2));
  if (beside(centre, scaled(a.shape->size.y, axis), b.shape->size) >
      a.shape->size.x + out.room() + 1e-9) {
    return;
  }
  const Fit fit(centre, axis, a.shape->size.y, b.shape->size);
  if (fit.nearest().feature == Feature::none) {
    return;
  }
  const double place = fit.nearest().place;
  meet_ball(a, b, place, out);
  if (const std::optional<double> second = fit.second()) {
    meet_ball(a, b, place + *second, out);
  }
}

} // namespace phyzctl
