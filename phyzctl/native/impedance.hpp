// How soft a constraint is: MuJoCo's solref and solimp in numbers.
#pragma once

#include "constraint.hpp"

namespace phyzctl {

constexpr double tiny = 1e-15;

// A row's reference acceleration is -damping * velocity - stiffness * residual.
struct Spring {
  double impedance; // from 0 to 1: how much of the acceleration the constraint decides
  double stiffness, damping;

  // The regularizer of a row whose mobility is `mobility`.
  double regularizer(double mobility) const {
    const double value = mobility * (1.0 - impedance) / impedance;
    return value > tiny ? value : tiny;
  }
};

// Of a residual, or the length of several. A time constant is at least twice `shortest` [s].
Spring spring(const Softness &softness, double residual, double shortest);

// The time constant that springs have where steps are short enough; infinite where they have none.
double shortest_time(const Softness &softness);

// The damping alone, where `solref` replaces that of the softness.
double damping(const double (&solref)[2], const Softness &softness, double shortest);

} // namespace phyzctl
