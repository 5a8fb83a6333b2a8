// Configurations are taken in blocks. In a block, spheres around bodies, then around the shapes of
// a pair, then simple outlines of these are compared for all configurations at once; what is left
// is answered one by one. What a pair has met so far tells when depth and clearance need not be
// looked at; that only spares time, so blocks can go to any thread in any order.
#include "sweep.hpp"

#include <algorithm>
#include <atomic>
#include <numeric>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

#include "bounds.hpp"
#include "narrowphase.hpp"
#include "outline.hpp"

namespace phyzctl {
namespace {

constexpr std::size_t worth_a_look = 3; // pairs of a run, from which on spheres of bodies pay

struct Facts {
  std::int64_t hits = 0, first_hit = -1;
  double deepest = 0.0, clearance = infinity;
  std::int64_t deepest_at = -1, clearance_at = -1;
};

bool earlier(std::int64_t a, std::int64_t b) { return a >= 0 && (b < 0 || a < b); }

void merge(Facts &into, const Facts &from) {
  into.hits += from.hits;
  if (earlier(from.first_hit, into.first_hit)) {
    into.first_hit = from.first_hit;
  }
  if (from.deepest > into.deepest ||
      (from.deepest == into.deepest && earlier(from.deepest_at, into.deepest_at))) {
    into.deepest = from.deepest;
    into.deepest_at = from.deepest_at;
  }
  if (from.clearance < into.clearance ||
      (from.clearance == into.clearance && earlier(from.clearance_at, into.clearance_at))) {
    into.clearance = from.clearance;
    into.clearance_at = from.clearance_at;
  }
}

// A sphere around all shapes of a body that pairs name. The world is body -1.
struct Ball {
  std::int32_t body;
  Vec centre; // in the body
  double reach;
};

// Pairs in a row of the same two bodies.
struct Run {
  std::size_t first, end;
  std::size_t balls[2];
};

struct Task {
  const System &system;
  const Shapes &shapes;
  const double *q;
  std::size_t count;
  const PairList &pairs;
  Groups groups;
  bool depth, clearance;
  std::vector<std::size_t> order; // of pairs, those of the same bodies one after the other
  std::vector<std::size_t> used;  // geoms that some pair names
  std::vector<Ball> balls;
  std::vector<Run> runs;
};

class Worker {
public:
  explicit Worker(const Task &task)
      : task_(task), outlines_(task.system, task.shapes, task.used), facts_(task.pairs.count) {
    for (const Ball &ball : task.balls) {
      balls_.push_back(outlines_.add_point(ball.body, ball.centre));
    }
  }

  void run(std::size_t first) {
    first_ = first;
    outlines_.place(task_.q + first * task_.system.position_count,
                    std::min(block, task_.count - first));
    met_ = 0;
    for (const Run &run : task_.runs) {
      if (run.end - run.first >= worth_a_look && far_apart(run)) {
        continue;
      }
      for (std::size_t i = run.first; i < run.end; ++i) {
        examine(task_.order[i]);
      }
    }
  }

  const std::vector<Facts> &facts() const { return facts_; }

private:
  // Whether the bodies' spheres settle every pair of the run in the whole block.
  bool far_apart(const Run &run) const {
    double most = 0.0; // clearance that some pair of the run would still want to know
    for (std::size_t i = run.first; task_.clearance && i < run.end; ++i) {
      most = std::max(most, facts_[task_.order[i]].clearance);
    }
    const std::size_t a = run.balls[0], b = run.balls[1];
    const double reach = task_.balls[a].reach + task_.balls[b].reach;
    return outlines_.within(balls_[a], balls_[b], reach + most) == 0;
  }

  void examine(std::size_t pair) {
    const std::size_t a = task_.pairs.index(pair, 0), b = task_.pairs.index(pair, 1);
    const double margin = task_.clearance ? facts_[pair].clearance : 0.0;
    if (task_.groups != nullptr) {
      met_ = task_.groups[pair] == group_ ? met_ : 0;
      group_ = task_.groups[pair];
    }
    const Mask asked = task_.groups != nullptr ? ~met_ : ~Mask{0};
    outlines_.each_near(a, b, asked, margin,
                        [&](std::size_t i, bool overlaps) { look(pair, i, overlaps); });
  }

  // One configuration of the block in which the outlines don't show that the pair is apart.
  void look(std::size_t pair, std::size_t i, bool overlaps) {
    Facts &found = facts_[pair];
    const auto at = static_cast<std::int64_t>(first_ + i);
    if (overlaps || overlap(exact(pair, 0, i), exact(pair, 1, i), 0.0)) {
      merge(found, {1, at, 0.0, infinity, -1, -1});
      met_ |= Mask{1} << i;
      if (task_.depth) {
        measure_depth(found, exact(pair, 0, i), exact(pair, 1, i), at);
      }
    } else if (task_.clearance) {
      measure_clearance(found, exact(pair, 0, i), exact(pair, 1, i), at);
    }
  }

  const Placed &exact(std::size_t pair, std::size_t side, std::size_t i) {
    return outlines_.exact(task_.pairs.index(pair, side), i);
  }

  static void measure_depth(Facts &found, const Placed &a, const Placed &b, std::int64_t at) {
    if (-spheres_gap(a, b) >= found.deepest) {
      std::size_t capped = 0;
      const double depth = std::max(0.0, -distance(a, b, capped).distance);
      merge(found, {0, -1, depth, infinity, at, -1});
    }
  }

  static void measure_clearance(Facts &found, const Placed &a, const Placed &b, std::int64_t at) {
    if (spheres_gap(a, b) <= found.clearance) {
      const double gap = std::max(0.0, clearance(a, b, found.clearance));
      merge(found, {0, -1, 0.0, gap, -1, at});
    }
  }

  const Task &task_;
  Outlines outlines_;
  std::vector<std::size_t> balls_; // the points of their centres
  std::size_t first_ = 0;          // configuration of the block
  std::int32_t group_ = 0;         // of the last pair examined
  Mask met_ = 0;                   // configurations of the block in which the group overlaps
  std::vector<Facts> facts_;
};

// The sphere about the middle of the box around the shapes' spheres.
Ball ball_around(const Task &task, std::int32_t body) {
  Vec low{infinity, infinity, infinity}, high = -low;
  Ball ball{body, {}, 0.0};
  const auto each = [&](const auto &visit) {
    for (const std::size_t g : task.used) {
      if (task.system.geoms[g].body == body) {
        const Pose<double> &pose = task.system.geoms[g].pose;
        const Shape &shape = task.shapes.items[g];
        const bool bounded = shape.type != ShapeType::half_space;
        visit(pose.p + rotate(pose.q, shape.centre), bounded ? shape.reach : infinity);
      }
    }
  };
  each([&](const Vec &centre, double reach) {
    const Vec r{reach, reach, reach};
    low = {std::min(low.x, centre.x - r.x), std::min(low.y, centre.y - r.y),
           std::min(low.z, centre.z - r.z)};
    high = {std::max(high.x, centre.x + r.x), std::max(high.y, centre.y + r.y),
            std::max(high.z, centre.z + r.z)};
  });
  const Vec middle = scaled(0.5, low + high);
  if (std::isfinite(squared(middle))) {
    ball.centre = middle;
  }
  each([&](const Vec &centre, double reach) {
    ball.reach = std::max(ball.reach, length(centre - ball.centre) + reach);
  });
  return ball;
}

std::pair<std::int32_t, std::int32_t> bodies(const Task &task, std::size_t pair) {
  return std::minmax(task.system.geoms[task.pairs.index(pair, 0)].body,
                     task.system.geoms[task.pairs.index(pair, 1)].body);
}

// Groups stay together as they are.
void put_in_order(Task &task) {
  task.order.resize(task.pairs.count);
  std::iota(task.order.begin(), task.order.end(), std::size_t{0});
  if (task.groups == nullptr) {
    std::stable_sort(task.order.begin(), task.order.end(), [&](std::size_t i, std::size_t j) {
      return bodies(task, i) < bodies(task, j);
    });
  }
}

void add_runs(Task &task) {
  std::vector<std::size_t> ball_of(task.system.bodies.size() + 1, task.balls.max_size());
  const auto ball = [&](std::int32_t body) {
    std::size_t &found = ball_of[static_cast<std::size_t>(body + 1)];
    if (found == task.balls.max_size()) {
      found = task.balls.size();
      task.balls.push_back(ball_around(task, body));
    }
    return found;
  };
  for (std::size_t i = 0; i < task.pairs.count; ++i) {
    const auto [a, b] = bodies(task, task.order[i]);
    const std::size_t balls[2] = {ball(a), ball(b)};
    if (task.runs.empty() || !std::equal(balls, balls + 2, task.runs.back().balls)) {
      task.runs.push_back({i, i, {balls[0], balls[1]}});
    }
    ++task.runs.back().end;
  }
}

void write(const std::vector<Facts> &facts, const SweepRows &rows) {
  for (std::size_t i = 0; i < facts.size(); ++i) {
    rows.hits[i] = facts[i].hits;
    rows.first_hit[i] = facts[i].first_hit;
    if (rows.deepest != nullptr) {
      rows.deepest[i] = facts[i].deepest;
      rows.deepest_at[i] = facts[i].deepest_at;
    }
    if (rows.clearance != nullptr) {
      rows.clearance[i] = facts[i].clearance;
      rows.clearance_at[i] = facts[i].clearance_at;
    }
  }
}

} // namespace

void sweep(const System &system, const Shapes &shapes, const double *q, std::size_t count,
           const PairList &pairs, Groups groups, std::size_t threads, const SweepRows &rows) {
  Task task{system, shapes, q, count, pairs, groups, rows.deepest != nullptr,
            rows.clearance != nullptr, {}, named(pairs), {}, {}};
  put_in_order(task);
  add_runs(task);
  const std::size_t blocks = (count + block - 1) / block;
  const std::size_t workers = std::max<std::size_t>(1, std::min(threads, blocks));
  std::vector<Worker> crew(workers, Worker(task));
  std::atomic<std::size_t> next{0};
  const auto work = [&](std::size_t which) {
    for (std::size_t i = next++; i < blocks; i = next++) {
      crew[which].run(i * block);
    }
  };
  std::vector<std::thread> running;
  try {
    for (std::size_t i = 1; i < workers; ++i) {
      running.emplace_back(work, i);
    }
  } catch (const std::system_error &) {
    // No more threads to be had: those there are do the work.
  }
  work(0);
  for (std::thread &thread : running) {
    thread.join();
  }
  std::vector<Facts> facts = crew[0].facts();
  for (std::size_t i = 1; i < workers; ++i) {
    for (std::size_t p = 0; p < facts.size(); ++p) {
      merge(facts[p], crew[i].facts()[p]);
    }
  }
  write(facts, rows);
}

} // namespace phyzctl
