#include "noslip.hpp"

#include <algorithm>
#include <cmath>

#include "island_algebra.hpp"

namespace phyzctl {
namespace {

// The passes on one island.
class Passes {
public:
  Passes(const Pattern &pattern, const Rows &rows, const Island &island, Workspace &work,
         SolverWork &solver, NoslipWork &mine)
      : pattern_(pattern), rows_(rows), island_(island), work_(work), solver_(solver), my_(mine),
        ranges_{solver.islands.ranges.data() + island.first_range,
                solver.islands.ranges.data() + island.end_range} {}

  void run(const Noslip &options) {
    find_grips();
    if (my_.grips.empty()) {
      return;
    }
    reach();
    double trace = 0.0;
    each_dof(ranges_, [&](std::size_t d) { trace += work_.M[pattern_.start[d]]; });
    double gain = softness(); // what is no longer paid for being soft
    for (std::size_t pass = 0; pass < options.iterations; ++pass) {
      for (const Grip &grip : my_.grips) {
        gain += grip.block->law == Law::cone ? hold_cone(grip) : hold_row(grip);
      }
      if (gain < options.tolerance * trace) {
        break;
      }
      gain = 0.0;
    }
    add_forces();
  }

private:
  template <class Visit> void each_block(Visit visit) const {
    for (std::size_t at = island_.first_block; at < island_.end_block; ++at) {
      visit(rows_.blocks[solver_.islands.blocks[at]]);
    }
  }

  void find_grips() {
    my_.grips.clear();
    std::size_t rows = 0;
    const auto add = [&](const Block &block, std::uint32_t first, std::uint32_t count, double bound) {
      my_.grips.push_back({&block, first, count, rows * pattern_.size(), bound, 0.0, 0});
      rows += count;
    };
    each_block([&](const Block &block) {
      const std::size_t row = block.first_row;
      if (block.law == Law::friction && block.origin != Origin::actuator) {
        add(block, 0, 1, rows_.rows[row].bound);
      } else if (block.law == Law::cone) {
        add(block, 1, block.rows - 1, solver_.forces[row]);
      } else if (block.law == Law::pyramid) {
        for (std::uint32_t k = 1; k < block.rows; ++k) {
          add(block, k, 1, block.friction[k - 1] * (edge(block, k, 1.0) + edge(block, k, -1.0)));
        }
      }
    });
    my_.reaches.resize(rows * pattern_.size());
  }

  // The force of one of the two edges of a pyramid on either side of a tangent.
  double edge(const Block &block, std::uint32_t k, double side) const {
    const double *miss = solver_.miss.data() + block.first_row;
    const double approach = miss[0] + side * block.friction[k - 1] * miss[k];
    return solver_.stiffness[block.first_row] * std::max(0.0, -approach);
  }

  // 1/2 f'R f, of all rows.
  double softness() const {
    double sum = 0.0;
    each_block([&](const Block &block) {
      for (std::uint32_t k = 0; k < block.rows; ++k) {
        const double R = rows_.rows[block.first_row + k].softness;
        const double f = solver_.forces[block.first_row + k];
        if (block.law != Law::pyramid) {
          sum += 0.5 * R * f * f;
        } else if (k > 0) {
          const double one = edge(block, k, 1.0), other = edge(block, k, -1.0);
          sum += 0.5 * R * (one * one + other * other);
        }
      }
    });
    return sum;
  }

  double *reach_of(const Grip &grip, std::uint32_t k) const {
    return my_.reaches.data() + grip.reach + k * pattern_.size();
  }

  void reach() {
    factorize_for(pattern_, ranges_, work_.M, work_.factor);
    my_.ellipsoids.clear();
    for (Grip &grip : my_.grips) {
      const Block &block = *grip.block;
      for (std::uint32_t k = 0; k < grip.count; ++k) {
        double *x = reach_of(grip, k);
        each_dof(ranges_, [&](std::size_t d) { x[d] = 0.0; });
        const double *values = values_of(block, grip.first + k);
        for (std::uint32_t c = 0; c < block.columns; ++c) {
          x[rows_.columns[block.first_column + c]] = values[c];
        }
        solve_with(pattern_, ranges_, work_.factor, x);
      }
      if (block.law == Law::cone) {
        shape(grip);
      } else {
        grip.ease = moved(block, grip.first, reach_of(grip, 0));
      }
    }
  }

  void shape(Grip &grip) {
    double A[25];
    for (std::uint32_t i = 0; i < grip.count; ++i) {
      for (std::uint32_t j = 0; j <= i; ++j) {
        A[i * grip.count + j] = A[j * grip.count + i] =
            moved(*grip.block, grip.first + i, reach_of(grip, j));
      }
    }
    grip.ellipsoid = my_.ellipsoids.size();
    my_.ellipsoids.emplace_back(grip.count, A, grip.block->friction);
  }

  const double *values_of(const Block &block, std::uint32_t row) const {
    return rows_.values.data() + block.first_value + std::size_t{row} * block.columns;
  }

  // A row of J times x.
  double moved(const Block &block, std::uint32_t row, const double *x) const {
    const double *values = values_of(block, row);
    double sum = 0.0;
    for (std::uint32_t c = 0; c < block.columns; ++c) {
      sum += values[c] * x[rows_.columns[block.first_column + c]];
    }
    return sum;
  }

  double miss(const Grip &grip, std::uint32_t k) const {
    return moved(*grip.block, grip.first + k, work_.acceleration.data()) -
           rows_.rows[grip.block->first_row + grip.first + k].target;
  }

  void push_more(const Grip &grip, std::uint32_t k, double more) {
    const double *x = reach_of(grip, k);
    each_dof(ranges_, [&](std::size_t d) { work_.acceleration[d] += more * x[d]; });
  }

  // What is gained by it.
  double hold_row(const Grip &grip) {
    if (!(grip.ease > 0.0)) {
      return 0.0;
    }
    double &force = solver_.forces[grip.block->first_row + grip.first];
    const double slope = miss(grip, 0);
    const double wanted = std::clamp(force - slope / grip.ease, -grip.bound, grip.bound);
    const double more = wanted - force;
    force = wanted;
    push_more(grip, 0, more);
    return -more * (slope + 0.5 * grip.ease * more);
  }

  double hold_cone(const Grip &grip) {
    double *force = solver_.forces.data() + grip.block->first_row + grip.first;
    double slope[5], before[5], gain = 0.0;
    for (std::uint32_t k = 0; k < grip.count; ++k) {
      slope[k] = miss(grip, k);
      before[k] = force[k];
    }
    my_.ellipsoids[grip.ellipsoid].minimize(slope, grip.bound, force);
    for (std::uint32_t k = 0; k < grip.count; ++k) {
      push_more(grip, k, force[k] - before[k]);
    }
    for (std::uint32_t k = 0; k < grip.count; ++k) { // half of both slopes: the cost is quadratic
      gain -= 0.5 * (slope[k] + miss(grip, k)) * (force[k] - before[k]);
    }
    return gain;
  }

  void add_forces() {
    each_dof(ranges_, [&](std::size_t d) { solver_.force[d] = 0.0; });
    each_block([&](const Block &block) {
      push(rows_, block, solver_.forces.data(), solver_.force.data());
    });
  }

  const Pattern &pattern_;
  const Rows &rows_;
  const Island &island_;
  Workspace &work_;
  SolverWork &solver_;
  NoslipWork &my_;
  const Ranges ranges_;
};

} // namespace

void stop_slip(const Dynamics &dynamics, const Rows &rows, const Noslip &options, Workspace &work,
               SolverWork &solver, NoslipWork &mine) {
  if (options.iterations == 0) {
    return;
  }
  for (const Island &island : solver.islands.items) {
    Passes(dynamics.pattern, rows, island, work, solver, mine).run(options);
  }
}

} // namespace phyzctl
