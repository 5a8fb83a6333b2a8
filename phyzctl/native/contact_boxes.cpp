// Two boxes: the axis along which they overlap least is either a face's normal or across two edges.
// A face takes the other box' facing face, cut to its own outline; edges meet in one point.
#include <cmath>

#include "contact_shapes.hpp"

namespace phyzctl {
namespace {

constexpr double edge_bias = 1e-6;  // by how much, of the depth, edges must be better than faces
constexpr double parallel = 1e-16;  // squared sine of edges that have no axis between them
constexpr double even = 1e-9;       // an axis across a face: both of its edges support it
constexpr double same_point = 1e-14; // squared, relative to the face
constexpr int most_corners = 8;

struct Corner {
  double x, y, z; // in the plane of a face, and above it
};

// Leave of a polygon what is below `limit` along sign * x, or sign * y.
int cut(Corner *polygon, int count, bool along_x, double sign, double limit) {
  Corner kept[most_corners];
  int result = 0;
  for (int i = 0; i < count; ++i) {
    const Corner &p = polygon[i], &q = polygon[i + 1 < count ? i + 1 : 0];
    const double here = sign * (along_x ? p.x : p.y) - limit,
                 next = sign * (along_x ? q.x : q.y) - limit;
    if (here <= 0.0 && result < most_corners) {
      kept[result++] = p;
    }
    if (((here < 0.0 && next > 0.0) || (here > 0.0 && next < 0.0)) && result < most_corners) {
      const double t = here / (here - next);
      kept[result++] = {p.x + t * (q.x - p.x), p.y + t * (q.y - p.y), p.z + t * (q.z - p.z)};
    }
  }
  std::copy_n(kept, result, polygon);
  return result;
}

double part(const Vec &v, int i) { return i == 0 ? v.x : i == 1 ? v.y : v.z; }
Vec vec(const double *v) { return {v[0], v[1], v[2]}; }
void spread(const Vec &v, double *into) {
  into[0] = v.x;
  into[1] = v.y;
  into[2] = v.z;
}

class Boxes {
public:
  Boxes(const Placed &a, const Placed &b, Touches &out) : a_(a), b_(b), out_(out) {
    spread(a.shape->size, half_a_);
    spread(b.shape->size, half_b_);
    const Vec between = b.position - a.position;
    spread(back(a.rotation, between), to_b_);
    spread(back(b.rotation, -between), to_a_);
    const Mat3 r = relative(a.rotation, b.rotation);
    spread(r.x, turn_[0]);
    spread(r.y, turn_[1]);
    spread(r.z, turn_[2]);
  }

  void meet() {
    if (!overlap_along_faces() || !overlap_along_edges()) {
      return;
    }
    if (edge_ < 0 || face_will_do()) {
      meet_by_face();
    } else {
      meet_by_edges();
    }
  }

private:
  // The gap along each face's normal; the largest is the best. False when one parts the boxes.
  bool overlap_along_faces() {
    for (int i = 0; i < 3; ++i) {
      double other = 0.0;
      for (int k = 0; k < 3; ++k) {
        other += std::fabs(turn_[i][k]) * half_b_[k];
      }
      if (!consider(std::fabs(to_b_[i]) - half_a_[i] - other, i)) {
        return false;
      }
    }
    for (int j = 0; j < 3; ++j) {
      double other = 0.0;
      for (int k = 0; k < 3; ++k) {
        other += std::fabs(turn_[k][j]) * half_a_[k];
      }
      if (!consider(std::fabs(to_a_[j]) - half_b_[j] - other, 3 + j)) {
        return false;
      }
    }
    best_ = face_gap_;
    return true;
  }

  bool consider(double gap, int face) {
    if (gap > face_gap_) {
      face_gap_ = gap;
      face_ = face;
    }
    return !(gap > out_.room());
  }

  bool overlap_along_edges() {
    for (int i = 0; i < 3; ++i) {
      for (int j = 0; j < 3; ++j) {
        Vec axis{};
        if (!across(i, j, axis)) {
          continue;
        }
        const int j1 = (j + 1) % 3, j2 = (j + 2) % 3;
        double reach = 0.0;
        for (int k = 0; k < 3; ++k) {
          reach += half_a_[k] * std::fabs(part(axis, k));
        }
        const double gap = std::fabs(dot(axis, vec(to_b_))) - reach -
                           half_b_[j1] * std::fabs(along_b(axis, j1)) -
                           half_b_[j2] * std::fabs(along_b(axis, j2));
        if (gap > out_.room()) {
          return false;
        }
        if (gap - edge_bias * std::fabs(gap) > best_ && gap > face_gap_) {
          best_ = gap;
          edge_ = 3 * i + j;
          axis_ = axis;
        }
      }
    }
    return true;
  }

  // The unit vector across edge i of A and edge j of B, in A; false for parallel ones.
  bool across(int i, int j, Vec &axis) const {
    const int i1 = (i + 1) % 3, i2 = (i + 2) % 3;
    const double first = -turn_[i2][j], second = turn_[i1][j];
    const double size = first * first + second * second;
    if (size < parallel) {
      return false;
    }
    double parts[3] = {};
    parts[i1] = first / std::sqrt(size);
    parts[i2] = second / std::sqrt(size);
    axis = vec(parts);
    return true;
  }

  // A vector of A's frame along axis j of B.
  double along_b(const Vec &v, int j) const {
    return v.x * turn_[0][j] + v.y * turn_[1][j] + v.z * turn_[2][j];
  }

  // An edge axis almost along the best face's normal says the same; the face holds better.
  bool face_will_do() const {
    const double alike = face_ < 3 ? part(axis_, face_) : along_b(axis_, face_ - 3);
    return std::fabs(alike) > 0.99 && best_ < face_gap_ + 0.05 * std::fabs(face_gap_) + 1e-15;
  }

  void meet_by_edges();
  void nearest_on_edges(int i, int j, const double *corner_a, const double *corner_b);
  void meet_by_face();

  const Placed &a_, &b_;
  Touches &out_;
  double half_a_[3], half_b_[3];
  double to_b_[3], to_a_[3]; // the other's centre, in the frame of A, and of B
  double turn_[3][3];        // axis j of B along axis i of A
  double face_gap_ = -infinity, best_ = -infinity;
  int face_ = 0, edge_ = -1; // 0 to 2 of A, 3 to 5 of B; 3 i + j
  Vec axis_{};
  Vec on_a_{}, on_b_{};
  double nearest_ = infinity;
};

// The edges are those that reach farthest along the axis. Where an axis has no part across one,
// rounding would choose between two: then all are tried, and the nearest points count.
void Boxes::meet_by_edges() {
  if (dot(axis_, vec(to_b_)) < 0.0) {
    axis_ = -axis_;
  }
  const int i = edge_ / 3, j = edge_ % 3;
  double corner_a[3] = {}, corner_b[3] = {};
  int loose_a = -1, loose_b = -1;
  for (const int step : {2, 1}) {
    const int ka = (i + step) % 3, kb = (j + step) % 3;
    const double pa = part(axis_, ka), pb = along_b(axis_, kb);
    corner_a[ka] = pa >= 0.0 ? half_a_[ka] : -half_a_[ka];
    corner_b[kb] = pb >= 0.0 ? -half_b_[kb] : half_b_[kb];
    loose_a = std::fabs(pa) < even ? ka : loose_a;
    loose_b = std::fabs(pb) < even ? kb : loose_b;
  }
  for (int flip_a = 0; flip_a < (loose_a < 0 ? 1 : 2); ++flip_a) {
    for (int flip_b = 0; flip_b < (loose_b < 0 ? 1 : 2); ++flip_b) {
      nearest_on_edges(i, j, corner_a, corner_b);
      if (loose_b >= 0) {
        corner_b[loose_b] = -corner_b[loose_b];
      }
    }
    if (loose_a >= 0) {
      corner_a[loose_a] = -corner_a[loose_a];
    }
  }
  const Vec middle = scaled(0.5, on_a_ + on_b_);
  out_.add(dot(on_b_ - on_a_, axis_), a_.position + a_.rotation * middle, a_.rotation * axis_);
}

void Boxes::nearest_on_edges(int i, int j, const double *corner_a, const double *corner_b) {
  const auto clamp = [](double t, double limit) { return std::min(limit, std::max(-limit, t)); };
  const Vec direction{turn_[0][j], turn_[1][j], turn_[2][j]};
  double start[3];
  for (int k = 0; k < 3; ++k) {
    start[k] = to_b_[k] + dot(vec(turn_[k]), vec(corner_b));
  }
  const Vec between = vec(start) - vec(corner_a);
  const double alike = part(direction, i), along_a = part(between, i),
               along = dot(direction, between), sine = 1.0 - alike * alike;
  double s = sine < 1e-15 ? 0.0 : (along_a - alike * along) / sine;
  s = clamp(s, half_a_[i]);
  const double t = clamp(alike * s - along, half_b_[j]);
  s = clamp(along_a + alike * t, half_a_[i]);
  double on_a[3] = {corner_a[0], corner_a[1], corner_a[2]};
  on_a[i] += s;
  const Vec on_b = vec(start) + scaled(t, direction);
  if (squared(on_b - vec(on_a)) < nearest_) {
    nearest_ = squared(on_b - vec(on_a));
    on_a_ = vec(on_a);
    on_b_ = on_b;
  }
}

// x and y are the face's other axes, z is the height above the face.
void Boxes::meet_by_face() {
  const bool of_a = face_ < 3;
  const int up = of_a ? face_ : face_ - 3, x = (up + 1) % 3, y = (up + 2) % 3;
  const Placed &mine = of_a ? a_ : b_;
  const double *half = of_a ? half_a_ : half_b_, *other = of_a ? half_b_ : half_a_;
  const double *centre = of_a ? to_b_ : to_a_;
  const auto turn = [&](int row, int k) { return of_a ? turn_[row][k] : turn_[k][row]; };
  const double side = centre[up] >= 0.0 ? 1.0 : -1.0;
  int facing = 0;
  for (int k = 1; k < 3; ++k) {
    facing = std::fabs(turn(up, k)) > std::fabs(turn(up, facing)) ? k : facing;
  }
  const double towards = side * turn(up, facing) > 0.0 ? -other[facing] : other[facing];
  const int u = (facing + 1) % 3, v = (facing + 2) % 3;
  const auto corner = [&](double su, double sv) {
    const auto coordinate = [&](int row) {
      return centre[row] + towards * turn(row, facing) + su * other[u] * turn(row, u) +
             sv * other[v] * turn(row, v);
    };
    return Corner{coordinate(x), coordinate(y), side * coordinate(up) - half[up]};
  };
  Corner polygon[most_corners] = {corner(1, 1), corner(-1, 1), corner(-1, -1), corner(1, -1)};
  int count = 4;
  for (const double sign : {1.0, -1.0}) {
    count = cut(polygon, count, true, sign, half[x]);
  }
  for (const double sign : {1.0, -1.0}) {
    count = cut(polygon, count, false, sign, half[y]);
  }
  const Vec normal = scaled(of_a ? side : -side, column(mine.rotation, up));
  const double same = same_point * (half[x] * half[x] + half[y] * half[y]);
  for (int i = 0; i < count; ++i) {
    const Corner &c = polygon[i];
    const bool known = std::any_of(polygon, polygon + i, [&](const Corner &other_corner) {
      const double dx = c.x - other_corner.x, dy = c.y - other_corner.y;
      return other_corner.z <= out_.room() && dx * dx + dy * dy < same;
    });
    if (!known) {
      double point[3];
      point[x] = c.x;
      point[y] = c.y;
      point[up] = side * (half[up] + 0.5 * c.z);
      out_.add(c.z, mine.position + mine.rotation * vec(point), normal);
    }
  }
}

} // namespace

void meet_boxes(const Placed &a, const Placed &b, Touches &out) { Boxes(a, b, out).meet(); }

} // namespace phyzctl
