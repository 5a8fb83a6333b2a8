// Points whose convex hull holds the core of a shape: what bounds on motion are taken over.
#pragma once

#include <cstddef>
#include <vector>

#include "chain.hpp"
#include "shapes.hpp"

namespace phyzctl {

// Exact for spheres (one point), capsules, boxes and hulls; cylinders and ellipsoids get a
// polytope around them. The shape is within `radius` of the hull of the points.
class Cloud {
public:
  explicit Cloud(const Shape &shape);

  std::size_t size() const { return x_.size(); }
  double radius() const { return radius_; }

  // The greatest distance of a point from the step's axis, or from the anchor of a ball. Axis and
  // anchor are given in the shape's frame; a slide has none.
  double reach(const Step &step) const;

  // Fill `values` (size()) with the heights of the points along n.
  void heights(const Vec &n, double *values) const;

  // Add to each value how much a small turn of the step, of angle `width`, changes the height of
  // its point along n to first order. Returns the greatest value then.
  double raise(const Step &step, const Vec &n, double width, double *values) const;

private:
  void add(double x, double y, double z);
  void add_prism(double radius, double half);
  void add_ellipsoid(const Vec &axes);

  std::vector<double> x_, y_, z_;
  double radius_;
};

} // namespace phyzctl
