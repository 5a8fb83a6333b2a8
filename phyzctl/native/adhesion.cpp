#include "adhesion.hpp"

#include <algorithm>

#include "rows_columns.hpp"

namespace phyzctl {
namespace {

std::size_t index(std::int32_t i) { return static_cast<std::size_t>(i); }

// Less by how fast the two bodies part along the normal.
void add_contact(const Dynamics &dynamics, const ContactPair &pair, const Contact &contact,
                 const Workspace &work, double *row) {
  const Vec &normal = contact.frame.x;
  const Vec arms[2] = {contact.position - tree_point(work, pair.bodies[0]),
                       contact.position - tree_point(work, pair.bodies[1])};
  visit_columns(dynamics, pair.bodies, true, [&](std::int32_t d, bool first, bool) {
    const Spatial &motion = work.motions[index(d)];
    const double speed = dot(normal, motion.linear + cross(motion.angular, arms[first ? 0 : 1]));
    row[d] += first ? speed : -speed;
  });
}

} // namespace

void adhere(const Dynamics &dynamics, const ContactPair *pairs, const Contact *contacts,
            std::size_t count, Workspace &work) {
  const std::size_t size = dynamics.velocity_count;
  for (const Actuator &actuator : dynamics.actuators) {
    if (actuator.transmission != Transmission::body) {
      continue;
    }
    double *row = work.adhesion.data() + index(actuator.other) * size;
    std::fill_n(row, size, 0.0);
    double touching = 0.0;
    for (std::size_t c = 0; c < count; ++c) {
      const ContactPair &pair = pairs[index(contacts[c].pair)];
      if (pair.bodies[0] == actuator.target || pair.bodies[1] == actuator.target) {
        add_contact(dynamics, pair, contacts[c], work, row);
        touching += 1.0;
      }
    }
    for (std::size_t d = 0; d < size && touching > 0.0; ++d) {
      row[d] /= touching;
    }
  }
}

} // namespace phyzctl
