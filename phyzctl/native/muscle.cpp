#include "muscle.hpp"

#include <algorithm>

namespace phyzctl {
namespace {

constexpr double tiny = 1e-15;

double in_optima(const MuscleCurve &curve, double length) {
  return (length - curve.tendon) / std::max(tiny, curve.optimum);
}

// Four parabolas that meet half-way up and at the top, where the length is the optimum.
double by_length(const MuscleCurve &curve, double length) {
  const double low = 0.5 * (curve.shortest + 1.0), high = 0.5 * (1.0 + curve.longest);
  const auto share = [](double part, double whole) { return part / std::max(tiny, whole); };
  if (length < curve.shortest || length > curve.longest) {
    return 0.0;
  }
  if (length <= low) {
    const double x = share(length - curve.shortest, low - curve.shortest);
    return 0.5 * x * x;
  }
  if (length <= 1.0) {
    const double x = share(1.0 - length, 1.0 - low);
    return 1.0 - 0.5 * x * x;
  }
  if (length <= high) {
    const double x = share(length - 1.0, high - 1.0);
    return 1.0 - 0.5 * x * x;
  }
  const double x = share(curve.longest - length, curve.longest - high);
  return 0.5 * x * x;
}

// Two parabolas that meet at rest; the speed in shares of that at which it has no force.
MuscleForce by_speed(const MuscleCurve &curve, double speed) {
  const double rise = curve.stretched - 1.0;
  if (speed <= -1.0) {
    return {0.0, 0.0};
  }
  if (speed <= 0.0) {
    return {(speed + 1.0) * (speed + 1.0), 2.0 * (speed + 1.0)};
  }
  if (speed <= rise) {
    const double left = rise - speed, width = std::max(tiny, rise);
    return {curve.stretched - left * left / width, 2.0 * left / width};
  }
  return {curve.stretched, 0.0};
}

// From 0 to 1 as x goes there, with two derivatives that vanish at both ends.
double smooth_step(double x) {
  const double at = std::clamp(x, 0.0, 1.0);
  return at * at * at * (at * (6.0 * at - 15.0) + 10.0);
}

} // namespace

MuscleCurve MuscleCurve::of(const double *row) {
  return {row[0], row[1], row[2], row[3], row[4], row[5], row[6], row[7]};
}

MuscleForce active_force(const MuscleCurve &curve, double length, double speed) {
  const double scale = std::max(tiny, curve.optimum * curve.speed);
  const double most = -curve.force * by_length(curve, in_optima(curve, length));
  const MuscleForce share = by_speed(curve, speed / scale);
  return {most * share.value, most * share.by_speed / scale};
}

double passive_force(const MuscleCurve &curve, double length) {
  const double at = in_optima(curve, length), high = 0.5 * (1.0 + curve.longest);
  if (at <= 1.0) {
    return 0.0;
  }
  const double most = -curve.force * curve.passive;
  const double x = (at <= high ? at - 1.0 : at - high) / std::max(tiny, high - 1.0);
  return at <= high ? most * 0.5 * x * x : most * (0.5 + x);
}

double activation_rate(const double *times, double control, double activation) {
  const double difference = std::clamp(control, 0.0, 1.0) - activation;
  const double slowness = 0.5 + 1.5 * std::clamp(activation, 0.0, 1.0);
  const double rising = times[0] * slowness, falling = times[1] / slowness;
  double time = difference > 0.0 ? rising : falling;
  if (times[2] >= tiny) {
    time = falling + (rising - falling) * smooth_step(difference / times[2] + 0.5);
  }
  return difference / std::max(tiny, time);
}

} // namespace phyzctl
