#include "contacts.hpp"

#include <algorithm>
#include <cmath>

#include "contact_shapes.hpp"
#include "contact_touches.hpp"

namespace phyzctl {
namespace {

constexpr double slack = 1e-9; // so that rounding culls no contact
constexpr std::size_t worth_a_look = 3; // pairs, to leave them out at once

// One state.
class Finder {
public:
  Finder(const ContactWorld &world, const Pose<double> *bodies, ContactWork &work)
      : world_(world), bodies_(bodies), work_(work) {}

  void run() {
    work_.contacts.clear();
    std::fill(work_.ready.begin(), work_.ready.end(), char{0});
    for (std::size_t i = 0; i < world_.clusters.size(); ++i) {
      const Cluster &cluster = world_.clusters[i];
      if (cluster.body >= 0) {
        const Pose<double> &pose = bodies_[cluster.body];
        work_.cluster_centres[i] = pose.p + rotate(pose.q, cluster.centre);
      }
    }
    for (std::size_t tree = 0; tree < world_.trees.size(); ++tree) {
      work_.trees[tree] = ball_around(world_.trees[tree], world_, work_.cluster_centres);
    }
    for (const Leap &leap : world_.leaps) {
      for (std::size_t g = far(leap) ? leap.end : leap.first; g < leap.end; ++g) {
        if (near(world_.groups[g])) {
          look(world_.groups[g]);
        }
      }
    }
  }

private:
  // Whether none of its groups can be near; not asked of those of one group.
  bool far(const Leap &leap) const {
    if (leap.end - leap.first == 1) {
      return false;
    }
    const auto single = static_cast<std::size_t>(leap.single);
    const ContactBall ball = leap.tree < 0 ? ContactBall{leap.centre, leap.reach}
                                           : work_.trees[static_cast<std::size_t>(leap.tree)];
    const double most = world_.clusters[single].reach + ball.reach + leap.room + slack;
    return squared(work_.cluster_centres[single] - ball.centre) > most * most;
  }

  // How far a ball is above a half-space of the world, at most.
  bool above(std::int32_t plane, const Vec &centre, double reach) const {
    const Placed &placed = work_.placed[static_cast<std::size_t>(plane)];
    return dot(column(placed.rotation, 2), centre - placed.position) > reach + slack;
  }

  bool near(const PairGroup &group) const {
    const auto i = static_cast<std::size_t>(group.clusters[0]),
               j = static_cast<std::size_t>(group.clusters[1]);
    const Cluster &a = world_.clusters[i], &b = world_.clusters[j];
    const Vec &centre_a = work_.cluster_centres[i], &centre_b = work_.cluster_centres[j];
    if (a.plane >= 0 || b.plane >= 0) {
      return a.plane >= 0 ? !above(a.plane, centre_b, b.reach + group.room)
                          : !above(b.plane, centre_a, a.reach + group.room);
    }
    const double far = a.reach + b.reach + group.room + slack;
    return !(squared(centre_a - centre_b) > far * far) &&
           !(a.solid >= 0 && beside(a.solid, centre_b, b.reach + group.room)) &&
           !(b.solid >= 0 && beside(b.solid, centre_a, a.reach + group.room));
  }

  // Whether a ball is outside of the box around a geom, which may be far from filling its own ball.
  bool beside(std::int32_t geom, const Vec &centre, double reach) const {
    const Placed &placed = work_.placed[static_cast<std::size_t>(geom)];
    const Vec at = back(placed.rotation, centre - placed.position) - placed.shape->centre;
    const Vec &half = placed.shape->half;
    const Vec out{std::max(0.0, std::fabs(at.x) - half.x), std::max(0.0, std::fabs(at.y) - half.y),
                  std::max(0.0, std::fabs(at.z) - half.z)};
    const double far = reach + slack;
    return squared(out) > far * far;
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
  bool far(const PairRun &run, double room) const {
    const auto cluster = static_cast<std::size_t>(run.cluster);
    const auto geom = static_cast<std::size_t>(run.geom);
    const double most = work_.placed[geom].shape->reach + world_.clusters[cluster].reach + room + slack;
    return squared(work_.centres[geom] - work_.cluster_centres[cluster]) > most * most;
  }

  void look(const PairGroup &group) {
    ready(world_.clusters[static_cast<std::size_t>(group.clusters[0])].body);
    ready(world_.clusters[static_cast<std::size_t>(group.clusters[1])].body);
    for (std::size_t i = group.first; i < group.end;) {
      const PairRun &run = world_.runs[i];
      if (run.cluster >= 0 && run.end - i >= worth_a_look && far(run, group.room)) {
        i = run.end;
        continue;
      }
      for (; i < run.end; ++i) {
        look(i);
      }
    }
  }

  void look(std::size_t i) {
    const ContactPair &pair = world_.pairs[i];
    const auto g = static_cast<std::size_t>(pair.geoms[0]),
               h = static_cast<std::size_t>(pair.geoms[1]);
    const Placed &a = work_.placed[g], &b = work_.placed[h];
    const double limit = pair.law.room();
    if (a.shape->type == ShapeType::half_space) {
      if (dot(column(a.rotation, 2), work_.centres[h] - a.position) >
          b.shape->reach + limit + slack) {
        return;
      }
    } else {
      const double far = a.shape->reach + b.shape->reach + limit + slack;
      if (squared(work_.centres[g] - work_.centres[h]) > far * far ||
          beside(pair.geoms[0], work_.centres[h], b.shape->reach + limit) ||
          beside(pair.geoms[1], work_.centres[g], a.shape->reach + limit)) {
        return;
      }
    }
    Touches out(work_.contacts, static_cast<std::int32_t>(i), limit);
    meet(pair, a, b, out);
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
};

} // namespace

ContactWork::ContactWork(const ContactWorld &world)
    : centres(world.geoms.size()), cluster_centres(world.clusters.size()),
      trees(world.trees.size()), ready(world.system.bodies.size()) {
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
