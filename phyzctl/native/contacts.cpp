#include "contacts.hpp"

#include <algorithm>
#include <map>

#include "contact_shapes.hpp"
#include "contact_touches.hpp"

namespace phyzctl {
namespace {

constexpr double slack = 1e-9;            // so that rounding culls no contact
constexpr std::size_t law_width = 17;
constexpr std::size_t cylinder_corners = 16;

ContactLaw law(std::int32_t dimension, const double *row) {
  ContactLaw result{};
  result.dimension = dimension;
  std::copy_n(row, 5, result.friction);
  std::copy_n(row + 5, 2, result.solref);
  std::copy_n(row + 7, 2, result.solref_friction);
  std::copy_n(row + 9, 5, result.solimp);
  result.margin = row[14];
  result.gap = row[15];
  result.restitution = row[16];
  return result;
}

double room(const ContactLaw &law) { return law.margin + law.gap; }

// Fills what a ContactWorld keeps beside its pairs.
class Builder {
public:
  explicit Builder(ContactWorld &world) : world_(world) {}

  void build() {
    const std::size_t bodies = world_.system.bodies.size();
    world_.geoms.resize(world_.system.geoms.size());
    world_.body_geoms.resize(bodies + 1);
    std::vector<bool> used(world_.geoms.size());
    for (const ContactPair &pair : world_.pairs) {
      used[static_cast<std::size_t>(pair.geoms[0])] = true;
      used[static_cast<std::size_t>(pair.geoms[1])] = true;
    }
    world_.most_corners = cylinder_corners;
    for (std::size_t g = 0; g < used.size(); ++g) {
      if (used[g]) {
        add_geom(g);
      }
    }
    cluster_of_body_.assign(bodies, -1);
    cluster_of_geom_.assign(world_.geoms.size(), -1);
    for (std::size_t i = 0; i < world_.pairs.size(); ++i) {
      add_to_group(i);
    }
  }

private:
  const Shape &shape(std::size_t g) const { return world_.shapes.items[g]; }

  void add_geom(std::size_t g) {
    const Geom &geom = world_.system.geoms[g];
    const Mat3 rotation = matrix(geom.pose.q);
    const Vec centre = geom.pose.p + rotation * shape(g).centre;
    world_.geoms[g] = {rotation, geom.pose.p, centre, geom.body, faces(shape(g))};
    const std::size_t bodies = world_.system.bodies.size();
    const std::size_t list = geom.body < 0 ? bodies : static_cast<std::size_t>(geom.body);
    world_.body_geoms[list].push_back(static_cast<std::int32_t>(g));
  }

  std::int32_t faces(const Shape &shape) {
    if (shape.type != ShapeType::hull) {
      return -1;
    }
    const auto [at, is_new] = hulls_.try_emplace(shape.hull.vertices, world_.hulls.size());
    if (is_new) {
      world_.hulls.emplace_back(shape.hull, shape.centre);
      const HullFaces &made = world_.hulls.back();
      for (std::size_t i = 0; i < made.count(); ++i) {
        world_.most_corners = std::max(
            world_.most_corners, static_cast<std::size_t>(made.first[i + 1] - made.first[i]));
      }
    }
    return static_cast<std::int32_t>(at->second);
  }

  void add_to_group(std::size_t i) {
    const ContactPair &pair = world_.pairs[i];
    std::int32_t own[2];
    for (int k = 0; k < 2; ++k) {
      own[k] = cluster(static_cast<std::size_t>(pair.geoms[k]));
    }
    std::sort(own, own + 2);
    std::vector<PairGroup> &groups = world_.groups;
    if (groups.empty() || !std::equal(own, own + 2, groups.back().clusters)) {
      groups.push_back({{own[0], own[1]}, i, i, 0.0});
    }
    groups.back().end = i + 1;
    groups.back().room = std::max(groups.back().room, room(pair.law));
  }

  std::int32_t cluster(std::size_t g) {
    const std::int32_t body = world_.geoms[g].body;
    std::int32_t &known =
        body < 0 ? cluster_of_geom_[g] : cluster_of_body_[static_cast<std::size_t>(body)];
    if (known < 0) {
      known = static_cast<std::int32_t>(world_.clusters.size());
      world_.clusters.push_back(body < 0 ? cluster_of({static_cast<std::int32_t>(g)})
                                         : cluster_of(world_.body_geoms[static_cast<std::size_t>(body)]));
    }
    return known;
  }

  // A ball around the balls of these geoms, about the middle of the box around them.
  Cluster cluster_of(const std::vector<std::int32_t> &geoms) const {
    const ContactGeom &first = world_.geoms[static_cast<std::size_t>(geoms[0])];
    Cluster result{first.body, -1, {}, 0.0};
    Vec low{infinity, infinity, infinity}, high{-infinity, -infinity, -infinity};
    for (const std::int32_t g : geoms) {
      const auto index = static_cast<std::size_t>(g);
      if (shape(index).type == ShapeType::half_space) {
        result.plane = first.body < 0 ? g : -1;
        result.reach = infinity;
        return result;
      }
      const Vec &c = world_.geoms[index].centre;
      const double r = shape(index).reach;
      low = {std::min(low.x, c.x - r), std::min(low.y, c.y - r), std::min(low.z, c.z - r)};
      high = {std::max(high.x, c.x + r), std::max(high.y, c.y + r), std::max(high.z, c.z + r)};
    }
    result.centre = scaled(0.5, low) + scaled(0.5, high);
    for (const std::int32_t g : geoms) {
      const auto index = static_cast<std::size_t>(g);
      result.reach = std::max(result.reach, length(world_.geoms[index].centre - result.centre) +
                                                shape(index).reach);
    }
    return result;
  }

  ContactWorld &world_;
  std::map<const Vec *, std::size_t> hulls_;
  std::vector<std::int32_t> cluster_of_body_, cluster_of_geom_;
};

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
    return !(squared(centre_a - centre_b) > far * far);
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

  void look(const PairGroup &group) {
    ready(world_.clusters[static_cast<std::size_t>(group.clusters[0])].body);
    ready(world_.clusters[static_cast<std::size_t>(group.clusters[1])].body);
    for (std::size_t i = group.first; i < group.end; ++i) {
      look(i);
    }
  }

  void look(std::size_t i) {
    const ContactPair &pair = world_.pairs[i];
    const auto g = static_cast<std::size_t>(pair.geoms[0]),
               h = static_cast<std::size_t>(pair.geoms[1]);
    const Placed &a = work_.placed[g], &b = work_.placed[h];
    const double limit = room(pair.law);
    if (a.shape->type == ShapeType::half_space) {
      if (dot(column(a.rotation, 2), work_.centres[h] - a.position) >
          b.shape->reach + limit + slack) {
        return;
      }
    } else {
      const double far = a.shape->reach + b.shape->reach + limit + slack;
      if (squared(work_.centres[g] - work_.centres[h]) > far * far) {
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

ContactCheck check(const System &system, const Shapes &shapes, const ContactArrays &arrays) {
  const auto count = static_cast<std::int64_t>(system.geoms.size());
  for (std::size_t i = 0; i < arrays.count; ++i) {
    const std::int32_t *geoms = arrays.geoms + 2 * i;
    for (int k = 0; k < 2; ++k) {
      if (geoms[k] < 0 || geoms[k] >= count) {
        return {ContactStatus::geoms, i};
      }
    }
    const ShapeType a = shapes.items[static_cast<std::size_t>(geoms[0])].type,
                    b = shapes.items[static_cast<std::size_t>(geoms[1])].type;
    if (a == ShapeType::none || b == ShapeType::none || b == ShapeType::half_space) {
      return {ContactStatus::unknown, i};
    }
    if (a > b) {
      return {ContactStatus::order, i};
    }
    const std::int32_t dimension = arrays.dimension[i];
    if (dimension != 1 && dimension != 3 && dimension != 4 && dimension != 6) {
      return {ContactStatus::dimension, i};
    }
  }
  return {};
}

ContactWorld::ContactWorld(const System &system_, const Shapes &shapes_,
                           const ContactArrays &arrays)
    : system(system_), shapes(shapes_), manifolds(arrays.manifolds) {
  pairs.reserve(arrays.count);
  for (std::size_t i = 0; i < arrays.count; ++i) {
    const std::int32_t a = arrays.geoms[2 * i], b = arrays.geoms[2 * i + 1];
    pairs.push_back({{a, b},
                     {system.geoms[static_cast<std::size_t>(a)].body,
                      system.geoms[static_cast<std::size_t>(b)].body},
                     law(arrays.dimension[i], arrays.laws + law_width * i)});
    rebounds = rebounds || pairs.back().law.restitution > 0.0;
  }
  Builder(*this).build();
  find_leaps(*this);
}

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
