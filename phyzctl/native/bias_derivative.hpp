// How the bias force (Coriolis, centrifugal) changes with the velocity, and matrices like that one:
// not symmetric, with the pattern of the mass matrix.
#pragma once

#include <vector>

#include "dynamics.hpp"

namespace phyzctl {

// Two numbers per entry (i, j) of a Pattern: `lower` for row i and column j, `upper` for row j and
// column i. On the diagonal only `lower` counts.
struct GeneralMatrix {
  explicit GeneralMatrix(const Pattern &pattern)
      : lower(pattern.entries()), upper(pattern.entries()) {}

  std::vector<double> lower, upper;
};

// In place: the factors of A by elimination from the last degree of freedom, without exchanges.
void factorize(const Pattern &pattern, GeneralMatrix &matrix);

// In place: x becomes the solution of A y = x, by the factors of A.
void solve(const Pattern &pattern, const GeneralMatrix &factors, double *x);

// What of a body's bias force is linear in a motion that it makes besides: six by six.
struct BiasSlope {
  double entries[6][6];
};

struct BiasDerivativeWork {
  explicit BiasDerivativeWork(const Dynamics &dynamics);

  std::vector<BiasSlope> slopes; // per body, of all that it carries
  std::vector<Spatial> turns;    // per degree of freedom: its motion turned by what carries it
};

// The derivative of work.bias by v. After `place` and `move` at v.
void bias_derivative(const Dynamics &dynamics, const double *v, const Workspace &work,
                     BiasDerivativeWork &mine, GeneralMatrix &result);

} // namespace phyzctl
