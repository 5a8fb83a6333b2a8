// The classical method of Runge and Kutta, for whatever accelerates.
#pragma once

#include <utility>
#include <vector>

#include "smooth.hpp"

namespace phyzctl {

// The velocities of all turns become those of their rotation vectors h k since the start.
void rotation_speeds(const Dynamics &dynamics, double h, const double *k, double *v);

// result = from + h rate.
void advance(const std::vector<double> &from, double h, const std::vector<double> &rate,
             std::vector<double> &result);

constexpr double stage_times[4] = {0.0, 0.5, 0.5, 1.0};
constexpr double stage_weights[4] = {1.0 / 6, 1.0 / 3, 1.0 / 3, 1.0 / 6};

// From work.q, work.v to work.next_q, work.next_v. Turns are taken as rotation vectors since the
// step's start (Munthe-Kaas). accelerate(q, v, stage) writes work.acceleration.
template <class Accelerate>
void step_runge_kutta(const Dynamics &dynamics, double h, Workspace &work, Accelerate accelerate) {
  std::vector<double> &speed = work.stage, &mean_speed = work.sums, &mean = work.mean;
  speed = work.v;
  work.next_v = work.v;
  for (std::size_t d = 0; d < speed.size(); ++d) {
    mean_speed[d] = mean[d] = 0.0;
  }
  const double *q = work.q.data();
  for (int i = 0; i < 4; ++i) {
    accelerate(q, work.next_v.data(), i);
    for (std::size_t d = 0; d < speed.size(); ++d) {
      mean_speed[d] += stage_weights[i] * speed[d];
      mean[d] += stage_weights[i] * work.acceleration[d];
    }
    if (i < 3) {
      const double part = stage_times[i + 1] * h;
      integrate(dynamics, work.q.data(), speed.data(), part, work.next_q.data());
      q = work.next_q.data();
      advance(work.v, part, work.acceleration, work.next_v);
      work.next_speed = work.next_v;
      rotation_speeds(dynamics, part, speed.data(), work.next_speed.data());
      std::swap(speed, work.next_speed);
    }
  }
  integrate(dynamics, work.q.data(), mean_speed.data(), h, work.next_q.data());
  advance(work.v, h, mean, work.next_v);
}

} // namespace phyzctl
