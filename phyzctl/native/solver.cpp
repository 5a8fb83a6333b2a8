#include "solver.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "block_law.hpp"
#include "smooth_implicit.hpp"

namespace phyzctl {
namespace {

double dot(const std::vector<double> &a, const std::vector<double> &b) {
  double sum = 0.0;
  for (std::size_t d = 0; d < a.size(); ++d) {
    sum += a[d] * b[d];
  }
  return sum;
}

// y = M x, of a symmetric matrix.
void multiply(const Pattern &pattern, const double *M, const double *x, double *y) {
  for (std::size_t i = 0; i < pattern.size(); ++i) {
    const std::size_t start = pattern.start[i];
    double sum = M[start] * x[i];
    for (std::size_t at = start + 1; at < pattern.start[i + 1]; ++at) {
      const std::int32_t j = pattern.columns[at];
      sum += M[at] * x[j];
      y[j] += M[at] * x[i];
    }
    y[i] = sum; // what later rows add comes later
  }
}

// result = J x.
void apply(const Rows &rows, const double *x, double *result) {
  for (const Block &block : rows.blocks) {
    const double *value = rows.values.data() + block.first_value;
    const std::int32_t *columns = rows.columns.data() + block.first_column;
    for (std::uint32_t r = 0; r < block.rows; ++r, value += block.columns) {
      double sum = 0.0;
      for (std::uint32_t k = 0; k < block.columns; ++k) {
        sum += value[k] * x[columns[k]];
      }
      result[block.first_row + r] = sum;
    }
  }
}

// result += J' f.
void push(const Rows &rows, const double *f, double *result) {
  for (const Block &block : rows.blocks) {
    const double *value = rows.values.data() + block.first_value;
    const std::int32_t *columns = rows.columns.data() + block.first_column;
    for (std::uint32_t r = 0; r < block.rows; ++r, value += block.columns) {
      const double force = f[block.first_row + r];
      for (std::uint32_t k = 0; k < block.columns && force != 0.0; ++k) {
        result[columns[k]] += value[k] * force;
      }
    }
  }
}

constexpr double far_off = 1e20; // a cost, as a square of acceleration, that no start is worth

// One minimization, as it goes.
class Descent {
public:
  Descent(const Dynamics &dynamics, const Rows &rows, Workspace &work, SolverWork &solver)
      : dynamics_(dynamics), pattern_(dynamics.pattern), rows_(rows), work_(work), my_(solver) {
    const std::size_t count = rows.rows.size();
    for (std::vector<double> *numbers : {&my_.miss, &my_.change, &my_.forces, &my_.stiffness}) {
      numbers->resize(count);
    }
    std::transform(rows.rows.begin(), rows.rows.end(), my_.stiffness.begin(),
                   [](const Row &row) { return 1.0 / row.softness; });
    std::size_t filled = 0;
    my_.starts.clear();
    for (const Block &block : rows.blocks) {
      my_.starts.push_back(filled);
      filled += coupled(block) ? std::size_t{block.rows} * block.rows : block.rows;
    }
    my_.curvature.resize(filled);
    my_.pieces.assign(rows.blocks.size(), 0);
    double trace = 0.0;
    for (std::size_t d = 0; d < pattern_.size(); ++d) {
      trace += work.M[pattern_.start[d]];
    }
    scale_ = 1.0 / trace;
  }

  void start(const double *warm) {
    if (warm != nullptr) {
      put(warm);
    }
    if (warm == nullptr || !(react_all() < far_off / scale_)) {
      accelerate_freely(dynamics_, work_);
      put(work_.acceleration.data());
      react_all();
    }
  }

  // Nowhere is the cost less by more than g' M^-1 g / 2: it bends at least as M does. Where parts
  // of that are above `tolerance`, they will do.
  double certified_gap(double tolerance) {
    double most = 0.0;
    for (std::size_t d = 0; d < pattern_.size(); ++d) {
      const double g = my_.gradient[d];
      most = std::max(most, g * g / work_.M[pattern_.start[d]]);
    }
    if (0.5 * scale_ * most > tolerance) {
      return 0.5 * scale_ * most;
    }
    work_.factor = work_.M;
    factorize(pattern_, work_.factor.data());
    my_.step = my_.gradient;
    solve(pattern_, work_.factor.data(), my_.step.data());
    return 0.5 * scale_ * dot(my_.gradient, my_.step);
  }

  void find_gradient() {
    std::fill(my_.force.begin(), my_.force.end(), 0.0);
    push(rows_, my_.forces.data(), my_.force.data());
    for (std::size_t d = 0; d < pattern_.size(); ++d) {
      my_.gradient[d] = my_.momentum[d] - work_.total[d] - my_.force[d];
    }
  }

  // False for forces that are no numbers, or beyond them.
  bool finite() const { return std::isfinite(dot(my_.gradient, my_.gradient)); }

  void prepare() { my_.hessian.prepare(rows_); }
  void bend() { my_.hessian.make(work_.M.data(), rows_, my_.curvature.data(), my_.starts); }

  // Newton's step, and the gap that the curvature here suggests.
  double find_step() {
    for (std::size_t d = 0; d < pattern_.size(); ++d) {
      my_.step[d] = -my_.gradient[d];
    }
    my_.hessian.solve(my_.step.data());
    return -0.5 * scale_ * dot(my_.gradient, my_.step);
  }

  // Along the step as far as the cost falls. False where it no longer does.
  bool advance() {
    multiply(pattern_, work_.M.data(), my_.step.data(), my_.step_momentum.data());
    apply(rows_, my_.step.data(), my_.change.data());
    const double length = search();
    if (!(length > 0.0)) {
      return false;
    }
    for (std::size_t d = 0; d < pattern_.size(); ++d) {
      my_.a[d] += length * my_.step[d];
      my_.momentum[d] += length * my_.step_momentum[d];
    }
    for (std::size_t row = 0; row < my_.miss.size(); ++row) {
      my_.miss[row] += length * my_.change[row];
    }
    react_all();
    exact_ = length == 1.0 && !bent_;
    return true;
  }

  // True where the last step led to the minimum of the piece that it began on.
  bool exact() const { return exact_; }

private:
  void put(const double *a) {
    my_.a.assign(a, a + pattern_.size());
    multiply(pattern_, work_.M.data(), a, my_.momentum.data());
    apply(rows_, a, my_.miss.data());
    for (std::size_t row = 0; row < my_.miss.size(); ++row) {
      my_.miss[row] -= rows_.rows[row].target;
    }
  }

  Miss miss_of(const Block &block, const double *x) const {
    const std::size_t row = block.first_row;
    return {x, my_.stiffness.data() + row, rows_.rows[row].bound};
  }

  // Forces and curvatures here; their cost.
  double react_all() {
    double cost = 0.0;
    bent_ = false;
    for (std::size_t b = 0; b < rows_.blocks.size(); ++b) {
      const Block &block = rows_.blocks[b];
      const Reaction reaction =
          react(block, miss_of(block, my_.miss.data() + block.first_row),
                my_.forces.data() + block.first_row, my_.curvature.data() + my_.starts[b]);
      cost += reaction.cost;
      bent_ = bent_ || reaction.curved || reaction.piece != my_.pieces[b];
      my_.pieces[b] = reaction.piece;
    }
    return cost;
  }

  // The derivatives of the cost at `length` times the step.
  Slope slope_at(double length) const {
    Slope sum{linear_ + length * quadratic_, quadratic_};
    for (const Block &block : rows_.blocks) {
      double x[6];
      const double *p = my_.change.data() + block.first_row;
      for (std::uint32_t k = 0; k < block.rows; ++k) {
        x[k] = my_.miss[block.first_row + k] + length * p[k];
      }
      const Slope part = slope(block, miss_of(block, x), p);
      sum.first += part.first;
      sum.second += part.second;
    }
    return sum;
  }

  // The derivative of the cost is zero there, or nearly: it grows along the line, and Newton's
  // method on it is kept between lengths where it has either sign.
  double search() {
    double falling = 0.0;
    linear_ = 0.0;
    for (std::size_t d = 0; d < pattern_.size(); ++d) {
      linear_ += my_.step[d] * (my_.momentum[d] - work_.total[d]);
      falling += my_.step[d] * my_.gradient[d];
    }
    quadratic_ = dot(my_.step, my_.step_momentum);
    if (!(falling < 0.0)) {
      return 0.0;
    }
    const double small = 1e-3 * -falling;
    double low = 0.0, high = infinity, length = 1.0;
    for (int tries = 0; tries < 50; ++tries) {
      const Slope here = slope_at(length);
      if (std::fabs(here.first) <= small) {
        break;
      }
      (here.first < 0.0 ? low : high) = length;
      double next = length - here.first / here.second;
      if (!(next > low && next < high)) {
        next = high < infinity ? 0.5 * (low + high) : 2.0 * length;
      }
      length = next;
    }
    return length;
  }

  const Dynamics &dynamics_;
  const Pattern &pattern_;
  const Rows &rows_;
  Workspace &work_;
  SolverWork &my_;
  double scale_ = 0.0, linear_ = 0.0, quadratic_ = 0.0;
  bool bent_ = false, exact_ = false;
};

} // namespace

SolverWork::SolverWork(const Dynamics &dynamics)
    : a(dynamics.velocity_count), momentum(a.size()), gradient(a.size()), step(a.size()),
      step_momentum(a.size()), force(a.size()), hessian(dynamics.pattern) {}

SolverReport minimize(const Dynamics &dynamics, const Rows &rows, const SolverOptions &options,
                      const double *warm, Workspace &work, SolverWork &solver) {
  Descent descent(dynamics, rows, work, solver);
  descent.start(warm);
  descent.find_gradient();
  if (!descent.finite()) {
    std::fill(solver.a.begin(), solver.a.end(), std::numeric_limits<double>::quiet_NaN());
    return {0, infinity, true};
  }
  SolverReport report{0, descent.certified_gap(options.tolerance), false};
  if (report.gap <= options.tolerance) {
    return report;
  }
  descent.prepare();
  while (report.iterations < options.iterations) {
    descent.bend();
    descent.find_step();
    if (!descent.advance()) {
      return report;
    }
    ++report.iterations;
    descent.find_gradient();
    if (descent.exact()) {
      report.gap = 0.0;
      return report;
    }
    report.gap = descent.find_step(); // by the curvature before the step
    if (report.gap <= options.tolerance) {
      return report;
    }
  }
  report.capped = true;
  return report;
}

} // namespace phyzctl
