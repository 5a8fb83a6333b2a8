// What actuators pull on that act between sites: a wrench on each of two bodies.
#pragma once

#include "dynamics.hpp"
#include "rows_columns.hpp"

namespace phyzctl {

// A length, and the wrenches on the actuator's body and on the other one (-1: the world) whose powers
// add up to its speed. They are about the points of the bodies' trees.
struct SiteReach {
  double length;
  std::int32_t bodies[2];
  Spatial wrenches[2];
};

// Of a Transmission that is a site, a pair of sites or a slider-crank. After bodies have been placed.
SiteReach reach_site(const Actuator &actuator, const Workspace &work);

// Calls visit(degree of freedom, its arm) for all that move one body but not the other.
template <class Visit>
void visit_site_arms(const Dynamics &dynamics, const SiteReach &reach, const Workspace &work,
                     Visit visit) {
  visit_columns(dynamics, reach.bodies, true, [&](std::int32_t d, bool first, bool) {
    visit(d, dot(work.motions[static_cast<std::size_t>(d)], reach.wrenches[first ? 0 : 1]));
  });
}

} // namespace phyzctl
