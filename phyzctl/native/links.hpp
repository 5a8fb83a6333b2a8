// Bodies as motion sees them: what joints make of constants, and which masses move as one.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "dynamics_spatial.hpp"
#include "system.hpp"

namespace phyzctl {

struct Mass {
  double mass;
  Vec com; // in the body
  Symmetric inertia; // about the centre of mass, axes of the body
  double gravity_compensation;
};

// What stands between a body and the one that it hangs on: nothing, one hinge or slide, or else.
enum class LinkKind : std::uint8_t { weld, hinge, slide, other };

struct Link {
  LinkKind kind;
  bool anchored; // the hinge's anchor is not the origin
  std::int32_t parent; // body, -1: the world
  std::int32_t mover;  // itself, or the one with joints that it is welded to; -1: the world
  std::int32_t below;  // of one with joints, the next such; -1: none
  std::int32_t first, end; // degrees of freedom of its joints
  std::int32_t source;     // of a hinge which one it is; where the slide's position stands
  double ref;
  Vec place, pivot, axis; // the origin, the hinge's anchor and the joint's axis in the parent
  Quat<double> turn, turn_on; // the turn in the parent is cos turn + sin turn_on of half an angle
  Vec anchor; // in the body
  Mass mass;  // of one with joints: with all that is welded to it
};

// Whose angle is wanted as the sine and cosine of its half.
struct Hinge {
  std::int32_t position;
  double ref;
};

struct Links {
  Links() = default;

  // `velocities` says where the degrees of freedom of joints start.
  Links(const System &system, const std::vector<Mass> &masses,
        const std::vector<std::int32_t> &velocities);

  std::vector<Link> items;          // per body
  std::vector<std::int32_t> movers; // those with joints, rising
  std::vector<Hinge> hinges;
  std::vector<std::int32_t> hinge_of; // per joint, -1: it is none

private:
  void add(const System &system, std::size_t body, const std::vector<std::int32_t> &velocities);
  void weld_masses();
};

} // namespace phyzctl
