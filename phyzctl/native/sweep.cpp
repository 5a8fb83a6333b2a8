// Configurations are taken in blocks. In a block, spheres around the shapes of a pair are compared
// for all configurations at once; what is left is answered pair by pair. What a pair has met so
// far tells when depth and clearance need not be looked at; that only spares time, so blocks can
// go to any thread in any order.
#include "sweep.hpp"

#include <atomic>
#include <system_error>
#include <thread>
#include <vector>

#include "kinematics.hpp"
#include "narrowphase.hpp"

namespace phyzctl {
namespace {

constexpr std::size_t block = 16; // at most the bits of Worker::met_
constexpr double slack = 1e-9; // [m] that bounds may be off by rounding

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

struct Task {
  const System &system;
  const Shapes &shapes;
  const double *q;
  std::size_t count;
  const PairList &pairs;
  Groups groups;
  bool depth, clearance;
  std::vector<std::size_t> used; // geoms that some pair names
};

// Centres of bounding spheres, one lane a configuration of the block.
constexpr std::size_t packs = block / lanes;
struct Centre {
  Pack x[packs], y[packs], z[packs];
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
        placed_(block * task.system.geoms.size()), facts_(task.pairs.count) {}

  void run(std::size_t first) {
    first_ = first;
    size_ = std::min(block, task_.count - first);
    for (std::size_t i = 0; i < size_; i += lanes) {
      const double *q = task_.q + (first + i) * task_.system.position_count;
      place_bodies(task_.system, q, std::min(lanes, size_ - i), bodies_.data());
      for (const std::size_t g : task_.used) {
        place_shape(g, i);
      }
    }
    for (std::size_t i = 0; i < task_.pairs.count; ++i) {
      examine(i);
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
    Centre &centre = centres_[g];
    centre.x[first / lanes] = pose.p.x + turn.xx * c.x + turn.xy * c.y + turn.xz * c.z;
    centre.y[first / lanes] = pose.p.y + turn.yx * c.x + turn.yy * c.y + turn.yz * c.z;
    centre.z[first / lanes] = pose.p.z + turn.zx * c.x + turn.zy * c.y + turn.zz * c.z;
  }

  void examine(std::size_t pair) {
    const auto a = static_cast<std::size_t>(task_.pairs.items[2 * pair]);
    const auto b = static_cast<std::size_t>(task_.pairs.items[2 * pair + 1]);
    const Shape &first = task_.shapes.items[a], &second = task_.shapes.items[b];
    const bool bounded =
        first.type != ShapeType::half_space && second.type != ShapeType::half_space;
    const double reach = bounded ? first.reach + second.reach + slack : infinity;
    if (task_.groups == nullptr || pair == 0 || task_.groups[pair] != task_.groups[pair - 1]) {
      met_ = 0;
    }
    const double far = reach + (task_.clearance ? facts_[pair].clearance : 0.0);
    Pack apart[packs], least = infinity + Pack{}; // squared, centre from centre
    for (std::size_t i = 0; i < packs; ++i) {
      const Pack x = centres_[a].x[i] - centres_[b].x[i], y = centres_[a].y[i] - centres_[b].y[i],
                 z = centres_[a].z[i] - centres_[b].z[i];
      apart[i] = x * x + y * y + z * z;
      least = apart[i] < least ? apart[i] : least;
    }
    bool near = false;
    for (std::size_t i = 0; i < lanes; ++i) {
      near = near || lane(least, i) <= far * far;
    }
    for (std::size_t i = 0; near && i < size_; ++i) {
      const double distance = lane(apart[i / lanes], i % lanes);
      if (distance <= far * far && (met_ >> i & 1U) == 0) {
        look(facts_[pair], placed_[a * block + i], placed_[b * block + i],
             {first_ + i, std::sqrt(distance), reach});
      }
    }
  }

  // One configuration in which the bounding spheres don't settle the pair.
  struct Case {
    std::size_t index;
    double apart, reach; // the spheres' centres, and the sum of their radii
  };

  void look(Facts &found, const Placed &a, const Placed &b, const Case &now) {
    const auto at = static_cast<std::int64_t>(now.index);
    if (now.apart <= now.reach && overlap(a, b, 0.0)) {
      merge(found, {1, at, 0.0, infinity, -1, -1});
      if (task_.groups != nullptr) {
        met_ |= 1U << (now.index - first_);
      }
      if (task_.depth && now.reach - now.apart >= found.deepest) {
        std::size_t capped = 0;
        const double depth = std::max(0.0, -distance(a, b, capped).distance);
        merge(found, {0, -1, depth, infinity, at, -1});
      }
    } else if (task_.clearance && now.apart - now.reach <= found.clearance) {
      const double gap = std::max(0.0, clearance(a, b, found.clearance));
      merge(found, {0, -1, 0.0, gap, -1, at});
    }
  }

  const Task &task_;
  std::size_t first_ = 0, size_ = 0;
  std::uint32_t met_ = 0; // configurations of the block in which the group overlaps, one a bit
  std::vector<Pose<Pack>> bodies_;
  std::vector<Centre> centres_;
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
  const Task task{system, shapes, q, count, pairs, groups, rows.deepest != nullptr,
                  rows.clearance != nullptr, named(pairs, system.geoms.size())};
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
