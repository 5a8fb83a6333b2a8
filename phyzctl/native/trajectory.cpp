#include "trajectory.hpp"

#include <map>
#include <utility>

#include "motion.hpp"
#include "narrowphase.hpp"
#include "support.hpp"

namespace phyzctl {
namespace {

constexpr int max_steps = 20000; // of one pair between two rows
constexpr double slack = 1e-10;  // [m] for rounding

// The screws from A to B; those before `turn` are on A's branch.
struct Path {
  std::vector<std::size_t> screws;
  std::size_t turn = 0;
};

// What one shape does, screw by screw of the path, seen from a link where it stands still.
struct Sway {
  std::vector<double> speed; // greatest of any point by this screw alone
  double linear = 0.0;       // how the height grows, besides the growth along `tilt`
  double second = 0.0, third = 0.0;
  Vec tilt{};
};

Placed placed(const Shape &shape, const Pose<double> &body, const Pose<double> &geom) {
  const Pose<double> pose = body * geom;
  return {&shape, matrix(pose.q), pose.p};
}

Vec centre_of(const Placed &placed) {
  return placed.position + placed.rotation * placed.shape->centre;
}

bool bounded(const Placed &placed) { return placed.shape->type != ShapeType::half_space; }

// The greatest height along d, of any length, of a shape's points.
double top_along(const Placed &placed, const Vec &d) {
  const double at = dot(placed.position, d) + placed.shape->radius * length(d);
  const Vec local = back(placed.rotation, d);
  return bounded(placed) ? at + dot(local, support(*placed.shape, local)) : at;
}

// One pair at one time.
class Approach {
public:
  Approach(const Motion &motion, const Path &path) : motion_(motion), path_(path) {
    for (Sway &sway : sway_) {
      sway.speed.resize(path.screws.size());
    }
  }

  // How fast the two can near each other at most, with the best link standing still.
  double measure(const Placed &a, const Placed &b) {
    const std::size_t count = path_.screws.size();
    double sum = 0.0;
    for (std::size_t k = 0; k < count; ++k) {
      sway_[0].speed[k] = speed(a, screw(k));
      sway_[1].speed[k] = speed(b, screw(k));
      sum += sway_[1].speed[k];
    }
    double least = sum;
    link_ = 0;
    for (std::size_t k = 0; k < count; ++k) {
      sum += sway_[0].speed[k] - sway_[1].speed[k];
      if (bounded(a) && (sum < least || !bounded(b))) { // half-spaces must stand still
        least = sum;
        link_ = k + 1;
      }
    }
    return least;
  }

  // A step that is safe by what is seen along the direction in which they are apart.
  double step_along(const Placed &a, const Placed &b, const Vec &normal, double margin,
                    double rest) {
    tilt(sway_[0], normal, 0);
    tilt(sway_[1], -normal, 1);
    const auto room = [&](double s) {
      return -height(a, sway_[0], normal, s) - height(b, sway_[1], -normal, s) - margin - slack;
    };
    double low = 0.0, high = rest, room_low = room(0.0), room_high = room(rest);
    if (room_high >= 0.0) {
      return rest;
    }
    if (!(room_low > 0.0)) {
      return 0.0;
    }
    for (int i = 0; i < 6; ++i) { // concave: the chord's root is on the safe side
      const double chord = low + (high - low) * (room_low / (room_low - room_high));
      const double room_chord = room(chord);
      if (!(room_chord > 0.0) || chord <= low) {
        break;
      }
      low = chord;
      room_low = room_chord;
      if (room_low < 0.1 * contact_tolerance) {
        break;
      }
      const double middle = 0.5 * (low + high), room_middle = room(middle);
      (room_middle > 0.0 ? low : high) = middle;
      (room_middle > 0.0 ? room_low : room_high) = room_middle;
    }
    return low;
  }

private:
  const Screw &screw(std::size_t k) const { return motion_.screw(path_.screws[k]); }

  static double speed(const Placed &placed, const Screw &screw) {
    const double rate = std::fabs(screw.rate);
    if (rate == 0.0 || screw.slides || !bounded(placed)) {
      return rate;
    }
    const double lever = length(cross(screw.axis, centre_of(placed) - screw.anchor));
    return rate * (lever + placed.shape->reach);
  }

  // First and second order of a side's height along n, in the frame of the link that stands still.
  void tilt(Sway &sway, const Vec &n, std::size_t side) const {
    sway.linear = sway.second = sway.third = 0.0;
    sway.tilt = {0.0, 0.0, 0.0};
    const std::size_t count = side == 0 ? link_ : path_.screws.size() - link_;
    double outside = 0.0;
    for (std::size_t i = 0; i < count; ++i) {
      outside += sway.speed[side == 0 ? i : link_ + i];
    }
    double turns = 0.0; // inside of the screw
    for (std::size_t i = 0; i < count; ++i) {
      const std::size_t k = side == 0 ? link_ - 1 - i : link_ + i;
      const Screw &each = screw(k);
      const double rate = (k < path_.turn) == (side == 0) ? each.rate : -each.rate;
      const double size = std::fabs(rate);
      outside -= sway.speed[k];
      if (each.slides) {
        sway.linear += rate * dot(n, each.axis);
        sway.second += size * turns;
        continue;
      }
      const Vec across = scaled(rate, cross(n, each.axis));
      sway.tilt = sway.tilt + across;
      sway.linear -= dot(across, each.anchor);
      sway.second += sway.speed[k] * (0.5 * size + turns);
      sway.third += std::max(outside, 0.0) * size * (0.5 * size + turns);
      turns += size;
    }
  }

  static double height(const Placed &placed, const Sway &sway, const Vec &n, double s) {
    return top_along(placed, n + scaled(s, sway.tilt)) + s * sway.linear +
           s * s * (sway.second + s * sway.third);
  }

  const Motion &motion_;
  const Path &path_;
  std::size_t link_ = 0;
  Sway sway_[2];
};

// How far a pair has come, from 0 to 1, without touching; or where it does.
struct Stage {
  double time = 0.0;
  bool touches = false;
};

class Follower {
public:
  Follower(const System &system, const Shapes &shapes, const PairList &pairs, double margin)
      : system_(system), shapes_(shapes), pairs_(pairs), margin_(margin), motion_(system) {
    for (std::size_t i = 0; i < pairs.count; ++i) {
      const std::pair<std::int32_t, std::int32_t> bodies{geom(i, 0).body, geom(i, 1).body};
      const auto known = numbers_.emplace(bodies, paths_.size());
      if (known.second) {
        paths_.push_back(path(bodies.first, bodies.second));
      }
      path_of_.push_back(known.first->second);
    }
    at_.resize(pairs.count);
    for (const Path &each : paths_) {
      approaches_.emplace_back(motion_, each);
    }
  }

  // From one row to the next. First all pairs make one step from where the bodies are placed once.
  void run(const double *from, const double *to, double start, double *time) {
    motion_.between(from, to);
    for (std::size_t i = 0; i < pairs_.count; ++i) {
      at_[i] = time[i] < 0.0 ? advance(i, 0.0) : Stage{1.0, false};
    }
    for (std::size_t i = 0; i < pairs_.count; ++i) {
      for (int step = 0; at_[i].time < 1.0 && !at_[i].touches; ++step) {
        at_[i] = advance(i, at_[i].time);
        if (step == max_steps) {
          at_[i].touches = true;
          ++capped_;
        }
      }
      if (at_[i].touches) {
        time[i] = start + at_[i].time;
      }
    }
  }

  std::size_t capped() const { return capped_; }

private:
  const Geom &geom(std::size_t pair, std::size_t side) const {
    return system_.geoms[static_cast<std::size_t>(pairs_.items[2 * pair + side])];
  }

  Path path(std::int32_t a, std::int32_t b) const {
    std::vector<std::size_t> first = motion_.screws_above(a), second = motion_.screws_above(b);
    std::size_t shared = 0;
    while (shared < std::min(first.size(), second.size()) && first[shared] == second[shared]) {
      ++shared;
    }
    const auto skip = static_cast<std::ptrdiff_t>(shared);
    Path found{{first.rbegin(), first.rend() - skip}, first.size() - shared};
    found.screws.insert(found.screws.end(), second.begin() + skip, second.end());
    return found;
  }

  Placed place(std::size_t pair, std::size_t side) {
    const Geom &each = geom(pair, side);
    const auto index = static_cast<std::size_t>(pairs_.items[2 * pair + side]);
    return placed(shapes_.items[index], motion_.body(each.body), each.pose);
  }

  Stage advance(std::size_t pair, double t) {
    motion_.go_to(t);
    const Placed a = place(pair, 0), b = place(pair, 1);
    Approach &approach = approaches_[path_of_[pair]];
    const double rest = 1.0 - t, speed = approach.measure(a, b);
    const auto step = [&](double room) { return speed * rest <= room ? rest : room / speed; };
    if (bounded(a) && bounded(b)) { // far away, the spheres around them tell enough
      const double room = length(centre_of(b) - centre_of(a)) - a.shape->reach - b.shape->reach -
                          margin_ - slack;
      if (room > 0.0 && step(room) >= rest) {
        return {1.0, false};
      }
    }
    const Separation found = distance(a, b, gjk_capped_);
    const double room = found.distance - margin_;
    if (room <= contact_tolerance) {
      return {t, true};
    }
    double sure = step(room);
    if (sure < rest) {
      sure = std::max(sure, approach.step_along(a, b, found.normal, margin_, rest));
    }
    return {sure >= rest ? 1.0 : t + sure, false};
  }

  const System &system_;
  const Shapes &shapes_;
  const PairList &pairs_;
  double margin_;
  Motion motion_;
  std::map<std::pair<std::int32_t, std::int32_t>, std::size_t> numbers_;
  std::vector<Path> paths_;
  std::vector<Approach> approaches_;
  std::vector<std::size_t> path_of_;
  std::vector<Stage> at_;
  std::size_t capped_ = 0, gjk_capped_ = 0;
};

} // namespace

std::size_t first_contacts(const System &system, const Shapes &shapes, const double *q,
                           std::size_t count, const PairList &pairs, double margin, double *time) {
  std::fill_n(time, pairs.count, -1.0);
  Follower follower(system, shapes, pairs, margin);
  for (std::size_t row = 0; row < count; ++row) {
    // From the last row it goes nowhere; it is only looked at.
    const double *from = q + row * system.position_count;
    const double *to = row + 1 < count ? from + system.position_count : from;
    follower.run(from, to, static_cast<double>(row), time);
  }
  return follower.capped();
}

} // namespace phyzctl
