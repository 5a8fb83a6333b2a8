// What a ContactWorld is made of.
#include <algorithm>
#include <map>

#include "contacts.hpp"

namespace phyzctl {
namespace {

constexpr std::size_t law_width = 18;
constexpr std::size_t cylinder_corners = 16;

ContactLaw law(const ContactArrays &arrays, std::int32_t index) {
  const auto i = static_cast<std::size_t>(index);
  const double *row = arrays.numbers + law_width * i;
  ContactLaw result = ContactLaw::of(arrays.dimension[i], row);
  result.restitution = row[17];
  return result;
}

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
    for (const PairGroup &group : world_.groups) {
      add_runs(group);
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
      groups.push_back({{own[0], own[1]}, i, i, 0.0, sides(own[0]) + sides(own[1])});
    }
    groups.back().end = i + 1;
    groups.back().room = std::max(groups.back().room, pair.law.room());
  }

  void add_runs(const PairGroup &group) {
    for (std::size_t first = group.first; first < group.end;) {
      const std::int32_t geom = world_.pairs[first].geoms[0];
      std::size_t end = first + 1;
      while (end < group.end && world_.pairs[end].geoms[0] == geom) {
        ++end;
      }
      const std::int32_t own = cluster(static_cast<std::size_t>(geom));
      const bool endless = shape(static_cast<std::size_t>(geom)).type == ShapeType::half_space;
      const std::int32_t other = endless                      ? -1
                                 : group.clusters[0] == own ? group.clusters[1]
                                                            : group.clusters[0];
      world_.runs.insert(world_.runs.end(), end - first, PairRun{geom, other, end});
      first = end;
    }
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

  double sides(std::int32_t number) const {
    const Cluster &cluster = world_.clusters[static_cast<std::size_t>(number)];
    const bool endless = cluster.body >= 0 && cluster.reach == infinity;
    return endless ? infinity : cluster.moves ? 1.0 : 0.0;
  }

  // Whether joints can move a body.
  bool moves(std::int32_t body) const {
    for (; body >= 0; body = world_.system.bodies[static_cast<std::size_t>(body)].parent) {
      const Body &each = world_.system.bodies[static_cast<std::size_t>(body)];
      if (each.first_joint < each.end_joint) {
        return true;
      }
    }
    return false;
  }

  // A ball around the balls of these geoms, about the middle of the box around them.
  Cluster cluster_of(const std::vector<std::int32_t> &geoms) const {
    const ContactGeom &first = world_.geoms[static_cast<std::size_t>(geoms[0])];
    Cluster result{first.body, -1, first.body < 0 ? geoms[0] : -1, {}, 0.0, false};
    Vec low{infinity, infinity, infinity}, high{-infinity, -infinity, -infinity};
    for (const std::int32_t g : geoms) {
      const auto index = static_cast<std::size_t>(g);
      if (shape(index).type == ShapeType::half_space) {
        result.plane = first.body < 0 ? g : -1;
        result.solid = -1;
        result.reach = infinity;
        return result;
      }
      const Vec &c = world_.geoms[index].centre;
      const double r = shape(index).reach;
      low = {std::min(low.x, c.x - r), std::min(low.y, c.y - r), std::min(low.z, c.z - r)};
      high = {std::max(high.x, c.x + r), std::max(high.y, c.y + r), std::max(high.z, c.z + r)};
    }
    result.moves = moves(first.body);
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
    if (arrays.law[i] < 0 || static_cast<std::size_t>(arrays.law[i]) >= arrays.laws) {
      return {ContactStatus::law, i};
    }
  }
  for (std::size_t i = 0; i < arrays.laws; ++i) {
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
                     law(arrays, arrays.law[i])});
    rebounds = rebounds || pairs.back().law.restitution > 0.0;
  }
  Builder(*this).build();
  find_leaps(*this);
}

} // namespace phyzctl
