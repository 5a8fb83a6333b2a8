#include "contact_travel.hpp"

#include <algorithm>

#include "contacts.hpp"

namespace phyzctl {
namespace {

constexpr double longest_way = 1.0; // [m], so that what rounding loses is far below the slack

// Twice the square of how far a point of a ball goes at most: with its centre, and by the turn,
// which moves nothing farther than its radius times twice the change of the quaternion.
double square_of_move(const Pose<double> &from, const Pose<double> &to, double radius) {
  const Quat<double> turn{to.q.w - from.q.w, to.q.x - from.q.x, to.q.y - from.q.y,
                          to.q.z - from.q.z};
  return 2.0 * (squared(to.p - from.p) + 4.0 * radius * radius * squared(turn));
}

} // namespace

ContactTravel::ContactTravel(const ContactWorld &world)
    : leaps(world.leaps.size()), groups(world.groups.size()), pairs(world.pairs.size()),
      questions(world.pairs.size()), seen_(world.clusters.size()) {
  forget();
}

void ContactTravel::move(const ContactWorld &world, const Pose<double> *bodies,
                         const std::vector<Vec> &centres) {
  double most = 0.0;
  bool finite = true;
  for (std::size_t i = 0; i < seen_.size(); ++i) {
    const Cluster &cluster = world.clusters[i];
    if (!cluster.moves) {
      continue;
    }
    const Pose<double> here{centres[i], bodies[cluster.body].q};
    const double square = square_of_move(seen_[i], here, cluster.reach);
    most = std::max(most, square);
    finite = finite && square < infinity; // false for NaN too
    seen_[i] = here;
  }
  last_ = std::sqrt(most);
  way_ += last_;
  if (finite && way_ < longest_way) {
    return;
  }
  way_ = last_ = 0.0;
  for (std::vector<double> *all : {&leaps, &groups, &pairs, &questions}) {
    std::fill(all->begin(), all->end(), 0.0);
  }
}

} // namespace phyzctl
