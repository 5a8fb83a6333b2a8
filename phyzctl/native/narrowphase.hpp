// Do two placed shapes overlap, and how far are they apart? The first question never pays for the
// second. A shape of type `none`, or two half-spaces, have no answer: don't ask.
#pragma once

#include "closed_forms.hpp"

namespace phyzctl {

// True when the shapes come within `margin` of each other, which is not negative.
bool overlap(const Placed &a, const Placed &b, double margin);

// Signed distance, normal and nearest points, whatever the order of types. `capped` counts up
// when iterations ran out; the distance is then the best lower bound.
Separation distance(const Placed &a, const Placed &b, std::size_t &capped);

// The same for types in ascending order; false, and no result, where the distance is not below
// `limit`.
bool near(const Placed &a, const Placed &b, double limit, Separation &result, std::size_t &capped);

// The distance where it is not above `limit`, with no need to be exact where it is.
double clearance(const Placed &a, const Placed &b, double limit);

} // namespace phyzctl
