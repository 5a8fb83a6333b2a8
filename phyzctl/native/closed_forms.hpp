// Pairs of shapes whose distance has a formula. Radii and padding are counted in.
#pragma once

#include "shapes.hpp"

namespace phyzctl {

// How two shapes stand to each other, in the world frame. Points and normal hold together:
// b = a + distance * normal.
struct Separation {
  double distance = 0.0; // below zero, how far they must move apart to only touch
  Vec normal{};          // of length one, from A to B
  Vec a{}, b{};          // nearest points of A and B; when they overlap, the deepest
};

// Where the half-space A meets any shape.
Separation half_space_and(const Placed &a, const Placed &b);

// True when all of a shape is farther than `margin` above the half-space A, by its sphere.
bool clear_of_half_space(const Placed &a, const Placed &b, double margin);

// Spheres and capsules among each other.
Separation round_and_round(const Placed &a, const Placed &b);

// True when the axes of capsules and cylinders come within `room` of each other; a sphere's is its
// centre.
bool axes_within(const Placed &a, const Placed &b, double room);

// A sphere and a solid cylinder or box.
Separation sphere_and_solid(const Placed &a, const Placed &b);

} // namespace phyzctl
