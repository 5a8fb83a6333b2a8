// The joints between two bodies, in series, and where everything is at a point of their variables.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "matrix.hpp"
#include "system.hpp"

namespace phyzctl {

// Per joint of a System the first of its variables (-1: held) and a polynomial of it, `width`
// coefficients from the constant up, that is the position of a hinge or slide. A ball joint has
// three variables, a rotation vector. Held joints stand where `q` says.
struct Motions {
  const std::int32_t *variable;
  const double *polynomial;
  std::size_t width;
  const double *q;
};

enum class StepType : std::int32_t { hinge, slide, ball };

// One joint on the path, at a point: its axis and anchor in the frame of the chain.
struct Step {
  StepType type;
  std::int32_t joint;
  Vec axis, anchor;
};

// Moving joints from a body A to a body B. The frame is that of the body where their branches
// meet, which doesn't move.
class Chain {
public:
  Chain(const System &system, std::int32_t a, std::int32_t b, const Motions &motions);

  // Put every variable where `x` says.
  void place(const double *x);

  const std::vector<Step> &steps() const { return steps_; } // from A to B
  const Pose<double> &a() const { return ends_[0]; }
  const Pose<double> &b() const { return ends_[1]; }
  std::int32_t variable(std::size_t step) const {
    return variable_[static_cast<std::size_t>(steps_[step].joint)];
  }

  // How far the step's joint can be from where it is at the centre of a box of variables with
  // half widths h: an angle [rad] or a length [m].
  double width(std::size_t step, const double *centre, const double *h) const;

private:
  // One body on the way down from where the branches meet, and what moves it there.
  void descend(std::size_t side, const double *x);
  void move(Pose<double> &body, std::size_t joint, const double *x) const;
  double position(std::size_t joint, const double *x) const;
  bool moves(std::size_t joint) const { return variable_[joint] >= 0; }

  const System &system_;
  std::vector<std::int32_t> variable_;
  std::vector<double> polynomial_, q_;
  std::size_t width_;
  std::vector<std::int32_t> bodies_[2]; // from the top down to A, and to B
  std::vector<Step> steps_;
  std::size_t first_count_ = 0; // steps on A's branch
  Pose<double> ends_[2];
};

} // namespace phyzctl
