// With S_j the motion of degree of freedom j, v_b and I_b velocity and inertia of body b, the force
// on b is f_b = I_b a_b + v_b x* I_b v_b. Let j carry b. Its velocity changes by S_j, and
//   d a_b / d v_j = S_j x v_b - S_j x (v- + v+),
// v- and v+ the velocities before and after j's joint: what comes before turns S_j, and S_j turns
// what comes after. (A free body's first three motions keep to the world's axes: nothing turns
// them, and v- + v+ is what these three add up to.) So d f_b / d v_j = B_b S_j - I_b T_j with
//   B_b S = I_b (S x v_b) + S x* I_b v_b + v_b x* I_b S,  T_j = S_j x (v- + v+).
// B and I add over what a body carries, and the force on i is S_i times the sum over that.
#include "bias_derivative.hpp"

#include <algorithm>

namespace phyzctl {
namespace {

std::size_t index(std::int32_t i) { return static_cast<std::size_t>(i); }

Spatial unit(std::size_t k) {
  const double e[6] = {k == 0 ? 1.0 : 0.0, k == 1 ? 1.0 : 0.0, k == 2 ? 1.0 : 0.0,
                       k == 3 ? 1.0 : 0.0, k == 4 ? 1.0 : 0.0, k == 5 ? 1.0 : 0.0};
  return {{e[0], e[1], e[2]}, {e[3], e[4], e[5]}};
}

BiasSlope slope(const Inertia &inertia, const Spatial &v) {
  const Spatial momentum = inertia * v;
  BiasSlope result;
  for (std::size_t k = 0; k < 6; ++k) {
    const Spatial s = unit(k);
    const Spatial f = inertia * cross_motion(s, v) + cross_force(s, momentum) +
                      cross_force(v, inertia * s);
    const double column[6] = {f.angular.x, f.angular.y, f.angular.z,
                              f.linear.x,  f.linear.y,  f.linear.z};
    for (std::size_t i = 0; i < 6; ++i) {
      result.entries[i][k] = column[i];
    }
  }
  return result;
}

void add(BiasSlope &to, const BiasSlope &from) {
  for (std::size_t i = 0; i < 6; ++i) {
    for (std::size_t k = 0; k < 6; ++k) {
      to.entries[i][k] += from.entries[i][k];
    }
  }
}

// B s.
Spatial operator*(const BiasSlope &B, const Spatial &s) {
  const double x[6] = {s.angular.x, s.angular.y, s.angular.z, s.linear.x, s.linear.y, s.linear.z};
  double y[6] = {};
  for (std::size_t i = 0; i < 6; ++i) {
    for (std::size_t k = 0; k < 6; ++k) {
      y[i] += B.entries[i][k] * x[k];
    }
  }
  return {{y[0], y[1], y[2]}, {y[3], y[4], y[5]}};
}

// B' s.
Spatial transposed(const BiasSlope &B, const Spatial &s) {
  const double x[6] = {s.angular.x, s.angular.y, s.angular.z, s.linear.x, s.linear.y, s.linear.z};
  double y[6] = {};
  for (std::size_t i = 0; i < 6; ++i) {
    for (std::size_t k = 0; k < 6; ++k) {
      y[k] += B.entries[i][k] * x[i];
    }
  }
  return {{y[0], y[1], y[2]}, {y[3], y[4], y[5]}};
}

// T_j of one joint's degrees of freedom; `velocity` goes from before the joint to after it.
void turn_joint(JointType type, const Spatial *motions, const double *v, Spatial &velocity,
                Spatial *turns) {
  std::int32_t k = 0;
  if (type == JointType::free) {
    velocity.linear = velocity.linear + Vec{v[0], v[1], v[2]};
    for (; k < 3; ++k) {
      turns[k] = cross_motion(motions[k], velocity);
    }
  }
  Spatial after = velocity;
  for (std::int32_t i = k; i < velocity_count(type); ++i) {
    after = after + scaled(v[i], motions[i]);
  }
  for (; k < velocity_count(type); ++k) {
    turns[k] = cross_motion(motions[k], velocity + after);
  }
  velocity = after;
}

void find_turns(const Dynamics &dynamics, const double *v, const Workspace &work,
                std::vector<Spatial> &turns) {
  const System &system = dynamics.system;
  for (const std::int32_t mover : dynamics.links.movers) {
    const Body &body = system.bodies[index(mover)];
    const std::int32_t below = dynamics.links.items[index(mover)].below;
    Spatial velocity = below < 0 ? Spatial{} : work.velocities[index(below)];
    for (auto j = index(body.first_joint); j < index(body.end_joint); ++j) {
      const std::int32_t first = dynamics.joints[j].velocity;
      turn_joint(system.joints[j].type, work.motions.data() + first, v + first, velocity,
                 turns.data() + first);
    }
  }
}

} // namespace

void factorize(const Pattern &pattern, GeneralMatrix &matrix) {
  for (std::size_t k = pattern.size(); k-- > 0;) {
    double *row = matrix.lower.data() + pattern.start[k];
    double *column = matrix.upper.data() + pattern.start[k];
    const std::int32_t *columns = pattern.columns.data() + pattern.start[k];
    const std::size_t length = pattern.start[k + 1] - pattern.start[k];
    const double inverse = 1.0 / row[0];
    for (std::size_t a = 1; a < length; ++a) {
      column[a] *= inverse; // how much of row k is taken off row columns[a]
    }
    for (std::size_t a = 1; a < length; ++a) {
      const std::size_t start = pattern.start[index(columns[a])];
      for (std::size_t b = a; b < length; ++b) {
        matrix.lower[start + b - a] -= column[a] * row[b];
        matrix.upper[start + b - a] -= column[b] * row[a];
      }
    }
  }
}

void solve(const Pattern &pattern, const GeneralMatrix &factors, double *x) {
  const std::size_t size = pattern.size();
  for (std::size_t k = size; k-- > 0;) {
    for (std::size_t at = pattern.start[k] + 1; at < pattern.start[k + 1]; ++at) {
      x[pattern.columns[at]] -= factors.upper[at] * x[k];
    }
  }
  for (std::size_t k = 0; k < size; ++k) {
    double sum = x[k];
    for (std::size_t at = pattern.start[k] + 1; at < pattern.start[k + 1]; ++at) {
      sum -= factors.lower[at] * x[pattern.columns[at]];
    }
    x[k] = sum / factors.lower[pattern.start[k]];
  }
}

BiasDerivativeWork::BiasDerivativeWork(const Dynamics &dynamics)
    : slopes(dynamics.system.bodies.size()), turns(dynamics.velocity_count) {}

void bias_derivative(const Dynamics &dynamics, const double *v, const Workspace &work,
                     BiasDerivativeWork &mine, GeneralMatrix &result) {
  const Pattern &pattern = dynamics.paths;
  find_turns(dynamics, v, work, mine.turns);
  const std::vector<std::int32_t> &movers = dynamics.links.movers;
  for (const std::int32_t mover : movers) {
    mine.slopes[index(mover)] = slope(work.inertias[index(mover)], work.velocities[index(mover)]);
  }
  for (std::size_t k = movers.size(); k-- > 0;) {
    const auto i = index(movers[k]);
    const Link &link = dynamics.links.items[i];
    if (link.below >= 0) {
      add(mine.slopes[index(link.below)], mine.slopes[i]);
    }
    for (auto d = index(link.first); d < index(link.end); ++d) {
      const Spatial &motion = work.motions[d];
      const Inertia &carried = work.composites[i];
      const Spatial moved = mine.slopes[i] * motion + scaled(-1.0, carried * mine.turns[d]);
      const Spatial seen = transposed(mine.slopes[i], motion), momentum = carried * motion;
      for (std::size_t at = pattern.start[d]; at < pattern.start[d + 1]; ++at) {
        const auto below = index(pattern.columns[at]);
        result.lower[at] = dot(seen, work.motions[below]) - dot(momentum, mine.turns[below]);
        result.upper[at] = dot(work.motions[below], moved);
      }
    }
  }
}

} // namespace phyzctl
