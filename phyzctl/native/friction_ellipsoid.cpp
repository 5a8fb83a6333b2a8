#include "friction_ellipsoid.hpp"

#include <algorithm>
#include <cmath>

namespace phyzctl {
namespace {

constexpr double none = 1e-13; // the share of the largest stiffness that is but rounding
constexpr int most_sweeps = 20, most_steps = 60;

// The rotation by which the entries (i, j) and (j, i) vanish.
struct Turn {
  Turn(double ii, double ij, double jj) {
    const double half = 0.5 * (jj - ii);
    const double tangent = ij / (half + std::copysign(std::sqrt(half * half + ij * ij), half));
    cosine = 1.0 / std::sqrt(1.0 + tangent * tangent);
    sine = tangent * cosine;
  }
  void operator()(double &x, double &y) const {
    const double old = x;
    x = cosine * old - sine * y;
    y = sine * old + cosine * y;
  }
  double cosine, sine;
};

} // namespace

FrictionEllipsoid::FrictionEllipsoid(std::uint32_t count, const double *A, const double *mu)
    : count_(count), mu_{}, stiffness_{}, axes_{} {
  double form[5][5];
  for (std::uint32_t i = 0; i < count; ++i) {
    mu_[i] = mu[i];
    for (std::uint32_t j = 0; j < count; ++j) {
      form[i][j] = mu[i] * mu[j] * A[i * count + j];
      axes_[i][j] = i == j ? 1.0 : 0.0;
    }
  }
  diagonalize(form);
  double largest = 0.0;
  for (std::uint32_t i = 0; i < count; ++i) {
    largest = std::max(largest, form[i][i]);
  }
  for (std::uint32_t i = 0; i < count; ++i) {
    stiffness_[i] = form[i][i] > none * largest ? form[i][i] : 0.0;
  }
}

// Jacobi's method: small stiffnesses keep their digits beside large ones.
void FrictionEllipsoid::diagonalize(double (&form)[5][5]) {
  constexpr double negligible = 1e-34; // a square
  bool turned = true;
  for (int sweep = 0; turned && sweep < most_sweeps; ++sweep) {
    turned = false;
    for (std::uint32_t i = 0; i + 1 < count_; ++i) {
      for (std::uint32_t j = i + 1; j < count_; ++j) {
        const double off = form[i][j];
        if (!(off * off > negligible * form[i][i] * form[j][j])) {
          continue;
        }
        turned = true;
        const Turn turn(form[i][i], off, form[j][j]);
        for (std::uint32_t k = 0; k < count_; ++k) {
          turn(form[k][i], form[k][j]);
          turn(axes_[k][i], axes_[k][j]);
        }
        for (std::uint32_t k = 0; k < count_; ++k) {
          turn(form[i][k], form[j][k]);
        }
        form[i][j] = form[j][i] = 0.0;
      }
    }
  }
}

// Of the minimum of the cost plus half the multiplier times the square of the length; `decline`:
// by how much of its square the length falls with the multiplier.
double FrictionEllipsoid::length(const double *slope, double multiplier, double &decline) const {
  double square = 0.0, fall = 0.0;
  for (std::uint32_t i = 0; i < count_; ++i) {
    if (stiffness_[i] > 0.0) {
      const double part = slope[i] / (stiffness_[i] + multiplier);
      square += part * part;
      fall += part * part / (stiffness_[i] + multiplier);
    }
  }
  decline = square > 0.0 ? fall / square : 0.0;
  return std::sqrt(square);
}

// Zero where the minimum lies inside. Newton's method on 1 / length, which is concave: it comes
// nearer from below.
double FrictionEllipsoid::multiplier(const double *slope, double normal) const {
  double at = 0.0, decline;
  for (int step = 0; step < most_steps; ++step) {
    const double excess = length(slope, at, decline) / normal - 1.0;
    if (!(excess > 0.0) || !(decline > 0.0)) {
      break;
    }
    const double next = at + excess / decline;
    if (!(next > at)) {
      break;
    }
    at = next;
  }
  return at;
}

void FrictionEllipsoid::minimize(const double *gradient, double normal, double *f) const {
  double slope[5] = {}; // at no friction, along the axes
  for (std::uint32_t i = 0; i < count_; ++i) {
    double along = 0.0, here = 0.0;
    for (std::uint32_t k = 0; k < count_; ++k) {
      along += axes_[k][i] * mu_[k] * gradient[k];
      here += mu_[k] > 0.0 ? axes_[k][i] * (f[k] / mu_[k]) : 0.0;
    }
    slope[i] = along - stiffness_[i] * here;
  }
  const double held = normal > 0.0 ? multiplier(slope, normal) : 0.0;
  std::fill_n(f, count_, 0.0);
  for (std::uint32_t i = 0; i < count_ && normal > 0.0; ++i) {
    if (stiffness_[i] > 0.0) {
      const double part = -slope[i] / (stiffness_[i] + held);
      for (std::uint32_t k = 0; k < count_; ++k) {
        f[k] += mu_[k] * axes_[k][i] * part;
      }
    }
  }
}

} // namespace phyzctl
