// When pairs of shapes first meet on a way through several configurations: conservative
// advancement, each pair on its own.
//
// Let the joints from A to B be 1 to n and m any link on the path. Seen from m, A is moved by the
// joints k <= m, B by the others. At a time with a gap g > 0 along a direction n that is fixed in
// m, a step s is safe if
//   (1) s * sum of r_k |rate_k| <= g, where r_k is the greatest distance of the shape's points from
//       axis k (1 for a slide): that is how fast points can move at most; or
//   (2) with every point x at height n.x + s n.x' + at most s^2 (K0 + s K1), where x' is linear in
//       x: the highest of A's points are then those farthest along n + s h, h = sum of rate_k
//       (n x a_k), which one support point tells. Heights are convex in s, so that A stays below
//       B on the whole step if it does at its end.
// The constants of second order are those of certify.hpp: K0 + s K1 = sum of R_k |rate_k|
// (|rate_k| / 2 + sum of |rate_i| over the turns i between m and k), R_k = r_k + s times the sum of
// r_o |rate_o| over the joints o outside of k; a slide counts 1 instead of R_k, and only the sum.
// (2) converges like Newton's method where (1) creeps.
#pragma once

#include "pairs.hpp"
#include "system.hpp"

namespace phyzctl {

constexpr double contact_tolerance = 1e-7; // [m] what is nearer counts as touching

// `q` has `count` rows of system.position_count numbers; `shapes` has one item a geom. `time`, one
// number a pair, becomes the first time at which the pair is within `margin`: i + f between row i
// and the next; -1 for never. Returns how often a pair ran out of steps, which counts as contact.
std::size_t first_contacts(const System &system, const Shapes &shapes, const double *q,
                           std::size_t count, const PairList &pairs, double margin, double *time);

} // namespace phyzctl
