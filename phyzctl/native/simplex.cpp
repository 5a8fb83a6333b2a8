// Every feature is solved in differences of corners, so that errors shrink with the simplex, and
// where the origin is outside of a feature the best of the sides it is outside of is taken.
#include "simplex.hpp"

namespace phyzctl {
namespace {

struct Nearest {
  int count = 0;
  int corner[4] = {};
  double weight[4] = {};
  double distance = 0.0; // squared
};

class Solver {
public:
  Solver(const Simplex &simplex, double noise) : corner_(simplex.corner), noise_(noise) {}

  Nearest segment(int i, int j) const {
    const Vec a = corner_[i].w, ab = corner_[j].w - a;
    const double size = squared(ab);
    const double t = -dot(a, ab);
    if (!(t > 0.0)) {
      return point(i);
    }
    if (t >= size) {
      return point(j);
    }
    const double s = t / size;
    return {2, {i, j}, {1.0 - s, s}, squared(a + scaled(s, ab))};
  }

  Nearest triangle(int i, int j, int k) const {
    const Vec a = corner_[i].w, ab = corner_[j].w - a, ac = corner_[k].w - a;
    const Vec n = cross(ab, ac);
    const double area = squared(n);
    const double unsure = noise_ * noise_ * (squared(ab) + squared(ac));
    if (area <= unsure) {
      return best(best(segment(i, j), segment(i, k)), segment(j, k));
    }
    const double t = -dot(cross(a, ac), n), u = -dot(cross(ab, a), n), s = area - t - u;
    if (s >= 0.0 && t >= 0.0 && u >= 0.0) {
      const double height = dot(a, n);
      const double y = t / area, z = u / area;
      return {3, {i, j, k}, {1.0 - y - z, y, z}, height * height / area};
    }
    Nearest found;
    if (s < 0.0) {
      found = segment(j, k);
    }
    if (t < 0.0) {
      found = best(found, segment(i, k));
    }
    if (u < 0.0) {
      found = best(found, segment(i, j));
    }
    return found;
  }

  Nearest tetrahedron() const {
    const Vec a = corner_[0].w, ab = corner_[1].w - a, ac = corner_[2].w - a,
              ad = corner_[3].w - a;
    const Vec abc = cross(ab, ac), acd = cross(ac, ad), adb = cross(ad, ab);
    const double volume = dot(abc, ad);
    const double unsure = noise_ * (length(abc) + length(acd) + length(adb));
    const bool flat = std::fabs(volume) <= unsure;
    const double sign = volume < 0.0 ? -1.0 : 1.0;
    // Weights times volume: how deep the origin is behind the face opposite to each corner.
    const double b = -sign * dot(acd, a), c = -sign * dot(adb, a), d = -sign * dot(abc, a);
    const double rest = std::fabs(volume) - b - c - d;
    Nearest found;
    if (flat || rest < 0.0) {
      found = triangle(1, 2, 3);
    }
    if (flat || b < 0.0) {
      found = best(found, triangle(0, 2, 3));
    }
    if (flat || c < 0.0) {
      found = best(found, triangle(0, 1, 3));
    }
    if (flat || d < 0.0) {
      found = best(found, triangle(0, 1, 2));
    }
    return found.count > 0 ? found : Nearest{4, {0, 1, 2, 3}, {}, 0.0};
  }

private:
  Nearest point(int i) const { return {1, {i}, {1.0}, squared(corner_[i].w)}; }

  static Nearest best(const Nearest &a, const Nearest &b) {
    return a.count > 0 && a.distance <= b.distance ? a : b;
  }

  const Corner *corner_;
  double noise_;
};

} // namespace

bool reduce(Simplex &simplex, double noise) {
  const Solver solver(simplex, noise);
  const Nearest found = simplex.count == 1   ? Nearest{1, {0}, {1.0}, 0.0}
                        : simplex.count == 2 ? solver.segment(0, 1)
                        : simplex.count == 3 ? solver.triangle(0, 1, 2)
                                             : solver.tetrahedron();
  if (found.count == 4) {
    return true;
  }
  const Simplex before = simplex;
  simplex.count = found.count;
  for (int i = 0; i < found.count; ++i) {
    simplex.corner[i] = before.corner[found.corner[i]];
    simplex.weight[i] = found.weight[i];
  }
  return false;
}

} // namespace phyzctl
