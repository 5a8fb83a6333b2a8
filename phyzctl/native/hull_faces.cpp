// Around a triangle those that lie in its plane are gathered, neighbour by neighbour. What is left
// between the group and the rest is the face's rim.
#include "hull_faces.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

#include "quickhull.hpp"

namespace phyzctl {
namespace {

// Meshes come in single precision, and so do their planes: normals count as one plane's if they
// round to the same two angles, as MuJoCo has it.
constexpr double pi = 3.14159265358979323846;
constexpr double step = 0.01; // of the angles [rad]
constexpr double upright = 1.0 - 1e-7; // a part along z beyond which the angle about z is vague

constexpr double least_turn = 2e-3; // the sine of the angle at a corner that surely turns

using Angles = std::pair<double, double>;

// Of a normal of any length about z and from it, in steps.
Angles rounded(const Vec &normal) {
  const double size = length(normal), along = size > 0.0 ? normal.z / size : 0.0;
  if (std::fabs(along) > upright) {
    return {0.0, along > 0.0 ? 0.0 : std::round(pi / step)};
  }
  const double about = std::round(std::atan2(normal.y, normal.x) / step);
  return {about == -std::round(pi / step) ? -about : about, std::round(std::acos(along) / step)};
}

struct Triangle {
  std::int32_t corner[3];
  Vec normal; // as long as twice the area
};

using Edge = std::pair<std::int32_t, std::int32_t>;

class Merger {
public:
  Merger(const Hull &hull, HullFaces &result) : hull_(hull), result_(result) {
    static_assert(sizeof(Vec) == 3 * sizeof(double));
    const auto count = static_cast<std::size_t>(hull.count);
    const HullMesh mesh = quickhull(&hull.vertices[0].x, count);
    for (std::size_t i = 0; i + 2 < mesh.faces.size(); i += 3) {
      add(mesh, i);
    }
  }

  // The centre of the tetrahedra between the triangles and a point inside.
  void find_centre(const Vec &inside) {
    double volume = 0.0;
    Vec moment{};
    for (const Triangle &each : triangles_) {
      const Vec a = hull_.vertices[each.corner[0]] - inside,
                b = hull_.vertices[each.corner[1]] - inside,
                c = hull_.vertices[each.corner[2]] - inside;
      const double part = dot(each.normal, a);
      volume += part;
      moment = moment + scaled(0.25 * part, a + b + c);
    }
    result_.centre = volume > 0.0 ? inside + scaled(1.0 / volume, moment) : inside;
  }

  void merge() {
    taken_.assign(triangles_.size(), -1);
    result_.first.push_back(0);
    for (std::size_t seed = 0; seed < triangles_.size(); ++seed) {
      if (taken_[seed] < 0) {
        gather(static_cast<std::int32_t>(seed));
        walk_rim();
      }
    }
  }

private:
  const Triangle &triangle(std::int32_t i) const { return triangles_[static_cast<std::size_t>(i)]; }

  void add(const HullMesh &mesh, std::size_t first) {
    Triangle made{};
    for (std::size_t k = 0; k < 3; ++k) {
      made.corner[k] = mesh.corners[static_cast<std::size_t>(mesh.faces[first + k])];
    }
    const Vec *v = hull_.vertices;
    const Vec &a = v[made.corner[0]], &b = v[made.corner[1]], &c = v[made.corner[2]];
    made.normal = cross(b - a, c - a);
    const auto index = static_cast<std::int32_t>(triangles_.size());
    triangles_.push_back(made);
    for (int k = 0; k < 3; ++k) {
      owner_[{made.corner[k], made.corner[(k + 1) % 3]}] = index;
    }
  }

  // The triangles around `seed` in its plane.
  void gather(std::int32_t seed) {
    const auto face = static_cast<std::int32_t>(result_.normals.size());
    const Angles own = rounded(triangle(seed).normal);
    group_.assign(1, seed);
    taken_[static_cast<std::size_t>(seed)] = face;
    for (std::size_t i = 0; i < group_.size(); ++i) {
      const Triangle &at = triangle(group_[i]);
      for (int k = 0; k < 3; ++k) {
        const auto across = owner_.find({at.corner[(k + 1) % 3], at.corner[k]});
        if (across == owner_.end() || taken_[static_cast<std::size_t>(across->second)] >= 0) {
          continue;
        }
        if (rounded(triangle(across->second).normal) == own) {
          taken_[static_cast<std::size_t>(across->second)] = face;
          group_.push_back(across->second);
        }
      }
    }
  }

  // Edges of the group that lead to no triangle of it, one after the other.
  void walk_rim() {
    const std::int32_t face = taken_[static_cast<std::size_t>(group_[0])];
    std::map<std::int32_t, std::int32_t> next;
    Vec normal{};
    for (const std::int32_t i : group_) {
      const Triangle &at = triangle(i);
      normal = normal + at.normal;
      for (int k = 0; k < 3; ++k) {
        const auto across = owner_.find({at.corner[(k + 1) % 3], at.corner[k]});
        if (across == owner_.end() || taken_[static_cast<std::size_t>(across->second)] != face) {
          next[at.corner[k]] = at.corner[(k + 1) % 3];
        }
      }
    }
    const double size = length(normal);
    result_.normals.push_back(size > 0.0 ? scaled(1.0 / size, normal) : Vec{});
    std::int32_t at = next.empty() ? -1 : next.begin()->first;
    for (std::size_t steps = 0; steps < next.size(); ++steps) {
      result_.corners.push_back(at);
      at = next[at];
      if (at == next.begin()->first) {
        break;
      }
    }
    result_.first.push_back(static_cast<std::int32_t>(result_.corners.size()));
    result_.turning.push_back(turns(result_.normals.back()) ? 1 : 0);
  }

  // Whether the last face's rim turns left at every corner by more than rounding, or than what its
  // triangles lie out of one plane.
  bool turns(const Vec &normal) const {
    const auto last = result_.first.end() - 1;
    const std::int32_t *rim = result_.corners.data() + last[-1];
    const std::int32_t count = last[0] - last[-1];
    for (std::int32_t i = 0; i < count; ++i) {
      const Vec &p = hull_.vertices[rim[i]], &q = hull_.vertices[rim[(i + 1) % count]],
                &r = hull_.vertices[rim[(i + 2) % count]];
      if (!(dot(cross(q - p, r - q), normal) > least_turn * length(q - p) * length(r - q))) {
        return false;
      }
    }
    return true;
  }

  const Hull &hull_;
  HullFaces &result_;
  std::vector<Triangle> triangles_;
  std::map<Edge, std::int32_t> owner_; // the triangle that an edge belongs to
  std::vector<std::int32_t> taken_;    // per triangle its face, or -1
  std::vector<std::int32_t> group_;
};

} // namespace

HullFaces::HullFaces(const Hull &hull, const Vec &inside) {
  Merger merger(hull, *this);
  merger.find_centre(inside);
  merger.merge();
  std::vector<std::vector<std::int32_t>> faces(static_cast<std::size_t>(hull.count));
  for (std::size_t face = 0; face < count(); ++face) {
    for (std::int32_t k = first[face]; k < first[face + 1]; ++k) {
      const std::int32_t vertex = corners[static_cast<std::size_t>(k)];
      faces[static_cast<std::size_t>(vertex)].push_back(static_cast<std::int32_t>(face));
    }
  }
  vertex_first.push_back(0);
  for (const std::vector<std::int32_t> &own : faces) {
    vertex_faces.insert(vertex_faces.end(), own.begin(), own.end());
    vertex_first.push_back(static_cast<std::int32_t>(vertex_faces.size()));
  }
}

} // namespace phyzctl
