// The divergence theorem turns volume integrals over a closed mesh into a sum over its faces: each
// face and a common apex span a tetrahedron, counted positive when the face looks away from the
// apex. With the apex at the origin and corners a, b, c, d = a . (b x c), s = a + b + c:
//
//   volume         = d / 6
//   integral x     = d / 24 s
//   integral x x^T = d / 120 (a a^T + b b^T + c c^T + s s^T)
//
// The sums run in coordinates about the middle of the mesh and in units of its half extent, so that
// neither a far-off origin nor millimetres cost digits.
#include "mesh_mass.hpp"

#include <algorithm>
#include <cmath>

namespace phyzctl {
namespace {

struct Vec {
  double x, y, z;
};

Vec operator+(Vec a, Vec b) { return {a.x + b.x, a.y + b.y, a.z + b.z}; }
Vec operator-(Vec a, Vec b) { return {a.x - b.x, a.y - b.y, a.z - b.z}; }
Vec operator*(double k, Vec a) { return {k * a.x, k * a.y, k * a.z}; }
double dot(Vec a, Vec b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
Vec cross(Vec a, Vec b) {
  return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
bool finite(Vec a) { return std::isfinite(a.x) && std::isfinite(a.y) && std::isfinite(a.z); }

// The upper triangle of a symmetric matrix.
struct Sym {
  double xx = 0.0, yy = 0.0, zz = 0.0, xy = 0.0, xz = 0.0, yz = 0.0;

  void add_square(double k, Vec a) {
    xx += k * a.x * a.x;
    yy += k * a.y * a.y;
    zz += k * a.z * a.z;
    xy += k * a.x * a.y;
    xz += k * a.x * a.z;
    yz += k * a.y * a.z;
  }
};

// Where the mesh lies and how big it is.
struct Frame {
  Vec middle;
  double half_extent;
};

struct Sums {
  double volume = 0.0, area = 0.0;
  Vec moment{0.0, 0.0, 0.0};         // integral of x over the volume
  Vec surface_moment{0.0, 0.0, 0.0}; // integral of x over the surface
  Sym second;                        // integral of x x^T over the volume
};

Vec vertex(const double *vertices, std::size_t i) {
  return {vertices[3 * i], vertices[3 * i + 1], vertices[3 * i + 2]};
}

Frame frame_of(const double *vertices, std::size_t count) {
  Vec low = vertex(vertices, 0), high = low;
  for (std::size_t i = 1; i < count; ++i) {
    const Vec v = vertex(vertices, i);
    low = {std::min(low.x, v.x), std::min(low.y, v.y), std::min(low.z, v.z)};
    high = {std::max(high.x, v.x), std::max(high.y, v.y), std::max(high.z, v.z)};
  }
  const Vec half = 0.5 * high - 0.5 * low;
  return {0.5 * high + 0.5 * low, std::max({half.x, half.y, half.z})};
}

void add_face(Sums &sums, Vec a, Vec b, Vec c) {
  const Vec s = a + b + c;
  const double d = dot(a, cross(b, c));
  const Vec normal = cross(b - a, c - a);
  const double area = 0.5 * std::sqrt(dot(normal, normal));
  sums.volume += d / 6.0;
  sums.moment = sums.moment + (d / 24.0) * s;
  sums.area += area;
  sums.surface_moment = sums.surface_moment + (area / 3.0) * s;
  for (const Vec corner : {a, b, c, s}) {
    sums.second.add_square(d / 120.0, corner);
  }
}

// What is left of the volume of an open or flat mesh is rounding, and no centre can be told from it.
bool encloses_nothing(const Sums &sums) {
  return std::abs(sums.volume) <= 1e-12 * sums.area * std::sqrt(sums.area);
}

void write_inertia(double *inertia, const Sums &sums, Vec com, double scale) {
  Sym c = sums.second;
  c.add_square(-sums.volume, com);
  const double rows[9] = {c.yy + c.zz, -c.xy,       -c.xz,       //
                          -c.xy,       c.xx + c.zz, -c.yz,       //
                          -c.xz,       -c.yz,       c.xx + c.yy};
  for (int k = 0; k < 9; ++k) {
    inertia[k] = rows[k] * scale * scale * scale * scale * scale;
  }
}

void finish(MeshMass &result, const Sums &sums, Frame frame) {
  const double scale = frame.half_extent;
  result.volume = sums.volume * scale * scale * scale;
  result.area = sums.area * scale * scale;
  Vec com{0.0, 0.0, 0.0};
  if (!encloses_nothing(sums)) {
    com = (1.0 / sums.volume) * sums.moment;
    write_inertia(result.inertia, sums, com, scale);
  } else if (sums.area > 0.0) {
    com = (1.0 / sums.area) * sums.surface_moment;
  }
  const Vec placed = frame.middle + scale * com;
  result.com[0] = placed.x;
  result.com[1] = placed.y;
  result.com[2] = placed.z;
  bool in_range = finite(placed) && std::isfinite(result.volume) && std::isfinite(result.area);
  for (const double value : result.inertia) {
    in_range = in_range && std::isfinite(value);
  }
  result.status = in_range ? MeshStatus::ok : MeshStatus::overflow;
}

MeshMass failure(MeshStatus status, std::size_t index) {
  MeshMass result;
  result.status = status;
  result.index = index;
  return result;
}

} // namespace

MeshMass mesh_mass(const double *vertices, std::size_t vertex_count, const std::int32_t *faces,
                   std::size_t face_count) {
  for (std::size_t i = 0; i < vertex_count; ++i) {
    if (!finite(vertex(vertices, i))) {
      return failure(MeshStatus::vertex_not_finite, i);
    }
  }
  for (std::size_t k = 0; k < 3 * face_count; ++k) {
    if (faces[k] < 0 || static_cast<std::size_t>(faces[k]) >= vertex_count) {
      return failure(MeshStatus::index_out_of_range, k / 3);
    }
  }
  MeshMass result;
  if (vertex_count == 0) {
    return result;
  }
  const Frame frame = frame_of(vertices, vertex_count);
  const double unit = frame.half_extent > 0.0 ? frame.half_extent : 1.0;
  const auto corner = [&](std::size_t k) {
    const Vec v = vertex(vertices, static_cast<std::size_t>(faces[k])) - frame.middle;
    return Vec{v.x / unit, v.y / unit, v.z / unit};
  };
  Sums sums;
  for (std::size_t f = 0; f < face_count; ++f) {
    add_face(sums, corner(3 * f), corner(3 * f + 1), corner(3 * f + 2));
  }
  finish(result, sums, frame);
  return result;
}

} // namespace phyzctl
