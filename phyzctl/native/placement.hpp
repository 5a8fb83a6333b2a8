// Where bodies, and what is fixed to them, are in a block of configurations.
#pragma once

#include <vector>

#include "floats.hpp"
#include "kinematics.hpp"
#include "shapes.hpp"

namespace phyzctl {

class Placement {
public:
  Placement(const System &system, const Shapes &shapes);

  // A point, or a direction, to be known in every block. The world is body -1. Returns its number.
  std::size_t add_point(std::int32_t body, const Vec &point) { return add(body, point, true); }
  std::size_t add_direction(std::int32_t body, const Vec &d) { return add(body, d, false); }

  // Place all in up to `block` configurations, rows of system.position_count numbers.
  void place(const double *q, std::size_t size);

  const Vectors &at(std::size_t spot) const { return placed_spots_[spot]; }

  // The largest coordinate of a body in this block; what isn't a number counts for nothing.
  double largest() const { return largest_; }

  // A geom in one configuration of the block, in double precision.
  const Placed &exact(std::size_t geom, std::size_t configuration);

private:
  struct Spot {
    std::size_t number;
    Vec3<float> local;
    bool moves; // a point, not only a direction
  };

  std::size_t add(std::int32_t body, const Vec &local, bool moves);
  void place_spots(std::size_t body);
  Placed place_alone(std::size_t geom, std::size_t configuration) const;

  const System &system_;
  const Shapes &shapes_;
  std::vector<BlockPose> bodies_;
  std::vector<std::vector<Spot>> spots_; // body by body
  std::vector<Vectors> placed_spots_;
  std::vector<Placed> placed_; // geom by geom, configuration by configuration, where known
  std::vector<Mask> known_;    // a geom
  double largest_ = 0.0;
};

} // namespace phyzctl
