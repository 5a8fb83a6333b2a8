// The degrees of freedom that move one of two bodies.
#pragma once

#include <algorithm>

#include "dynamics.hpp"

namespace phyzctl {

// The degrees of freedom that move a body, falling.
struct Path {
  Path(const Dynamics &dynamics, std::int32_t body) {
    const std::int32_t last = body < 0 ? -1 : dynamics.last_dof[static_cast<std::size_t>(body)];
    const std::int32_t *columns = dynamics.paths.columns.data();
    if (last >= 0) {
      here = columns + dynamics.paths.start[static_cast<std::size_t>(last)];
      end = columns + dynamics.paths.start[static_cast<std::size_t>(last) + 1];
    }
  }
  const std::int32_t *here = nullptr, *end = nullptr;
};

// Calls visit(column, moves the first, moves the second) for all that move either body, falling;
// where `apart`, not for those that move both alike.
template <class Visit>
void visit_columns(const Dynamics &dynamics, const std::int32_t (&bodies)[2], bool apart,
                   Visit visit) {
  Path a(dynamics, bodies[0]), b(dynamics, bodies[1]);
  while (a.here != a.end || b.here != b.end) {
    const std::int32_t of_a = a.here != a.end ? *a.here : -1, of_b = b.here != b.end ? *b.here : -1;
    if (apart && of_a == of_b) {
      return; // below a common one all are common
    }
    visit(std::max(of_a, of_b), of_a >= of_b, of_b >= of_a);
    a.here += of_a >= of_b;
    b.here += of_b >= of_a;
  }
}

// A frame on a body, in the world.
inline Pose<double> placed(const Workspace &work, std::int32_t body, const Pose<double> &frame) {
  return body < 0 ? frame : work.poses[static_cast<std::size_t>(body)] * frame;
}

// The point that a body's motions are taken about.
inline Vec tree_point(const Workspace &work, std::int32_t body) {
  return body < 0 ? Vec{0.0, 0.0, 0.0} : work.points[static_cast<std::size_t>(body)];
}

} // namespace phyzctl
