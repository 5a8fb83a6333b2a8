// Configurations are taken in blocks. In a block, spheres around bodies, then around the shapes of
// a pair, are compared for all configurations at once; what is left is answered pair by pair. What
// a pair has met so far tells when depth and clearance need not be looked at; that only spares
// time, so blocks can go to any thread in any order.
#include "sweep.hpp"

#include <atomic>
#include <system_error>
#include <thread>
#include <vector>

#include "cull.hpp"
#include "kinematics.hpp"
#include "narrowphase.hpp"

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
  std::vector<std::size_t> used; // geoms that some pair names
  std::vector<Ball> balls;
  std::vector<Run> runs;
};

// The rotation matrix of unit quaternions, lane by lane as `matrix` has it.
struct Turn {
  Pack xx, xy, xz, yx, yy, yz, zx, zy, zz;

  explicit Turn(const Quat<Pack> &q)
      : xx(1.0 - 2.0 * (q.y * q.y + q.z * q.z)), xy(2.0 * (q.x * q.y - q.w * q.z)),
        xz(2.0 * (q.x * q.z + q.w * q.y)), yx(2.0 * (q.x * q.y + q.w * q.z)),
        yy(1.0 - 2.0 * (q.x * q.x + q.z * q.z)), yz(2.0 * (q.y * q.z - q.w * q.x)),
        zx(2.0 * (q.x * q.z - q.w * q.y)), zy(2.0 * (q.y * q.z + q.w * q.x)),
        zz(1.0 - 2.0 * (q.x * q.x + q.y * q.y)) {}

  Mat3 of(std::size_t i) const {
    return {{lane(xx, i), lane(xy, i), lane(xz, i)},
            {lane(yx, i), lane(yy, i), lane(yz, i)},
            {lane(zx, i), lane(zy, i), lane(zz, i)}};
  }
};

class Worker {
public:
  explicit Worker(const Task &task)
      : task_(task), bodies_(task.system.bodies.size()), centres_(task.system.geoms.size()),
        balls_(task.balls.size()), placed_(block * task.system.geoms.size()),
        facts_(task.pairs.count) {}

  void run(std::size_t first) {
    first_ = first;
    size_ = std::min(block, task_.count - first);
    for (std::size_t i = 0; i < size_; i += lanes) {
      const double *q = task_.q + (first + i) * task_.system.position_count;
      place_bodies(task_.system, q, std::min(lanes, size_ - i), bodies_.data());
      for (const std::size_t g : task_.used) {
        place_shape(g, i);
      }
      for (std::size_t b = 0; b < balls_.size(); ++b) {
        place_ball(b, i);
      }
    }
    met_ = 0;
    slack_ = rounding_of_centres();
    for (const Run &run : task_.runs) {
      if (run.end - run.first >= worth_a_look && far_apart(run)) {
        continue;
      }
      for (std::size_t i = run.first; i < run.end; ++i) {
        examine(i);
      }
    }
  }

  const std::vector<Facts> &facts() const { return facts_; }

private:
  void place_shape(std::size_t g, std::size_t first) {
    const Shape &shape = task_.shapes.items[g];
    const Pose<Pack> pose = place_geom(task_.system.geoms[g], bodies_.data());
    const Turn turn(pose.q);
    for (std::size_t i = 0; i < lanes; ++i) {
      const Vec position{lane(pose.p.x, i), lane(pose.p.y, i), lane(pose.p.z, i)};
      placed_[g * block + first + i] = {&shape, turn.of(i), position};
    }
    const Vec &c = shape.centre;
    set(centres_[g], first,
        {pose.p.x + turn.xx * c.x + turn.xy * c.y + turn.xz * c.z,
         pose.p.y + turn.yx * c.x + turn.yy * c.y + turn.yz * c.z,
         pose.p.z + turn.zx * c.x + turn.zy * c.y + turn.zz * c.z});
  }

  double rounding_of_centres() const {
    float most = 0.0F;
    for (const std::size_t g : task_.used) {
      most = std::max(most, centres_[g].largest());
    }
    for (const Centres &ball : balls_) {
      most = std::max(most, ball.largest());
    }
    return rounding(most);
  }

  void place_ball(std::size_t which, std::size_t first) {
    const Ball &ball = task_.balls[which];
    Vec3<Pack> at{Pack{} + ball.centre.x, Pack{} + ball.centre.y, Pack{} + ball.centre.z};
    if (ball.body >= 0) {
      const Pose<Pack> &pose = bodies_[static_cast<std::size_t>(ball.body)];
      at = pose.p + rotate(pose.q, at);
    }
    set(balls_[which], first, at);
  }

  static void set(Centres &centres, std::size_t first, const Vec3<Pack> &at) {
    for (std::size_t i = 0; i < lanes; ++i) {
      centres.set(first + i, lane(at.x, i), lane(at.y, i), lane(at.z, i));
    }
  }

  // Whether the bodies' spheres settle every pair of the run in the whole block.
  bool far_apart(const Run &run) const {
    double most = 0.0; // clearance that some pair of the run would still want to know
    for (std::size_t i = run.first; task_.clearance && i < run.end; ++i) {
      most = std::max(most, facts_[i].clearance);
    }
    const double reach = task_.balls[run.balls[0]].reach + task_.balls[run.balls[1]].reach;
    return within(balls_[run.balls[0]], balls_[run.balls[1]], reach + most + slack_) == 0;
  }

  void examine(std::size_t pair) {
    const auto a = static_cast<std::size_t>(task_.pairs.items[2 * pair]);
    const auto b = static_cast<std::size_t>(task_.pairs.items[2 * pair + 1]);
    const Shape &first = task_.shapes.items[a], &second = task_.shapes.items[b];
    const bool bounded =
        first.type != ShapeType::half_space && second.type != ShapeType::half_space;
    const double reach = bounded ? first.reach + second.reach : infinity;
    if (task_.groups == nullptr || task_.groups[pair] != group_) {
      met_ = 0;
      group_ = task_.groups == nullptr ? 0 : task_.groups[pair];
    }
    const double far = reach + slack_ + (task_.clearance ? facts_[pair].clearance : 0.0);
    Mask near = within(centres_[a], centres_[b], far) & ~met_;
    for (std::size_t i = 0; near != 0 && i < size_; ++i, near >>= 1U) {
      if ((near & 1U) != 0) {
        look(pair, placed_[a * block + i], placed_[b * block + i], first_ + i);
      }
    }
  }

  // One configuration in which the bounding spheres don't settle the pair.
  void look(std::size_t pair, const Placed &a, const Placed &b, std::size_t index) {
    Facts &found = facts_[pair];
    const auto at = static_cast<std::int64_t>(index);
    if (overlap(a, b, 0.0)) {
      merge(found, {1, at, 0.0, infinity, -1, -1});
      met_ |= task_.groups != nullptr ? Mask{1} << (index - first_) : Mask{0};
      if (task_.depth && -spheres_gap(a, b) >= found.deepest) {
        std::size_t capped = 0;
        const double depth = std::max(0.0, -distance(a, b, capped).distance);
        merge(found, {0, -1, depth, infinity, at, -1});
      }
    } else if (task_.clearance && spheres_gap(a, b) <= found.clearance) {
      const double gap = std::max(0.0, clearance(a, b, found.clearance));
      merge(found, {0, -1, 0.0, gap, -1, at});
    }
  }

  // Distance of the bounding spheres; without bounds they overlap as deep as you like.
  static double spheres_gap(const Placed &a, const Placed &b) {
    if (a.shape->type == ShapeType::half_space || b.shape->type == ShapeType::half_space) {
      return -infinity;
    }
    const Vec apart = b.position + b.rotation * b.shape->centre -
                      (a.position + a.rotation * a.shape->centre);
    return length(apart) - a.shape->reach - b.shape->reach - 1e-9;
  }

  const Task &task_;
  std::size_t first_ = 0, size_ = 0;
  std::int32_t group_ = 0; // of the last pair examined
  Mask met_ = 0;           // configurations of the block in which the group overlaps
  double slack_ = 0.0;     // that bounds may be off by rounding
  std::vector<Pose<Pack>> bodies_;
  std::vector<Centres> centres_, balls_;
  std::vector<Placed> placed_; // geom by geom, lane by lane
  std::vector<Facts> facts_;
};

std::vector<std::size_t> named(const PairList &pairs, std::size_t geom_count) {
  std::vector<bool> is_named(geom_count);
  for (std::size_t i = 0; i < 2 * pairs.count; ++i) {
    is_named[static_cast<std::size_t>(pairs.items[i])] = true;
  }
  std::vector<std::size_t> result;
  for (std::size_t g = 0; g < geom_count; ++g) {
    if (is_named[g]) {
      result.push_back(g);
    }
  }
  return result;
}

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

void add_runs(Task &task) {
  std::vector<std::size_t> ball_of(task.system.bodies.size() + 1, task.balls.max_size());
  const auto ball = [&](std::int32_t geom) {
    const std::int32_t body = task.system.geoms[static_cast<std::size_t>(geom)].body;
    std::size_t &found = ball_of[static_cast<std::size_t>(body + 1)];
    if (found == task.balls.max_size()) {
      found = task.balls.size();
      task.balls.push_back(ball_around(task, body));
    }
    return found;
  };
  for (std::size_t i = 0; i < task.pairs.count; ++i) {
    const std::size_t a = ball(task.pairs.items[2 * i]), b = ball(task.pairs.items[2 * i + 1]);
    if (task.runs.empty() || task.runs.back().balls[0] != a || task.runs.back().balls[1] != b) {
      task.runs.push_back({i, i, {a, b}});
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
            rows.clearance != nullptr, named(pairs, system.geoms.size()), {}, {}};
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
