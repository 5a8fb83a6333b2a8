// MuJoCo's muscles: what they pull with, by length and speed, and how fast they are activated.
#pragma once

namespace phyzctl {

// Lengths count in optimal lengths from where the muscle's own begins: the rest of the transmission
// is tendon.
struct MuscleCurve {
  double force;            // active, at the optimal length and at rest; 0: no muscle
  double tendon, optimum;  // lengths
  double shortest, longest; // between which it is active
  double speed;            // at which it shortens without any force, in optimal lengths a second
  double passive, stretched; // forces at its longest, and while it is pulled apart: shares of `force`

  static MuscleCurve of(const double *row);
};

// A force, and how it grows with the speed.
struct MuscleForce {
  double value, by_speed;
};

// Of one activated fully: negative, it pulls.
MuscleForce active_force(const MuscleCurve &curve, double length, double speed);

double passive_force(const MuscleCurve &curve, double length);

// The rate at which an activation follows its control. `times`: of activation and deactivation,
// and the width about no difference over which one becomes the other.
double activation_rate(const double *times, double control, double activation);

} // namespace phyzctl
