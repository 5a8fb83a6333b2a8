// Convex polygons in space, as far as contact needs them.
#pragma once

#include "matrix.hpp"

namespace phyzctl {

// Four corners of a convex polygon, which span much of its area: corners move on around it as
// long as that makes the area grow. `corner(i)` is a Vec.
template <class Corner> class Quad {
public:
  Quad(int count, const Corner &corner) : count_(count), corner_(corner) {}

  // The first corner is given. Returns how many there are, fewer than four of a triangle.
  int from(int start) {
    for (int k = 0; k < 4; ++k) {
      at_[k] = (start + k) % count_;
    }
    begin();
    grow();
    return count_ < 4 ? count_ : 4;
  }

  // Starting from each of the corners. There are at least four.
  void widest() {
    for (int k = 0; k < 4; ++k) {
      at_[k] = k;
    }
    begin();
    for (; at_[0] < count_; ++at_[0]) {
      grow();
      for (int k = 1; k < 4 && at_[k] == at_[k - 1]; ++k) {
        at_[k] = (at_[k] + 1) % count_;
      }
    }
  }

  int operator[](int k) const { return best_[k]; }

private:
  void begin() {
    square_ = squared_area(at_);
    most_ = std::sqrt(square_);
    std::copy_n(at_, 4, best_);
  }

  double squared_area(const int *at) const {
    return squared(cross(corner_(at[0]) - corner_(at[2]), corner_(at[1]) - corner_(at[3])));
  }

  void grow() {
    while (count_ > 4 && advance<3>()) {
      while (advance<2>()) {
      }
      while (advance<1>()) {
      }
    }
  }

  template <int k> bool advance() {
    int moved[4] = {at_[0], at_[1], at_[2], at_[3]};
    moved[k] = moved[k] + 1 < count_ ? moved[k] + 1 : 0;
    const double square = squared_area(moved);
    if (!(square > square_)) {
      return false; // mostly, and then without a root
    }
    const double grown = std::sqrt(square);
    if (!(grown > most_)) {
      return false;
    }
    square_ = square;
    most_ = grown;
    std::copy_n(moved, 4, at_);
    std::copy_n(moved, 4, best_);
    return true;
  }

  int count_;
  const Corner &corner_;
  int at_[4], best_[4];
  double square_ = 0.0, most_ = 0.0; // the area of the best, twice
};

// Leave of a polygon, or of a segment of two points, what is within the sides of another polygon
// as seen along its normal. The other one is clockwise as seen from where its normal points. The
// result is in `points`, which holds as many as both have; so does `spare`. Returns its count.
// What is `turning` by some angle at every corner is done faster.
int clip_to(const Vec *clipper, int clipper_count, const Vec &normal, Vec *points, int count,
            Vec *spare, bool turning);

} // namespace phyzctl
