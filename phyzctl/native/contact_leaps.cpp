// Groups of pairs that one look can leave out.
#include <algorithm>
#include <cmath>

#include "contacts.hpp"

namespace phyzctl {
namespace {

constexpr std::size_t longest = 16; // of a leap over neighbours in the world

class Leaper {
public:
  explicit Leaper(ContactWorld &world) : world_(world) {
    for (std::size_t i = 0; i < world.system.bodies.size(); ++i) {
      const std::int32_t parent = world.system.bodies[i].parent;
      roots_.push_back(parent < 0 ? static_cast<std::int32_t>(i)
                                  : roots_[static_cast<std::size_t>(parent)]);
    }
    numbers_.assign(roots_.size(), -1);
    for (const Cluster &cluster : world.clusters) {
      centres_.push_back(cluster.centre);
    }
  }

  void run() {
    const std::size_t count = world_.groups.size();
    for (std::size_t first = 0; first < count;) {
      Leap best = alone(first);
      for (int k = 0; k < 2; ++k) {
        const Leap leap = from(first, k);
        best = leap.end > best.end ? leap : best;
      }
      finish(best);
      world_.leaps.push_back(best);
      first = best.end;
    }
  }

private:
  const Cluster &cluster(std::int32_t number) const {
    return world_.clusters[static_cast<std::size_t>(number)];
  }

  // The body at the bottom of its tree, -1 in the world.
  std::int32_t root(std::int32_t number) const {
    const std::int32_t body = cluster(number).body;
    return body < 0 ? -1 : roots_[static_cast<std::size_t>(body)];
  }

  Leap alone(std::size_t first) const {
    return {world_.groups[first].clusters[0], -1, first, first + 1, {}, 0.0, 0.0, 0.0};
  }

  // As long as the cluster `k` of the first group stays, and the others keep together.
  Leap from(std::size_t first, int k) const {
    Leap leap = alone(first);
    leap.single = world_.groups[first].clusters[k];
    const std::int32_t first_other = across(first, leap.single);
    const std::int32_t together = root(first_other);
    for (; leap.end < world_.groups.size(); ++leap.end) {
      const std::int32_t other = across(leap.end, leap.single);
      const bool enough = together < 0 && leap.end - first == longest;
      if (other < 0 || enough || root(other) != together || endless(other) != endless(first_other)) {
        break;
      }
    }
    return leap;
  }

  bool endless(std::int32_t number) const { return !std::isfinite(cluster(number).reach); }

  // The other cluster of a group, -1 if it doesn't have the one.
  std::int32_t across(std::size_t group, std::int32_t one) const {
    const std::int32_t *clusters = world_.groups[group].clusters;
    return clusters[0] == one ? clusters[1] : clusters[1] == one ? clusters[0] : -1;
  }

  void finish(Leap &leap) {
    if (leap.end - leap.first == 1) {
      return;
    }
    std::vector<std::int32_t> others;
    for (std::size_t g = leap.first; g < leap.end; ++g) {
      leap.room = std::max(leap.room, world_.groups[g].room);
      leap.sides = std::max(leap.sides, world_.groups[g].sides);
      others.push_back(across(g, leap.single));
    }
    const std::int32_t body = root(others.front());
    if (body >= 0 && body == root(leap.single)) {
      leap.reach = infinity; // always near itself
      return;
    }
    if (body >= 0) {
      leap.tree = tree(body);
      return;
    }
    const ContactBall ball = ball_around(others, world_, centres_);
    leap.centre = ball.centre;
    leap.reach = ball.reach;
  }

  std::int32_t tree(std::int32_t root_body) {
    std::int32_t &known = numbers_[static_cast<std::size_t>(root_body)];
    if (known < 0) {
      known = static_cast<std::int32_t>(world_.trees.size());
      world_.trees.emplace_back();
      for (std::size_t c = 0; c < world_.clusters.size(); ++c) {
        if (root(static_cast<std::int32_t>(c)) == root_body) {
          world_.trees.back().push_back(static_cast<std::int32_t>(c));
        }
      }
    }
    return known;
  }

  ContactWorld &world_;
  std::vector<std::int32_t> roots_, numbers_; // per body; per root its tree, -1: not asked for
  std::vector<Vec> centres_;                  // right for those of the world
};

} // namespace

void find_leaps(ContactWorld &world) { Leaper(world).run(); }

ContactBall ball_around(const std::vector<std::int32_t> &clusters, const ContactWorld &world,
                        const std::vector<Vec> &centres) {
  Vec low{infinity, infinity, infinity}, high{-infinity, -infinity, -infinity};
  for (const std::int32_t c : clusters) {
    const Vec &at = centres[static_cast<std::size_t>(c)];
    low = {std::min(low.x, at.x), std::min(low.y, at.y), std::min(low.z, at.z)};
    high = {std::max(high.x, at.x), std::max(high.y, at.y), std::max(high.z, at.z)};
  }
  ContactBall ball{scaled(0.5, low) + scaled(0.5, high), 0.0};
  for (const std::int32_t c : clusters) {
    const auto number = static_cast<std::size_t>(c);
    ball.reach = std::max(ball.reach, length(centres[number] - ball.centre) +
                                          world.clusters[number].reach);
  }
  return ball;
}

} // namespace phyzctl
