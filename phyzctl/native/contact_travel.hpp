// What is apart stays so until it has moved as far: how far has anything gone, and what is due.
//
// Whatever is left out would give no contact: results don't depend on where a state came from.
#pragma once

#include <cstddef>
#include <limits>
#include <vector>

#include "matrix.hpp"

namespace phyzctl {

struct ContactWorld;

class ContactTravel {
public:
  explicit ContactTravel(const ContactWorld &world);

  // All is due at the next state.
  void forget() { way_ = std::numeric_limits<double>::infinity(); }

  // Bodies have moved on to these poses, and the centres of their clusters to `centres`.
  void move(const ContactWorld &world, const Pose<double> *bodies,
            const std::vector<Vec> &centres);

  // How far any point of any cluster has gone at most, since all was due. What comes due later can
  // be left out.
  double way() const { return way_; }

  // How much of it the last move was.
  double last() const { return last_; }

  // When what is apart by a gap may be near, if so many of its sides move.
  double due(double gap, double sides) const { return way_ + gap / sides; }

  std::vector<double> leaps, groups, pairs; // when each of the world's is due
  std::vector<double> questions; // per pair when it is worth a look how far it is apart

private:
  std::vector<Pose<double>> seen_; // per cluster its centre, and the turn of its body
  double way_, last_ = 0.0;
};

} // namespace phyzctl
