#include "shapes.hpp"

#include "support.hpp"

namespace phyzctl {
namespace {

// Below this many vertices looking at all of them is faster than climbing.
constexpr std::int32_t few = 12;

Vec vec(const double *row) { return {row[0], row[1], row[2]}; }
bool finite(const Vec &v) { return std::isfinite(v.x) && std::isfinite(v.y) && std::isfinite(v.z); }

ShapeCheck check_hulls(const ShapeArrays &arrays) {
  for (std::size_t i = 0; i < arrays.vertex_count; ++i) {
    if (!finite(vec(arrays.vertices + 3 * i))) {
      return {ShapeStatus::vertices, i};
    }
  }
  const auto total = static_cast<std::int64_t>(arrays.vertex_count);
  for (std::size_t h = 0; h < arrays.hull_count; ++h) {
    const std::int64_t first = arrays.hull_start[h], end = arrays.hull_start[h + 1];
    if ((h == 0 && first != 0) || end <= first || end > total) {
      return {ShapeStatus::hull_start, h};
    }
    for (std::int64_t i = first; i < end; ++i) {
      const std::int32_t from = arrays.neighbour_start[i], to = arrays.neighbour_start[i + 1];
      if (from < 0 || to < from || static_cast<std::size_t>(to) > arrays.neighbour_count) {
        return {ShapeStatus::neighbours, static_cast<std::size_t>(i)};
      }
      for (std::int32_t k = from; k < to; ++k) {
        if (arrays.neighbours[k] < 0 || arrays.neighbours[k] >= end - first) {
          return {ShapeStatus::neighbours, static_cast<std::size_t>(i)};
        }
      }
    }
  }
  return {};
}

ShapeCheck check_shape(const ShapeArrays &arrays, std::size_t i) {
  if (arrays.type[i] < 0 || arrays.type[i] > 8) {
    return {ShapeStatus::type, i};
  }
  const Vec size = vec(arrays.size + 3 * i);
  if (!finite(size) || std::min({size.x, size.y, size.z}) < 0.0) {
    return {ShapeStatus::size, i};
  }
  if (!std::isfinite(arrays.padding[i]) || arrays.padding[i] < 0.0) {
    return {ShapeStatus::padding, i};
  }
  const auto hulls = static_cast<std::int64_t>(arrays.hull_count);
  const bool hull = arrays.type[i] == static_cast<std::int32_t>(ShapeType::hull);
  const bool known = arrays.hull[i] >= -1 && arrays.hull[i] < hulls;
  return {hull && !known ? ShapeStatus::hull : ShapeStatus::ok, i};
}

// Unknown shapes, and meshes of which there is no hull, only hold their places.
ShapeType type_of(const ShapeArrays &arrays, std::size_t i) {
  const auto type = static_cast<ShapeType>(arrays.type[i]);
  const bool empty = type == ShapeType::hull && arrays.hull[i] < 0;
  return empty || arrays.type[i] == 8 ? ShapeType::none : type;
}

// About as many cells as vertices: then a climb starts next to its top.
std::int32_t cells_for(std::int32_t vertex_count) {
  return std::min(32, std::max(8, static_cast<std::int32_t>(std::sqrt(vertex_count / 6.0))));
}

// The vertex that every direction's climb starts from. Each cell's centre starts at the last
// cell's answer, which is near.
void fill_starts(const Hull &hull, std::int32_t *starts) {
  const std::int32_t cells = hull.cells;
  std::fill_n(starts, 6 * cells * cells, 0);
  Hull probe = hull;
  probe.starts = starts;
  for (int face = 0; face < 6; ++face) {
    for (int i = 0; i < cells; ++i) {
      for (int j = 0; j < cells; ++j) {
        const double u = (2 * i + 1.0) / cells - 1.0, v = (2 * j + 1.0) / cells - 1.0;
        const double major = face % 2 == 0 ? 1.0 : -1.0;
        const Vec d = face < 2 ? Vec{major, u, v} : face < 4 ? Vec{v, major, u} : Vec{u, v, major};
        std::int32_t &start = starts[(face * cells + i) * cells + j];
        start = starts[std::max(0, (face * cells + i) * cells + j - 1)];
        start = top(probe, d);
      }
    }
  }
}

void bound_hull(Shape &shape) {
  const double most = std::numeric_limits<double>::max();
  Vec low{most, most, most}, high{-most, -most, -most};
  for (std::int32_t i = 0; i < shape.hull.count; ++i) {
    const Vec &x = shape.hull.vertices[i];
    low = {std::min(low.x, x.x), std::min(low.y, x.y), std::min(low.z, x.z)};
    high = {std::max(high.x, x.x), std::max(high.y, x.y), std::max(high.z, x.z)};
  }
  shape.centre = scaled(0.5, low) + scaled(0.5, high);
  shape.half = high - shape.centre;
  for (std::int32_t i = 0; i < shape.hull.count; ++i) {
    shape.reach = std::max(shape.reach, length(shape.hull.vertices[i] - shape.centre));
  }
}

void bound(Shape &shape) {
  const Vec &s = shape.size;
  switch (shape.type) {
  case ShapeType::capsule:
    shape.half = {0.0, 0.0, s.y};
    shape.reach = s.y;
    break;
  case ShapeType::ellipsoid:
    shape.half = s;
    shape.reach = largest(s);
    break;
  case ShapeType::cylinder:
    shape.half = {s.x, s.x, s.y};
    shape.reach = std::sqrt(s.x * s.x + s.y * s.y);
    break;
  case ShapeType::box:
    shape.half = s;
    shape.reach = length(s);
    break;
  case ShapeType::hull:
    bound_hull(shape);
    break;
  default:
    break;
  }
  const double r = shape.radius;
  shape.half = shape.half + Vec{r, r, r};
  shape.reach += r;
}

} // namespace

ShapeCheck check(const ShapeArrays &arrays) {
  const ShapeCheck hulls = check_hulls(arrays);
  if (hulls.status != ShapeStatus::ok) {
    return hulls;
  }
  for (std::size_t i = 0; i < arrays.count; ++i) {
    const ShapeCheck shape = check_shape(arrays, i);
    if (shape.status != ShapeStatus::ok) {
      return shape;
    }
  }
  return {};
}

void Shapes::add_hulls(const ShapeArrays &arrays) {
  for (std::size_t i = 0; i < arrays.vertex_count; ++i) {
    vertices_.push_back(vec(arrays.vertices + 3 * i));
  }
  first_.assign(arrays.neighbour_start, arrays.neighbour_start + arrays.vertex_count + 1);
  neighbours_.assign(arrays.neighbours, arrays.neighbours + arrays.neighbour_count);
  std::vector<std::size_t> table; // per hull where its cells start
  for (std::size_t h = 0; h < arrays.hull_count; ++h) {
    const auto first = static_cast<std::size_t>(arrays.hull_start[h]);
    Hull hull;
    hull.count = arrays.hull_start[h + 1] - arrays.hull_start[h];
    hull.vertices = vertices_.data() + first;
    hull.first = first_.data() + first;
    hull.neighbours = neighbours_.data();
    const bool climbs = hull.count > few && hull.first[0] < hull.first[hull.count];
    hull.cells = climbs ? cells_for(hull.count) : 0;
    table.push_back(starts_.size());
    starts_.resize(starts_.size() + static_cast<std::size_t>(6 * hull.cells * hull.cells));
    hulls_.push_back(hull);
  }
  for (std::size_t h = 0; h < arrays.hull_count; ++h) {
    if (hulls_[h].cells > 0) {
      std::int32_t *starts = starts_.data() + table[h];
      fill_starts(hulls_[h], starts);
      hulls_[h].starts = starts;
    }
  }
}

Shapes::Shapes(const ShapeArrays &arrays) {
  add_hulls(arrays);
  items.reserve(arrays.count);
  for (std::size_t i = 0; i < arrays.count; ++i) {
    Shape shape;
    shape.type = type_of(arrays, i);
    shape.size = vec(arrays.size + 3 * i);
    shape.padding = arrays.padding[i];
    const bool round = shape.type == ShapeType::sphere || shape.type == ShapeType::capsule;
    shape.radius = shape.padding + (round ? shape.size.x : 0.0);
    if (shape.type == ShapeType::hull) {
      shape.hull = hulls_[static_cast<std::size_t>(arrays.hull[i])];
    }
    bound(shape);
    items.push_back(shape);
  }
}

} // namespace phyzctl
