// A contact: where two geoms meet, and the law that acts there.
#pragma once

#include <algorithm>
#include <cstdint>

#include "matrix.hpp"

namespace phyzctl {

// How two geoms push on each other, mixed from both when the Model is compiled. The terms are
// MuJoCo's: `dimension` counts the directions of force (1, 3, 4 or 6), `friction` is sliding
// (two tangents), torsional and rolling (two axes).
struct ContactLaw {
  std::int32_t dimension;
  double friction[5];
  double solref[2], solref_friction[2]; // of the normal; of the tangents, all zero: the normal's
  double solimp[5];
  double margin; // contacts exist where the distance is below margin + gap, and push below margin
  double gap;
  double adhesion;    // what pulls at most, below margin + gap
  double restitution; // an impact is thrown back with so much of its speed, from 0 to 1

  // The law in a row of numbers, in the order above but for the restitution, which is none.
  static ContactLaw of(std::int32_t dimension, const double *row) {
    ContactLaw law{};
    law.dimension = dimension;
    std::copy_n(row, 5, law.friction);
    std::copy_n(row + 5, 2, law.solref);
    std::copy_n(row + 7, 2, law.solref_friction);
    std::copy_n(row + 9, 5, law.solimp);
    law.margin = row[14];
    law.gap = row[15];
    law.adhesion = row[16];
    return law;
  }

  double room() const { return margin + gap; } // contacts exist at less
};

struct ContactPair {
  std::int32_t geoms[2];  // the normal points from the first to the second
  std::int32_t bodies[2]; // -1 is the world
  ContactLaw law;
};

struct Contact {
  std::int32_t pair;
  double distance; // negative where the geoms overlap
  Vec position;    // halfway between the surfaces
  Mat3 frame;      // rows: the normal and two tangents, in the world
};

} // namespace phyzctl
