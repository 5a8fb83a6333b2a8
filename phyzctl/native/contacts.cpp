#include "contacts.hpp"

#include <algorithm>
#include <cmath>

#include "contact_shapes.hpp"
#include "contact_touches.hpp"
#include "narrowphase.hpp"

namespace phyzctl {
namespace {

constexpr double slack = 1e-9; // so that rounding culls no contact
constexpr double blur = 1e-6;  // of distances that are searched for
constexpr std::size_t worth_a_look = 3; // pairs, to leave them out at once
constexpr double rest = 32.0; // moves like the last one that a pair should be left out for

// By how much the length, given its square, is beyond `reach`; zero where it is not.
double beyond(double square, double reach) {
  const double most = reach + slack;
  return square > most * most ? std::sqrt(square) - most : 0.0;
}

// One state. Gaps are how far things are apart at least, beyond what makes contacts; zero where
// they may be near.
class Finder {
public:
  Finder(const ContactWorld &world, const Pose<double> *bodies, ContactWork &work)
      : world_(world), bodies_(bodies), work_(work), travel_(work.travel) {}

  void run() {
    work_.contacts.clear();
    for (std::size_t i = 0; i < world_.clusters.size(); ++i) {
      const Cluster &cluster = world_.clusters[i];
      if (cluster.body >= 0) {
        const Pose<double> &pose = bodies_[cluster.body];
        work_.cluster_centres[i] = pose.p + rotate(pose.q, cluster.centre);
      }
    }
    travel_.move(world_, bodies_, work_.cluster_centres);
    std::fill(work_.ready.begin(), work_.ready.end(), char{0});
    std::fill(work_.found.begin(), work_.found.end(), char{0});
    for (std::size_t i = 0; i < world_.leaps.size(); ++i) {
      if (!later(travel_.leaps[i])) {
        travel_.leaps[i] = look(world_.leaps[i]);
      }
    }
  }

private:
  // Whether something can be left out that is due then.
  bool later(double due) const { return due > travel_.way(); }

  // When it may have contacts, which are found where they may be now.
  double look(const Leap &leap) {
    const double apart = gap(leap);
    if (apart > 0.0) {
      return travel_.due(apart, leap.sides);
    }
    double due = infinity;
    for (std::size_t g = leap.first; g < leap.end; ++g) {
      if (!later(travel_.groups[g])) {
        travel_.groups[g] = look(world_.groups[g]);
      }
      due = std::min(due, travel_.groups[g]);
    }
    return due;
  }

  double look(const PairGroup &group) {
    const double apart = gap(group);
    if (apart > 0.0) {
      return travel_.due(apart, group.sides);
    }
    double due = infinity;
    for (std::size_t i = group.first; i < group.end; ++i) {
      if (!later(travel_.pairs[i])) {
        look(i, group);
      }
      due = std::min(due, travel_.pairs[i]);
    }
    return due;
  }

  // Of all its groups; not asked of one group.
  double gap(const Leap &leap) {
    if (leap.end - leap.first == 1) {
      return 0.0;
    }
    const auto single = static_cast<std::size_t>(leap.single);
    const ContactBall ball =
        leap.tree < 0 ? ContactBall{leap.centre, leap.reach} : ball_of(leap.tree);
    return beyond(squared(work_.cluster_centres[single] - ball.centre),
                  world_.clusters[single].reach + ball.reach + leap.room);
  }

  const ContactBall &ball_of(std::int32_t number) {
    const auto tree = static_cast<std::size_t>(number);
    if (work_.found[tree] == 0) {
      work_.found[tree] = 1;
      work_.trees[tree] = ball_around(world_.trees[tree], world_, work_.cluster_centres);
    }
    return work_.trees[tree];
  }

  // How far a ball is above a half-space.
  double above(std::int32_t plane, const Vec &centre, double reach) const {
    const Placed &placed = work_.placed[static_cast<std::size_t>(plane)];
    const double height = dot(column(placed.rotation, 2), centre - placed.position);
    return height > reach + slack ? height - reach - slack : 0.0;
  }

  double gap(const PairGroup &group) const {
    const auto i = static_cast<std::size_t>(group.clusters[0]),
               j = static_cast<std::size_t>(group.clusters[1]);
    const Cluster &a = world_.clusters[i], &b = world_.clusters[j];
    const Vec &centre_a = work_.cluster_centres[i], &centre_b = work_.cluster_centres[j];
    if (a.plane >= 0 || b.plane >= 0) {
      return a.plane >= 0 ? above(a.plane, centre_b, b.reach + group.room)
                          : above(b.plane, centre_a, a.reach + group.room);
    }
    const double apart =
        beyond(squared(centre_a - centre_b), a.reach + b.reach + group.room);
    if (apart > 0.0) {
      return apart;
    }
    return a.solid >= 0   ? beside(a.solid, centre_b, b.reach + group.room)
           : b.solid >= 0 ? beside(b.solid, centre_a, a.reach + group.room)
                          : 0.0;
  }

  // How far a ball is from the box around a geom, which may be far from filling its own ball.
  double beside(std::int32_t geom, const Vec &centre, double reach) const {
    const Placed &placed = work_.placed[static_cast<std::size_t>(geom)];
    const Vec at = back(placed.rotation, centre - placed.position) - placed.shape->centre;
    const Vec &half = placed.shape->half;
    const Vec out{std::max(0.0, std::fabs(at.x) - half.x), std::max(0.0, std::fabs(at.y) - half.y),
                  std::max(0.0, std::fabs(at.z) - half.z)};
    return beyond(squared(out), reach);
  }

  // Place the geoms of a body.
  void ready(std::int32_t body) {
    if (body < 0 || work_.ready[static_cast<std::size_t>(body)] != 0) {
      return;
    }
    work_.ready[static_cast<std::size_t>(body)] = 1;
    const Pose<double> &pose = bodies_[body];
    const Mat3 r = matrix(pose.q);
    for (const std::int32_t index : world_.body_geoms[static_cast<std::size_t>(body)]) {
      const auto g = static_cast<std::size_t>(index);
      const ContactGeom &geom = world_.geoms[g];
      work_.placed[g].rotation = r * geom.rotation;
      work_.placed[g].position = pose.p + r * geom.position;
      work_.centres[g] = pose.p + r * geom.centre;
    }
  }

  // The same of a geom and a cluster.
  double gap(const PairRun &run, double room) const {
    const auto cluster = static_cast<std::size_t>(run.cluster);
    const auto geom = static_cast<std::size_t>(run.geom);
    return beyond(squared(work_.centres[geom] - work_.cluster_centres[cluster]),
                  work_.placed[geom].shape->reach + world_.clusters[cluster].reach + room);
  }

  // One pair, or several that can be left out with it.
  void look(std::size_t i, const PairGroup &group) {
    const ContactPair &pair = world_.pairs[i];
    ready(pair.bodies[0]);
    ready(pair.bodies[1]);
    const PairRun &run = world_.runs[i];
    if (run.cluster >= 0 && run.end - i >= worth_a_look) {
      const double apart = gap(run, group.room);
      if (apart > 0.0) {
        std::fill(travel_.pairs.begin() + static_cast<std::ptrdiff_t>(i),
                  travel_.pairs.begin() + static_cast<std::ptrdiff_t>(run.end),
                  travel_.due(apart, group.sides));
        return;
      }
    }
    const double apart = bounds_gap(pair);
    travel_.pairs[i] = apart > 0.0 ? travel_.due(apart, group.sides) : meet(i, group.sides);
  }

  // By the balls and boxes around both.
  double bounds_gap(const ContactPair &pair) const {
    const auto g = static_cast<std::size_t>(pair.geoms[0]),
               h = static_cast<std::size_t>(pair.geoms[1]);
    const Shape &a = *work_.placed[g].shape, &b = *work_.placed[h].shape;
    const double limit = pair.law.room();
    if (a.type == ShapeType::half_space) {
      return above(pair.geoms[0], work_.centres[h], b.reach + limit);
    }
    const Vec &centre_a = work_.centres[g], &centre_b = work_.centres[h];
    const double apart = beyond(squared(centre_a - centre_b), a.reach + b.reach + limit);
    if (apart > 0.0) {
      return apart;
    }
    return std::max(beside(pair.geoms[0], centre_b, b.reach + limit),
                    beside(pair.geoms[1], centre_a, a.reach + limit));
  }

  // The contacts of a pair; where there are none, when there may be some. That is worth a search
  // only now and then while it leads to no rest.
  double meet(std::size_t i, double sides) {
    const ContactPair &pair = world_.pairs[i];
    const Placed &a = work_.placed[static_cast<std::size_t>(pair.geoms[0])],
                 &b = work_.placed[static_cast<std::size_t>(pair.geoms[1])];
    const double limit = pair.law.room();
    const std::size_t before = work_.contacts.size();
    Touches out(work_.contacts, static_cast<std::int32_t>(i), limit);
    meet(pair, a, b, out);
    if (work_.contacts.size() > before || later(travel_.questions[i])) {
      return travel_.way();
    }
    const double enough = blur + std::max(rest * sides * travel_.last(), blur);
    travel_.questions[i] = travel_.way() + rest * travel_.last();
    const double apart = std::min(clearance(a, b, limit + enough) - limit, enough) - blur;
    return apart > 0.0 ? travel_.due(apart, sides) : travel_.way();
  }

  void meet(const ContactPair &pair, const Placed &a, const Placed &b, Touches &out) {
    const ShapeType first = a.shape->type, second = b.shape->type;
    if (first == ShapeType::half_space) {
      meet_half_space(a, b, world_.faces_of(pair.geoms[1]), out);
    } else if (second <= ShapeType::capsule ||
               (first == ShapeType::sphere &&
                (second == ShapeType::cylinder || second == ShapeType::box))) {
      meet_round(a, b, out);
    } else if (first == ShapeType::capsule && second == ShapeType::box) {
      meet_capsule_and_box(a, b, out);
    } else if (first == ShapeType::box && second == ShapeType::box) {
      meet_boxes(a, b, out);
    } else {
      const PolygonRoom polygons{work_.polygons[0].data(), work_.polygons[1].data(),
                                 work_.polygons[2].data(), work_.polygons[3].data()};
      meet_convex({a, world_.faces_of(pair.geoms[0])}, {b, world_.faces_of(pair.geoms[1])},
                  world_.manifolds, polygons, work_.capped, out);
    }
  }

  const ContactWorld &world_;
  const Pose<double> *bodies_;
  ContactWork &work_;
  ContactTravel &travel_;
};

} // namespace

ContactWork::ContactWork(const ContactWorld &world)
    : centres(world.geoms.size()), cluster_centres(world.clusters.size()),
      trees(world.trees.size()), ready(world.system.bodies.size()), found(world.trees.size()),
      travel(world) {
  contacts.reserve(std::min<std::size_t>(8 * world.pairs.size(), 256));
  placed.resize(world.geoms.size());
  for (std::size_t g = 0; g < world.geoms.size(); ++g) {
    const ContactGeom &geom = world.geoms[g];
    placed[g] = {&world.shapes.items[g], geom.rotation, geom.position};
    centres[g] = geom.centre;
  }
  for (std::size_t i = 0; i < world.clusters.size(); ++i) {
    cluster_centres[i] = world.clusters[i].centre;
  }
  for (std::vector<Vec> &polygon : polygons) {
    polygon.resize(2 * world.most_corners);
  }
}

void find_contacts(const ContactWorld &world, const Pose<double> *bodies, ContactWork &work) {
  Finder(world, bodies, work).run();
}

} // namespace phyzctl
