#include "solver.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "block_law.hpp"
#include "island_algebra.hpp"

namespace phyzctl {
namespace {

constexpr double far_off = 1e20; // a cost, as a square of acceleration, that no start is worth

// The minimization on one island, as it goes.
class Descent {
public:
  Descent(const Pattern &pattern, const Rows &rows, const Island &island, Workspace &work,
          SolverWork &solver)
      : pattern_(pattern), rows_(rows), island_(island), work_(work), my_(solver),
        ranges_{solver.islands.ranges.data() + island.first_range,
                solver.islands.ranges.data() + island.end_range} {
    double trace = 0.0;
    each_dof([&](std::size_t d) { trace += work.M[pattern_.start[d]]; });
    scale_ = 1.0 / trace;
  }

  SolverReport run(const SolverOptions &options, const double *warm) {
    start(warm);
    find_gradient();
    if (!std::isfinite(dot(ranges_, my_.gradient, my_.gradient))) { // forces beyond numbers
      each_dof([&](std::size_t d) { my_.a[d] = std::numeric_limits<double>::quiet_NaN(); });
      return {0, infinity, true, 1};
    }
    SolverReport report{0, certified_gap(options.tolerance), false, 1};
    if (report.gap > options.tolerance) {
      my_.hessian.prepare(rows_, my_.islands, island_);
      descend(options, report);
    }
    return report;
  }

private:
  template <class Visit> void each_dof(Visit visit) const { phyzctl::each_dof(ranges_, visit); }

  template <class Visit> void each_block(Visit visit) const {
    for (std::size_t at = island_.first_block; at < island_.end_block; ++at) {
      const std::uint32_t b = my_.islands.blocks[at];
      visit(rows_.blocks[b], b);
    }
  }

  void start(const double *warm) {
    if (warm != nullptr) {
      put(warm);
    }
    if (warm == nullptr || !(react_all() < far_off / scale_)) {
      each_dof([&](std::size_t d) { work_.acceleration[d] = work_.total[d]; });
      solve_for(pattern_, ranges_, work_.M, work_.factor, work_.acceleration.data());
      put(work_.acceleration.data());
      react_all();
    }
  }

  void put(const double *a) {
    each_dof([&](std::size_t d) { my_.a[d] = a[d]; });
    multiply(pattern_, ranges_, work_.M.data(), a, my_.momentum.data());
    each_block([&](const Block &block, std::uint32_t) {
      apply(rows_, block, a, my_.miss.data());
      for (std::size_t row = block.first_row; row < block.first_row + block.rows; ++row) {
        my_.miss[row] -= rows_.rows[row].target;
      }
    });
  }

  void descend(const SolverOptions &options, SolverReport &report) {
    bool there = false; // but for rounding, which one more step takes away
    while (report.iterations < options.iterations) {
      my_.hessian.make(work_.M.data(), rows_, my_.curvature.data(), my_.starts);
      find_step();
      if (!advance()) {
        return;
      }
      ++report.iterations;
      find_gradient();
      const bool ended = there || (exact_ && settled(options.tolerance));
      there = exact_;
      report.gap = ended ? 0.0 : estimated_gap(options.tolerance);
      if (report.gap <= options.tolerance) {
        return;
      }
    }
    report.capped = true;
  }

  // Nowhere is the cost less by more than g' M^-1 g / 2: it bends at least as M does. Where parts
  // of that are above `tolerance`, they will do.
  double certified_gap(double tolerance) {
    double most = 0.0;
    each_dof([&](std::size_t d) {
      const double g = my_.gradient[d];
      most = std::max(most, g * g / work_.M[pattern_.start[d]]);
    });
    if (0.5 * scale_ * most > tolerance) {
      return 0.5 * scale_ * most;
    }
    each_dof([&](std::size_t d) { my_.step[d] = my_.gradient[d]; });
    solve_for(pattern_, ranges_, work_.M, work_.factor, my_.step.data());
    return 0.5 * scale_ * dot(ranges_, my_.gradient, my_.step);
  }

  // False where rounding has left a step short of the minimum that it was to end at.
  bool settled(double tolerance) const {
    return 0.5 * scale_ * my_.hessian.largest_share(my_.gradient.data()) <= tolerance;
  }

  // By the curvature before the last step; likewise only as much as is above `tolerance`.
  double estimated_gap(double tolerance) {
    const double part = 0.5 * scale_ * my_.hessian.largest_share(my_.gradient.data());
    if (part > tolerance) {
      return part;
    }
    find_step();
    return -0.5 * scale_ * dot(ranges_, my_.gradient, my_.step);
  }

  void find_gradient() {
    each_dof([&](std::size_t d) { my_.force[d] = 0.0; });
    each_block([&](const Block &block, std::uint32_t) {
      push(rows_, block, my_.forces.data(), my_.force.data());
    });
    each_dof([&](std::size_t d) {
      my_.gradient[d] = my_.momentum[d] - work_.total[d] - my_.force[d];
    });
  }

  // Newton's.
  void find_step() {
    each_dof([&](std::size_t d) { my_.step[d] = -my_.gradient[d]; });
    my_.hessian.solve(my_.step.data());
  }

  // Along the step as far as the cost falls. False where it no longer does.
  bool advance() {
    multiply(pattern_, ranges_, work_.M.data(), my_.step.data(), my_.step_momentum.data());
    each_block([&](const Block &block, std::uint32_t) {
      apply(rows_, block, my_.step.data(), my_.change.data());
    });
    const double length = search();
    if (!(length > 0.0)) {
      return false;
    }
    each_dof([&](std::size_t d) {
      my_.a[d] += length * my_.step[d];
      my_.momentum[d] += length * my_.step_momentum[d];
    });
    each_block([&](const Block &block, std::uint32_t) {
      for (std::size_t row = block.first_row; row < block.first_row + block.rows; ++row) {
        my_.miss[row] += length * my_.change[row];
      }
    });
    react_all();
    exact_ = length == 1.0 && !bent_; // at the minimum of the piece that it began on
    return true;
  }

  Miss miss_of(const Block &block, const double *x) const {
    const std::size_t row = block.first_row;
    return {x, my_.stiffness.data() + row, rows_.rows[row].bound};
  }

  // Forces and curvatures here; their cost.
  double react_all() {
    double cost = 0.0;
    bent_ = false;
    each_block([&](const Block &block, std::uint32_t b) {
      const Reaction reaction =
          react(block, miss_of(block, my_.miss.data() + block.first_row),
                my_.forces.data() + block.first_row, my_.curvature.data() + my_.starts[b]);
      cost += reaction.cost;
      bent_ = bent_ || reaction.curved || reaction.piece != my_.pieces[b];
      my_.pieces[b] = reaction.piece;
    });
    return cost;
  }

  // The derivatives of the cost at `length` times the step.
  Slope slope_at(double length) const {
    Slope sum{linear_ + length * quadratic_, quadratic_};
    each_block([&](const Block &block, std::uint32_t) {
      double x[6];
      const double *p = my_.change.data() + block.first_row;
      for (std::uint32_t k = 0; k < block.rows; ++k) {
        x[k] = my_.miss[block.first_row + k] + length * p[k];
      }
      const Slope part = slope(block, miss_of(block, x), p);
      sum.first += part.first;
      sum.second += part.second;
    });
    return sum;
  }

  // The derivative of the cost is zero there, or nearly: it grows along the line, and Newton's
  // method on it is kept between lengths where it has either sign.
  double search() {
    double falling = 0.0;
    linear_ = 0.0;
    each_dof([&](std::size_t d) {
      linear_ += my_.step[d] * (my_.momentum[d] - work_.total[d]);
      falling += my_.step[d] * my_.gradient[d];
    });
    quadratic_ = dot(ranges_, my_.step, my_.step_momentum);
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

  const Pattern &pattern_;
  const Rows &rows_;
  const Island &island_;
  Workspace &work_;
  SolverWork &my_;
  const Ranges ranges_;
  double scale_ = 0.0, linear_ = 0.0, quadratic_ = 0.0;
  bool bent_ = false, exact_ = false;
};

void make_room(const Rows &rows, SolverWork &solver) {
  const std::size_t count = rows.rows.size();
  for (std::vector<double> *numbers :
       {&solver.miss, &solver.change, &solver.forces, &solver.stiffness}) {
    numbers->resize(count);
  }
  std::transform(rows.rows.begin(), rows.rows.end(), solver.stiffness.begin(),
                 [](const Row &row) { return 1.0 / row.softness; });
  std::size_t filled = 0;
  solver.starts.clear();
  for (const Block &block : rows.blocks) {
    solver.starts.push_back(filled);
    filled += coupled(block) ? std::size_t{block.rows} * block.rows : block.rows;
  }
  solver.curvature.resize(filled);
  solver.pieces.assign(rows.blocks.size(), 0);
}

// Where nothing holds.
void accelerate_loose(const Pattern &pattern, Workspace &work, SolverWork &solver) {
  const std::vector<Range> &loose = solver.islands.loose;
  const Ranges ranges{loose.data(), loose.data() + loose.size()};
  each_dof(ranges, [&](std::size_t d) {
    solver.a[d] = work.total[d];
    solver.force[d] = solver.gradient[d] = 0.0;
  });
  solve_for(pattern, ranges, work.M, work.factor, solver.a.data());
}

} // namespace

SolverWork::SolverWork(const Dynamics &dynamics)
    : a(dynamics.velocity_count), momentum(a.size()), gradient(a.size()), step(a.size()),
      step_momentum(a.size()), force(a.size()), islands(dynamics.pattern),
      hessian(dynamics.pattern) {}

SolverReport minimize(const Dynamics &dynamics, const Rows &rows, const SolverOptions &options,
                      const double *warm, Workspace &work, SolverWork &solver) {
  make_room(rows, solver);
  solver.islands.find(rows);
  accelerate_loose(dynamics.pattern, work, solver);
  SolverReport whole{};
  for (const Island &island : solver.islands.items) {
    const SolverReport report =
        Descent(dynamics.pattern, rows, island, work, solver).run(options, warm);
    whole.iterations = std::max(whole.iterations, report.iterations);
    whole.gap = std::max(whole.gap, report.gap);
    whole.capped = whole.capped || report.capped;
    whole.islands += report.islands;
  }
  return whole;
}

} // namespace phyzctl
