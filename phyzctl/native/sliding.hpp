// Coulomb's law from convex problems.
//
// In a convex problem a contact that slides lifts off, at the rate T at which its tangents miss what
// they ask for, times friction. When its normal asks for as much less, what is left is Coulomb's
// law: the normal force is that of a contact without friction, the tangents' is mu times as large.
// T depends on the solution, so that has to be sought again and again; where contacts slide on as
// they did, the last step's acceleration tells it at once.
#pragma once

#include <vector>

#include "rows.hpp"

namespace phyzctl {

class Sliding {
public:
  // Lowers what the normals of elliptic cones ask for by what the acceleration `a` says; null: not.
  // Differences in force as small as `slack` [m/s²] don't matter.
  void begin(Rows &rows, const double *a, double slack);

  // With `miss`, J a - aref per row, of a solution: lowers them better. False where all is well.
  bool again(Rows &rows, const std::vector<double> &miss);

private:
  // Per block: by how much its normal is lowered, and how much that and T were one solution ago.
  struct Lowered {
    double by, last, wanted;
  };
  std::vector<Lowered> lowered_;
  double slack_ = 0.0;
  bool first_ = true;
};

} // namespace phyzctl
