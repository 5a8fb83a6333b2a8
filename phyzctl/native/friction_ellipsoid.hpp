// What friction a contact on an elliptic cone exerts, its normal force being given: the minimum of
// a quadratic cost over all f with  sum (f_k / mu_k)^2 <= normal^2.
#pragma once

#include <cstdint>

namespace phyzctl {

// The cost's second derivative in its principal axes, in coordinates where the ellipsoid is a ball.
class FrictionEllipsoid {
public:
  // `A`: count × count, symmetric, none of its eigenvalues below zero; count at most 5.
  FrictionEllipsoid(std::uint32_t count, const double *A, const double *mu);

  // From where the cost has the `gradient` to the least f where it is least.
  void minimize(const double *gradient, double normal, double *f) const;

private:
  void diagonalize(double (&form)[5][5]);
  double length(const double *slope, double multiplier, double &decline) const;
  double multiplier(const double *slope, double normal) const;

  std::uint32_t count_;
  double mu_[5], stiffness_[5], axes_[5][5]; // an axis is a column; stiffness zero where there is none
};

} // namespace phyzctl
