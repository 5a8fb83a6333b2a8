#include "smooth_implicit.hpp"

#include <algorithm>

#include "followers.hpp"
#include "medium.hpp"
#include "smooth_motors.hpp"

namespace phyzctl {
namespace {

std::size_t index(std::int32_t i) { return static_cast<std::size_t>(i); }

void add(const Pattern &pattern, std::size_t i, std::size_t j, double value, double *matrix) {
  const std::ptrdiff_t at = pattern.find(i, j);
  if (at >= 0) {
    matrix[at] += value;
  }
}

// M on paths, in a place where more can be added to it.
std::vector<double> &begin_sum(const Dynamics &dynamics, Workspace &work) {
  std::vector<double> &sum = dynamics.followers.empty() ? work.factor : work.sum;
  sum = whole_mass(dynamics, work);
  return sum;
}

void add_damping(const Dynamics &dynamics, double h, std::vector<double> &matrix) {
  for (std::size_t d = 0; d < dynamics.velocity_count; ++d) {
    matrix[dynamics.paths.start[d]] += h * dynamics.damping[d];
  }
}

void add_tendons(const Dynamics &dynamics, double h, const Workspace &work,
                 std::vector<double> &matrix) {
  for (const Tendon &tendon : dynamics.tendons) {
    if (tendon.damping == 0.0) {
      continue;
    }
    for (auto k = index(tendon.first_term); k < index(tendon.end_term); ++k) {
      for (auto l = index(tendon.first_term); l <= k; ++l) {
        add(dynamics.paths, index(dynamics.terms[k].velocity), index(dynamics.terms[l].velocity),
            h * tendon.damping * work.arms[k] * work.arms[l], matrix.data());
      }
    }
  }
}

void add_motors(const Dynamics &dynamics, double h, const Workspace &work,
                std::vector<double> &matrix) {
  for (std::size_t a = 0; a < dynamics.actuators.size(); ++a) {
    const double gain = work.speed_gains[a];
    if (gain == 0.0) {
      continue;
    }
    const Actuator &actuator = dynamics.actuators[a];
    if (actuator.velocity >= 0) {
      const double arm = actuator.gear[0];
      matrix[dynamics.paths.start[index(actuator.velocity)]] += -h * gain * arm * arm;
      continue;
    }
    visit_levers(dynamics, actuator, work.q.data(), work, [&](const Lever &first) {
      visit_levers(dynamics, actuator, work.q.data(), work, [&](const Lever &second) {
        if (second.velocity <= first.velocity) {
          add(dynamics.paths, index(first.velocity), index(second.velocity),
              -h * gain * first.arm * second.arm, matrix.data());
        }
      });
    });
  }
}

// In place: the solution of A x = b, six of each, by elimination with row exchanges.
void solve_six(double (&A)[6][6], double *b) {
  for (int k = 0; k < 6; ++k) {
    int pivot = k;
    for (int i = k + 1; i < 6; ++i) {
      pivot = std::fabs(A[i][k]) > std::fabs(A[pivot][k]) ? i : pivot;
    }
    std::swap(A[k], A[pivot]);
    std::swap(b[k], b[pivot]);
    for (int i = k + 1; i < 6; ++i) {
      const double factor = A[i][k] / A[k][k];
      for (int j = k; j < 6; ++j) {
        A[i][j] -= factor * A[k][j];
      }
      b[i] -= factor * b[k];
    }
  }
  for (int k = 6; k-- > 0;) {
    for (int j = k + 1; j < 6; ++j) {
      b[k] -= A[k][j] * b[j];
    }
    b[k] /= A[k][k];
  }
}

// How the bias force of a free body grows with its angular velocity w: with the centre of mass at
// r from the origin, the force is m w x (w x r), the torque w x I w about that centre and r x the
// force about the origin. The tree's point is the centre.
void gyroscopic(const Dynamics &dynamics, std::size_t body, const Workspace &work,
                double (&derivative)[6][3]) {
  const std::size_t first =
      index(dynamics.joints[index(dynamics.system.bodies[body].first_joint)].velocity);
  const Inertia &inertia = work.composites[body];
  Vec w{};
  for (std::size_t k = 0; k < 3; ++k) {
    w = w + scaled(work.v[first + 3 + k], work.motions[first + 3 + k].angular);
  }
  const Vec momentum = inertia.rotational * w;
  const Vec r = work.points[body] - work.poses[body].p;
  for (std::size_t k = 0; k < 3; ++k) {
    const Vec &e = work.motions[first + 3 + k].angular;
    const Vec force = scaled(inertia.mass, cross(e, cross(w, r)) + cross(w, cross(e, r)));
    const Vec torque = cross(e, momentum) + cross(w, inertia.rotational * e) + cross(r, force);
    const double linear[3] = {force.x, force.y, force.z};
    for (std::size_t row = 0; row < 3; ++row) {
      derivative[row][k] = linear[row];
      derivative[3 + row][k] = dot(work.motions[first + 3 + row].angular, torque);
    }
  }
}

void accelerate_lone(const Dynamics &dynamics, std::size_t body, double h,
                     const std::vector<double> &matrix, Workspace &work) {
  const std::size_t first =
      index(dynamics.joints[index(dynamics.system.bodies[body].first_joint)].velocity);
  double A[6][6], derivative[6][3];
  gyroscopic(dynamics, body, work, derivative);
  for (std::size_t i = 0; i < 6; ++i) {
    for (std::size_t j = 0; j <= i; ++j) {
      A[i][j] = A[j][i] = matrix[dynamics.pattern.start[first + i] + i - j];
    }
  }
  for (std::size_t i = 0; i < 6; ++i) {
    for (std::size_t k = 0; k < 3; ++k) {
      A[i][3 + k] += h * derivative[i][k];
    }
  }
  std::copy_n(work.total.begin() + static_cast<std::ptrdiff_t>(first), 6,
              work.acceleration.begin() + static_cast<std::ptrdiff_t>(first));
  solve_six(A, work.acceleration.data() + first);
}

// work.acceleration, folded, by the matrix that is in work.factor.
void accelerate_by_factor(const Dynamics &dynamics, Workspace &work) {
  work.acceleration = work.total;
  fold(dynamics, work.acceleration.data());
  factorize(dynamics.pattern, work.factor.data());
  solve(dynamics.pattern, work.factor.data(), work.acceleration.data());
}

} // namespace

void accelerate_damped(const Dynamics &dynamics, double h, Workspace &work) {
  add_damping(dynamics, h, begin_sum(dynamics, work));
  fold_sum(dynamics, work);
  accelerate_by_factor(dynamics, work);
  unfold(dynamics, work.acceleration.data());
}

std::vector<double> &implicit_sum(const Dynamics &dynamics, double h, Workspace &work) {
  std::vector<double> &sum = begin_sum(dynamics, work);
  add_damping(dynamics, h, sum);
  add_tendons(dynamics, h, work, sum);
  add_motors(dynamics, h, work, sum);
  add_medium(dynamics, h, work, sum);
  return sum;
}

void fold_sum(const Dynamics &dynamics, Workspace &work) {
  if (!dynamics.followers.empty()) {
    fold(dynamics, work.sum, work.factor);
  }
}

void accelerate_implicitly(const Dynamics &dynamics, double h, Workspace &work) {
  implicit_sum(dynamics, h, work);
  fold_sum(dynamics, work);
  if (!dynamics.lone.empty()) {
    work.matrix = work.factor;
  }
  accelerate_by_factor(dynamics, work);
  for (const std::int32_t body : dynamics.lone) {
    accelerate_lone(dynamics, index(body), h, work.matrix, work);
  }
  unfold(dynamics, work.acceleration.data());
}

} // namespace phyzctl
