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
    finish();
  }

private:
  template <class Visit> void each_block(Visit visit) const {
    for (std::size_t at = island_.first_block; at < island_.end_block; ++at) {
      visit(rows_.blocks[solver_.islands.blocks[at]]);
    }
  }

  // Where nothing is pressed, there is no friction, nor will be.
  void find_grips() {
    my_.grips.clear();
    std::size_t rows = 0;
    const auto add = [&](const Block &block, std::uint32_t first, std::uint32_t count, double bound) {
      if (bound > 0.0) {
        my_.grips.push_back({&block, first, count, rows, bound, 0.0, 0});
        rows += count;
      }
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

  void reach() {
    factorize_for(pattern_, ranges_, work_.M, work_.factor);
    my_.ease.resize(pattern_.size());
    my_.motion.resize(pattern_.size());
    my_.scratch.resize(pattern_.size());
    each_dof(ranges_, [&](std::size_t d) {
      const double *row = work_.factor.data() + pattern_.start[d];
      my_.ease[d] = 1.0 / row[0];
      my_.motion[d] = work_.acceleration[d];
      visit_row(d, [&](std::size_t k, std::size_t other) {
        my_.motion[d] += row[k] * work_.acceleration[other];
      });
    });
    my_.ellipsoids.clear();
    my_.reaches.assign(1, 0);
    my_.columns.clear();
    my_.values.clear();
    for (Grip &grip : my_.grips) {
      for (std::uint32_t k = 0; k < grip.count; ++k) {
        add_reach(*grip.block, grip.first + k);
      }
      if (grip.block->law == Law::cone) {
        shape(grip);
      } else {
        grip.ease = coupling(grip.reach, grip.reach);
      }
    }
  }

  // Calls visit(k, column) for what stands in a row of the pattern behind the diagonal.
  template <class Visit> void visit_row(std::size_t d, Visit visit) const {
    for (std::size_t k = 1; k < pattern_.start[d + 1] - pattern_.start[d]; ++k) {
      visit(k, static_cast<std::size_t>(pattern_.columns[pattern_.start[d] + k]));
    }
  }

  void add_reach(const Block &block, std::uint32_t row) {
    const double *values = rows_.values.data() + block.first_value + std::size_t{row} * block.columns;
    const std::int32_t *columns = rows_.columns.data() + block.first_column;
    double *x = my_.scratch.data();
    for (std::uint32_t c = 0; c < block.columns; ++c) {
      x[columns[c]] = values[c];
    }
    const auto highest = static_cast<std::size_t>(columns[0]);
    for (const Range *range = ranges_.end(); range-- != ranges_.begin();) {
      for (std::size_t d = std::min(range->end, highest + 1); d-- > range->first;) {
        if (x[d] == 0.0) {
          continue;
        }
        const double *factor = work_.factor.data() + pattern_.start[d];
        visit_row(d, [&](std::size_t k, std::size_t other) { x[other] -= factor[k] * x[d]; });
        my_.columns.push_back(static_cast<std::int32_t>(d));
        my_.values.push_back(x[d]);
        x[d] = 0.0;
      }
    }
    my_.reaches.push_back(my_.columns.size());
  }

  // J M^-1 J' of two rows of a block, whose reaches have the same columns but for zeros.
  double coupling(std::size_t one, std::size_t other) {
    double sum = 0.0;
    each_of(one, [&](std::size_t d, double z) { my_.scratch[d] = my_.ease[d] * z; });
    each_of(other, [&](std::size_t d, double z) { sum += my_.scratch[d] * z; });
    each_of(one, [&](std::size_t d, double) { my_.scratch[d] = 0.0; });
    return sum;
  }

  template <class Visit> void each_of(std::size_t reach, Visit visit) const {
    for (std::size_t at = my_.reaches[reach]; at < my_.reaches[reach + 1]; ++at) {
      visit(static_cast<std::size_t>(my_.columns[at]), my_.values[at]);
    }
  }

  void shape(Grip &grip) {
    double A[25];
    for (std::uint32_t i = 0; i < grip.count; ++i) {
      for (std::uint32_t j = 0; j <= i; ++j) {
        A[i * grip.count + j] = A[j * grip.count + i] = coupling(grip.reach + i, grip.reach + j);
      }
    }
    grip.ellipsoid = my_.ellipsoids.size();
    my_.ellipsoids.emplace_back(grip.count, A, grip.block->friction);
  }

  double miss(const Grip &grip, std::uint32_t k) const {
    double sum = -rows_.rows[grip.block->first_row + grip.first + k].target;
    each_of(grip.reach + k, [&](std::size_t d, double z) { sum += z * my_.motion[d]; });
    return sum;
  }

  void push_more(const Grip &grip, std::uint32_t k, double more) {
    each_of(grip.reach + k,
            [&](std::size_t d, double z) { my_.motion[d] += more * my_.ease[d] * z; });
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

  // Their sum, and the acceleration that goes with it.
  void finish() {
    each_dof(ranges_, [&](std::size_t d) {
      solver_.force[d] = 0.0;
      const double *row = work_.factor.data() + pattern_.start[d];
      double a = my_.motion[d];
      visit_row(d, [&](std::size_t k, std::size_t other) { a -= row[k] * work_.acceleration[other]; });
      work_.acceleration[d] = a;
    });
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
