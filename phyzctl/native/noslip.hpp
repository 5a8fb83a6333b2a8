// MuJoCo's noslip passes: once the soft problem is solved, friction is sought again as if it were
// rigid, everything else keeping its force. Row by row, in their order, dry friction and the tangents
// of contacts take the force at which the cost
//   1/2 f'A f + f'(J a0 - aref),  A = J M^-1 J',
// is least within the friction's bounds, until a pass gains no more than the tolerance.
//
// Where A is singular within a contact, MuJoCo 4.0.1 mostly leaves the soft friction there as it
// is; here it takes the least force of those that cost least.
#pragma once

#include <vector>

#include "constraint.hpp"
#include "friction_ellipsoid.hpp"
#include "solver.hpp"

namespace phyzctl {

// Friction that is sought at once: a row, bounded by a force, or the tangents of an elliptic cone.
struct Grip {
  const Block *block;
  std::uint32_t first, count; // rows of the block
  std::size_t reach;          // which of the reaches is that of its first row
  double bound;               // force; of a cone the normal force
  double ease;                // of a row: J M^-1 J'
  std::size_t ellipsoid;      // of a cone
};

// With M = L'DL a row J has the reach z = L^-T J', which is zero but on the way to the root: J a is
// z'L a, and by a force f L a grows by D^-1 z f.
//
// Grows to what a state needs, and keeps that.
struct NoslipWork {
  std::vector<Grip> grips;
  std::vector<std::size_t> reaches; // where each begins in the following two, and the last ends
  std::vector<std::int32_t> columns;
  std::vector<double> values;
  std::vector<double> ease;   // D^-1
  std::vector<double> motion; // L a
  std::vector<double> scratch; // zero between uses
  std::vector<FrictionEllipsoid> ellipsoids;
};

// After `minimize`. Changes solver.forces and solver.force; work.acceleration, which is solver.a
// before, becomes what follows from them. work.factor may change.
void stop_slip(const Dynamics &dynamics, const Rows &rows, const Noslip &options, Workspace &work,
               SolverWork &solver, NoslipWork &mine);

} // namespace phyzctl
