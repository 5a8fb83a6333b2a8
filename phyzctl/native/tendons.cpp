#include "tendons.hpp"

#include <algorithm>

#include "rows_columns.hpp"
#include "wrapping.hpp"

namespace phyzctl {
namespace {

std::size_t index(std::int32_t i) { return static_cast<std::size_t>(i); }

// A point on a body.
struct Place {
  std::int32_t body;
  Vec point;
};

// The way of one tendon.
class Route {
public:
  Route(const Dynamics &dynamics, std::size_t tendon, Workspace &work)
      : dynamics_(dynamics), tendon_(dynamics.tendons[tendon]), work_(work) {
    std::fill(work.arms.begin() + tendon_.first_term, work.arms.begin() + tendon_.end_term, 0.0);
  }

  double length() {
    std::size_t s = index(tendon_.first_step);
    const std::size_t end = index(tendon_.end_step);
    while (s + 1 < end) {
      const PathStep &here = dynamics_.steps[s], &next = dynamics_.steps[s + 1];
      if (here.kind == PathKind::pulley) {
        share_ = 1.0 / here.size;
        ++s;
      } else if (next.kind == PathKind::pulley) {
        ++s;
      } else if (next.kind == PathKind::site) {
        straight(place(here), place(next));
        ++s;
      } else {
        around(place(here), next, place(dynamics_.steps[s + 2]));
        s += 2;
      }
    }
    return length_;
  }

private:
  Place place(const PathStep &step) const {
    return {step.body, placed(work_, step.body, step.frame).p};
  }

  void around(const Place &a, const PathStep &step, const Place &b) {
    const Obstacle obstacle{placed(work_, step.body, step.frame), step.size,
                            step.kind == PathKind::cylinder};
    const Vec side = placed(work_, step.side_body, {step.side, {1.0, 0.0, 0.0, 0.0}}).p;
    Wrap found;
    if (!wrap(obstacle, a.point, b.point, step.has_side ? &side : nullptr, found)) {
      return straight(a, b);
    }
    straight(a, {step.body, found.points[0]});
    length_ += share_ * found.length;
    straight({step.body, found.points[1]}, b);
  }

  void straight(const Place &a, const Place &b) {
    const Vec way = b.point - a.point;
    const double far = phyzctl::length(way);
    length_ += share_ * far;
    if (a.body != b.body) {
      const Vec along = far < 1e-15 ? Vec{1.0, 0.0, 0.0} : scaled(1.0 / far, way);
      pull(b, scaled(share_, along));
      pull(a, scaled(-share_, along));
    }
  }

  // The terms are in the order of paths.
  void pull(const Place &at, const Vec &force) {
    const Vec torque = cross(at.point - tree_point(work_, at.body), force);
    std::size_t k = index(tendon_.first_term);
    for (Path path(dynamics_, at.body); path.here != path.end; ++path.here, ++k) {
      while (dynamics_.terms[k].velocity != *path.here) {
        ++k;
      }
      const Spatial &motion = work_.motions[index(*path.here)];
      work_.arms[k] += dot(motion.linear, force) + dot(motion.angular, torque);
    }
  }

  const Dynamics &dynamics_;
  const Tendon &tendon_;
  Workspace &work_;
  double share_ = 1.0, length_ = 0.0;
};

} // namespace

void sum_tendons(const Dynamics &dynamics, const double *q, Workspace &work) {
  for (std::size_t t = 0; t < dynamics.tendons.size(); ++t) {
    const Tendon &tendon = dynamics.tendons[t];
    if (tendon.spatial()) {
      continue;
    }
    work.lengths[t] = 0.0;
    for (auto k = index(tendon.first_term); k < index(tendon.end_term); ++k) {
      work.lengths[t] += work.arms[k] * q[dynamics.terms[k].position];
    }
  }
}

void reach_tendons(const Dynamics &dynamics, const double *q, Workspace &work) {
  sum_tendons(dynamics, q, work);
  for (std::size_t t = 0; t < dynamics.tendons.size(); ++t) {
    if (dynamics.tendons[t].spatial()) {
      work.lengths[t] = Route(dynamics, t, work).length();
    }
  }
}

} // namespace phyzctl
