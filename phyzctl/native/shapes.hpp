// Convex shapes, copied and checked once. Each is a core with a radius around it: a sphere is a
// point, a capsule a segment; padding adds to the radius of any shape.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "matrix.hpp"

namespace phyzctl {

// The numbers of phyzctl.model.GeomType. A place that holds no convex shape meets nothing.
enum class ShapeType : std::int32_t {
  half_space = 0, // all that is below z = 0
  none = 1,
  sphere = 2,    // size: radius
  capsule = 3,   // size: radius, half length along z
  ellipsoid = 4, // size: semi-axes
  cylinder = 5,  // size: radius, half length along z
  box = 6,       // size: half extents
  hull = 7,
};

// A convex polytope. Neighbours of vertex i are neighbours[first[i]] up to [first[i + 1]].
struct Hull {
  std::int32_t count = 0;
  const Vec *vertices = nullptr;
  const std::int32_t *first = nullptr, *neighbours = nullptr;
  const std::int32_t *starts = nullptr; // per cell of directions a vertex to start from, or null
  std::int32_t cells = 0;               // along each edge of the cube
};

// Directions fall into cells of a cube's surface, `cells` along each edge. The cell of a direction
// of any length; 0 for what is none.
inline int cell(const Vec &d, int cells) {
  const double x = std::fabs(d.x), y = std::fabs(d.y), z = std::fabs(d.z);
  if (!(x + y + z > 0.0 && x + y + z <= std::numeric_limits<double>::max())) {
    return 0;
  }
  const int axis = x >= y && x >= z ? 0 : y >= z ? 1 : 2;
  const double major = axis == 0 ? d.x : axis == 1 ? d.y : d.z;
  const double u = axis == 0 ? d.y : axis == 1 ? d.z : d.x;
  const double v = axis == 0 ? d.z : axis == 1 ? d.x : d.y;
  const double size = std::fabs(major), scale = 0.5 * cells / size;
  const int i = static_cast<int>(std::min((u + size) * scale, cells - 1.0));
  const int j = static_cast<int>(std::min((v + size) * scale, cells - 1.0));
  return ((2 * axis + (major < 0.0 ? 1 : 0)) * cells + i) * cells + j;
}

struct Shape {
  ShapeType type = ShapeType::none;
  Vec size{};
  double radius = 0.0; // around the core, padding included
  double padding = 0.0;
  Hull hull{};
  Vec centre{};       // of the bounds, in the shape's frame
  double reach = 0.0; // radius of the bounding sphere about `centre`; a half-space has no bounds
  Vec half{};         // half extents of the bounding box about `centre`, along the shape's axes
};

struct Placed {
  const Shape *shape;
  Mat3 rotation;
  Vec position;
};

// Flat arrays, row by row, as phyzctl.native.Shapes describes them.
struct ShapeArrays {
  std::size_t count, hull_count, vertex_count, neighbour_count;
  const std::int32_t *type;
  const double *size, *padding;
  const std::int32_t *hull;
  const double *vertices;
  const std::int32_t *hull_start, *neighbour_start, *neighbours;
};

enum class ShapeStatus { ok, type, size, padding, hull, vertices, hull_start, neighbours };

struct ShapeCheck {
  ShapeStatus status = ShapeStatus::ok;
  std::size_t index = 0;
};

ShapeCheck check(const ShapeArrays &arrays);

class Shapes {
public:
  explicit Shapes(const ShapeArrays &arrays); // of arrays that passed the check
  Shapes(const Shapes &) = delete;
  Shapes &operator=(const Shapes &) = delete;

  std::vector<Shape> items;

private:
  void add_hulls(const ShapeArrays &arrays);

  std::vector<Vec> vertices_;
  std::vector<std::int32_t> first_, neighbours_, starts_;
  std::vector<Hull> hulls_;
};

} // namespace phyzctl
