// A robot on a straight way between two configurations: where its bodies are at a time from 0 to
// 1, and how they are moving there.
//
// Hinges and slides go at a constant rate; rotations of ball and free joints turn at a constant
// rate about a fixed axis, the shorter way round. So all motion is that of screws of two kinds,
// turns and slides, each with a constant rate.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "matrix.hpp"
#include "system.hpp"

namespace phyzctl {

// A turn or slide of one joint, at a time; axis and anchor in the world.
struct Screw {
  Vec axis, anchor;
  double rate; // [rad or m] over the whole way
  bool slides;
};

class Motion {
public:
  explicit Motion(const System &system);

  // Set out from one configuration to another.
  void between(const double *from, const double *to);

  // Go to a time. Bodies are placed when they are asked for.
  void go_to(double time) { time_ = time; }

  // The pose of a body in the world, -1 for the world itself. Sets the screws above it.
  const Pose<double> &body(std::int32_t index);

  const Screw &screw(std::size_t index) const { return screws_[index]; }

  // The screws that move a body, from the world out.
  std::vector<std::size_t> screws_above(std::int32_t body) const;

private:
  void move(Pose<double> &pose, std::size_t joint, const Pose<double> &parent);
  void turn(Pose<double> &pose, const Vec &anchor, const Quat<double> &by, const Vec &axis,
            std::size_t screw);

  const System &system_;
  std::vector<double> from_, to_;
  std::vector<std::size_t> first_screw_; // per joint
  std::vector<Screw> screws_;
  std::vector<Vec> local_axis_; // per screw of a ball or free joint, in the joint's frame
  std::vector<Pose<double>> poses_;
  std::vector<double> placed_at_; // per body the time of its pose
  Pose<double> world_{{0.0, 0.0, 0.0}, {1.0, 0.0, 0.0, 0.0}};
  double time_ = 0.0;
};

} // namespace phyzctl
