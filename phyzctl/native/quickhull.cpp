// Points are first rounded to a grid of 2^30 steps along each axis of the cloud. On it the side of
// a plane that a point is on is a matter of integers: no rounding can make the surface fold or
// gape, however flat or round the cloud or however many of its points share a plane.
#include "quickhull.hpp"

#include <algorithm>
#include <cmath>

namespace phyzctl {
namespace {

constexpr int grid_bits = 30;
constexpr std::int64_t grid = std::int64_t{1} << grid_bits;

struct Point {
  std::int64_t x, y, z;
};

Point operator-(const Point &a, const Point &b) { return {a.x - b.x, a.y - b.y, a.z - b.z}; }

Point cross(const Point &a, const Point &b) {
  return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

double length(const Point &a) {
  const auto x = static_cast<double>(a.x), y = static_cast<double>(a.y),
             z = static_cast<double>(a.z);
  return std::sqrt(x * x + y * y + z * z);
}

// n . d, exactly, for a product n of differences and a difference d. It takes some 95 bits.
struct Wide {
  std::int64_t high, low; // high * grid + low, 0 <= low < grid

  bool positive() const { return high > 0 || (high == 0 && low > 0); }
  double value() const {
    return static_cast<double>(high) * static_cast<double>(grid) + static_cast<double>(low);
  }
};

Wide dot(const Point &n, const Point &d) {
  const Point high{n.x >> grid_bits, n.y >> grid_bits, n.z >> grid_bits}; // rounded down
  const Point low{n.x - high.x * grid, n.y - high.y * grid, n.z - high.z * grid};
  const std::int64_t rest = low.x * d.x + low.y * d.y + low.z * d.z;
  const std::int64_t carry = rest >> grid_bits;
  return {high.x * d.x + high.y * d.y + high.z * d.z + carry, rest - carry * grid};
}

struct Facet {
  std::int32_t corner[3];
  std::int32_t across[3]; // the facet beyond the edge from corner i to corner i + 1
  Point normal;
  double size; // of the normal
  std::vector<std::int32_t> outside; // points that see this facet, the farthest last
  double farthest = 0.0;
  bool alive = true, seen = false;
};

class Builder {
public:
  explicit Builder(std::vector<Point> points) : points_(std::move(points)) {}

  HullMesh build() {
    std::int32_t base[4] = {0, 0, 0, 0};
    const int rank = spread(base);
    if (rank < 2) {
      return {std::vector<std::int32_t>(base, base + rank + 1), {}};
    }
    std::int32_t apex = -1;
    if (rank == 2) { // a cone over the flat figure has it as its base
      apex = base[3] = static_cast<std::int32_t>(points_.size());
      points_.push_back(beside(base));
    }
    start(base);
    for (std::size_t f = 0; f < facets_.size(); ++f) {
      if (facets_[f].alive && !facets_[f].outside.empty()) {
        add(static_cast<std::int32_t>(f));
      }
    }
    return mesh(apex);
  }

private:
  const Point &at(std::int32_t i) const { return points_[static_cast<std::size_t>(i)]; }
  Facet &facet(std::int32_t i) { return facets_[static_cast<std::size_t>(i)]; }

  // The point that `measure` finds greatest, and above zero; -1 if there is none.
  template <class Measure> std::int32_t greatest(const Measure &measure) const {
    std::int32_t best = -1;
    double most = 0.0;
    for (std::size_t i = 0; i < points_.size(); ++i) {
      const double value = measure(points_[i]);
      if (value > most) {
        most = value;
        best = static_cast<std::int32_t>(i);
      }
    }
    return best;
  }

  // Up to four points that span as many dimensions as there are; returns these.
  int spread(std::int32_t *base) const {
    base[1] = greatest([&](const Point &p) { return length(p - at(base[0])); });
    if (base[1] < 0) {
      return 0;
    }
    base[0] = greatest([&](const Point &p) { return length(p - at(base[1])); });
    const Point along = at(base[1]) - at(base[0]);
    base[2] = greatest([&](const Point &p) { return length(cross(along, p - at(base[0]))); });
    if (base[2] < 0) {
      return 1;
    }
    const Point normal = cross(along, at(base[2]) - at(base[0]));
    base[3] =
        greatest([&](const Point &p) { return std::fabs(dot(normal, p - at(base[0])).value()); });
    return base[3] < 0 ? 2 : 3;
  }

  // A point one step off the plane of three.
  Point beside(const std::int32_t *base) const {
    const Point n = cross(at(base[1]) - at(base[0]), at(base[2]) - at(base[0]));
    Point p = at(base[0]);
    (n.x != 0 ? p.x : n.y != 0 ? p.y : p.z) += 1;
    return p;
  }

  void start(std::int32_t *base) {
    const Point normal = cross(at(base[1]) - at(base[0]), at(base[2]) - at(base[0]));
    if (dot(normal, at(base[3]) - at(base[0])).positive()) {
      std::swap(base[1], base[2]);
    }
    const int corner[4][3] = {{0, 1, 2}, {0, 3, 1}, {1, 3, 2}, {2, 3, 0}};
    const int across[4][3] = {{1, 2, 3}, {3, 2, 0}, {1, 3, 0}, {2, 1, 0}};
    for (int i = 0; i < 4; ++i) {
      make_facet(base[corner[i][0]], base[corner[i][1]], base[corner[i][2]]);
      std::copy_n(across[i], 3, facets_.back().across);
    }
    std::vector<std::int32_t> all(points_.size());
    for (std::size_t i = 0; i < all.size(); ++i) {
      all[i] = static_cast<std::int32_t>(i);
    }
    share_out(all, 0);
  }

  void make_facet(std::int32_t a, std::int32_t b, std::int32_t c) {
    Facet made;
    made.corner[0] = a;
    made.corner[1] = b;
    made.corner[2] = c;
    made.normal = cross(at(b) - at(a), at(c) - at(a));
    made.size = length(made.normal);
    facets_.push_back(std::move(made));
  }

  Wide height(const Facet &facet, std::int32_t point) const {
    return dot(facet.normal, at(point) - at(facet.corner[0]));
  }

  // Give each point to the first facet from `first` on that it sees; it is inside if there is none.
  void share_out(const std::vector<std::int32_t> &points, std::size_t first) {
    for (const std::int32_t point : points) {
      for (std::size_t f = first; f < facets_.size(); ++f) {
        const Wide over = height(facets_[f], point);
        if (over.positive()) {
          give(facets_[f], point, over.value() / facets_[f].size);
          break;
        }
      }
    }
  }

  static void give(Facet &facet, std::int32_t point, double height) {
    facet.outside.push_back(point);
    if (height > facet.farthest) {
      facet.farthest = height;
    } else if (facet.outside.size() > 1) {
      std::swap(facet.outside.back(), facet.outside[facet.outside.size() - 2]);
    }
  }

  // Make the farthest point outside of a facet a corner.
  void add(std::int32_t index) {
    const std::int32_t point = facet(index).outside.back();
    std::vector<std::int32_t> seen{index}, orphans;
    facet(index).seen = true;
    for (std::size_t i = 0; i < seen.size(); ++i) {
      for (const std::int32_t next : facet(seen[i]).across) {
        if (!facet(next).seen && height(facet(next), point).positive()) {
          facet(next).seen = true;
          seen.push_back(next);
        }
      }
    }
    const std::size_t first = facets_.size();
    for (const std::int32_t gone : seen) {
      for (int k = 0; k < 3; ++k) {
        const std::int32_t beyond = facet(gone).across[k];
        if (!facet(beyond).seen) {
          fan(facet(gone).corner[k], facet(gone).corner[(k + 1) % 3], point, beyond);
        }
      }
      orphans.insert(orphans.end(), facet(gone).outside.begin(), facet(gone).outside.end());
    }
    join(first);
    for (const std::int32_t gone : seen) {
      facet(gone).alive = false;
      facet(gone).outside = {};
    }
    share_out(orphans, first);
  }

  // A facet over an edge of the rim.
  void fan(std::int32_t from, std::int32_t to, std::int32_t point, std::int32_t beyond) {
    const auto index = static_cast<std::int32_t>(facets_.size());
    make_facet(from, to, point);
    facets_.back().across[0] = beyond;
    for (int k = 0; k < 3; ++k) {
      if (facet(beyond).corner[k] == to && facet(beyond).corner[(k + 1) % 3] == from) {
        facet(beyond).across[k] = index;
      }
    }
  }

  // Neighbours around the new corner: the rim passes each of its points once.
  void join(std::size_t first) {
    starting_.resize(points_.size());
    for (std::size_t f = first; f < facets_.size(); ++f) {
      starting_[static_cast<std::size_t>(facets_[f].corner[0])] = static_cast<std::int32_t>(f);
    }
    for (std::size_t f = first; f < facets_.size(); ++f) {
      const std::int32_t after = starting_[static_cast<std::size_t>(facets_[f].corner[1])];
      facets_[f].across[1] = after;
      facet(after).across[2] = static_cast<std::int32_t>(f);
    }
  }

  // What is left; without the sides of the cone to `apex`, and its base on both sides.
  HullMesh mesh(std::int32_t apex) const {
    HullMesh result;
    std::vector<std::int32_t> number(points_.size(), -1);
    for (const Facet &facet : facets_) {
      const std::int32_t *c = facet.corner;
      if (!facet.alive || c[0] == apex || c[1] == apex || c[2] == apex) {
        continue;
      }
      std::int32_t corner[3];
      for (int k = 0; k < 3; ++k) {
        std::int32_t &known = number[static_cast<std::size_t>(c[k])];
        if (known < 0) {
          known = static_cast<std::int32_t>(result.corners.size());
          result.corners.push_back(c[k]);
        }
        corner[k] = known;
      }
      result.faces.insert(result.faces.end(), {corner[0], corner[1], corner[2]});
      if (apex >= 0) {
        result.faces.insert(result.faces.end(), {corner[0], corner[2], corner[1]});
      }
    }
    return result;
  }

  std::vector<Point> points_;
  std::vector<Facet> facets_;
  std::vector<std::int32_t> starting_;
};

// Half of where the cloud begins along an axis, and of its extent: halves don't overflow.
struct Axis {
  double low, extent;

  std::int64_t step(double x) const {
    const double part = extent > 0.0 ? (0.5 * x - low) / extent : 0.0;
    return static_cast<std::int64_t>(std::nearbyint(part * static_cast<double>(grid)));
  }
};

Axis axis_of(const double *points, std::size_t count, std::size_t k) {
  double low = points[k], high = points[k];
  for (std::size_t i = 1; i < count; ++i) {
    low = std::min(low, points[3 * i + k]);
    high = std::max(high, points[3 * i + k]);
  }
  return {0.5 * low, 0.5 * high - 0.5 * low};
}

} // namespace

HullMesh quickhull(const double *points, std::size_t count) {
  const Axis x = axis_of(points, count, 0), y = axis_of(points, count, 1),
             z = axis_of(points, count, 2);
  std::vector<Point> rounded;
  rounded.reserve(count + 1);
  for (std::size_t i = 0; i < count; ++i) {
    const double *p = points + 3 * i;
    rounded.push_back({x.step(p[0]), y.step(p[1]), z.step(p[2])});
  }
  return Builder(std::move(rounded)).build();
}

} // namespace phyzctl
