// The point of a simplex of one to four corners that is nearest to the origin.
#pragma once

#include "support.hpp"

namespace phyzctl {

// Affinely independent corners whose mean, weighted by `weight`, is nearest to the origin.
struct Simplex {
  int count = 0;
  Corner corner[4];
  double weight[4];

  // The nearest point, and the point of shape A that it comes from.
  Corner nearest() const {
    Corner sum{scaled(weight[0], corner[0].w), scaled(weight[0], corner[0].a)};
    for (int i = 1; i < count; ++i) {
      sum = {sum.w + scaled(weight[i], corner[i].w), sum.a + scaled(weight[i], corner[i].a)};
    }
    return sum;
  }
};

// Leave only the corners that the nearest point needs, and weigh them. True when the origin lies
// inside of a tetrahedron, whose four corners are then kept. `noise` bounds the error of the
// corners' coordinates; what is thinner counts as flat.
bool reduce(Simplex &simplex, double noise);

} // namespace phyzctl
