#include "impedance.hpp"

#include <algorithm>
#include <cmath>

namespace phyzctl {
namespace {

// What MuJoCo keeps impedances within.
double bounded(double impedance) { return std::min(0.9999, std::max(0.0001, impedance)); }

struct Reference {
  double first, second;
};

// Time constant and damping ratio, or minus stiffness and minus damping; a mixture is neither, and
// MuJoCo's default takes its place.
Reference reference(const double (&solref)[2], double shortest) {
  if ((solref[0] > 0.0) != (solref[1] > 0.0)) {
    return {std::max(0.02, 2.0 * shortest), 1.0};
  }
  return {solref[0] > 0.0 ? std::max(solref[0], 2.0 * shortest) : solref[0], solref[1]};
}

double impedance(const double (&solimp)[5], double residual) {
  const double start = bounded(solimp[0]), end = bounded(solimp[1]);
  const double width = std::max(0.0, solimp[2]);
  if (start == end || width <= tiny) {
    return 0.5 * (start + end);
  }
  const double x = std::fabs(residual) / width;
  if (x >= 1.0 || x == 0.0) {
    return x == 0.0 ? start : end;
  }
  const double middle = bounded(solimp[3]), power = std::max(1.0, solimp[4]);
  double y = x;
  if (power == 2.0) {
    y = x <= middle ? x * x / middle : 1.0 - (1.0 - x) * (1.0 - x) / (1.0 - middle);
  } else if (power != 1.0) {
    y = x <= middle ? std::pow(x, power) / std::pow(middle, power - 1.0)
                    : 1.0 - std::pow(1.0 - x, power) / std::pow(1.0 - middle, power - 1.0);
  }
  return start + y * (end - start);
}

double damping_of(const Reference &reference, double end) {
  return reference.second > 0.0 ? 2.0 / std::max(tiny, end * reference.first)
                                : -reference.second / std::max(tiny, end);
}

} // namespace

Spring spring(const Softness &softness, double residual, double shortest) {
  const Reference law = reference(softness.solref, shortest);
  const double end = bounded(softness.solimp[1]);
  const double share = impedance(softness.solimp, residual);
  const double rate = end * law.first * law.second;
  const double stiffness = law.first > 0.0 ? 1.0 / std::max(tiny, rate * rate)
                                           : -law.first / std::max(tiny, end * end);
  return {share, stiffness * share, damping_of(law, end)};
}

double shortest_time(const Softness &softness) {
  const Reference law = reference(softness.solref, 0.0);
  return law.first > 0.0 ? law.first : infinity;
}

double damping(const double (&solref)[2], const Softness &softness, double shortest) {
  return damping_of(reference(solref, shortest), bounded(softness.solimp[1]));
}

} // namespace phyzctl
