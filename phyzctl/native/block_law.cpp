#include "block_law.hpp"

#include <algorithm>
#include <cmath>

namespace phyzctl {
namespace {

// Inside, on the surface of, or opposite the cone of forces that a contact can exert.
enum class Zone { separate, slide, stick };

// A cone at a miss: the normal part, the length of the tangential part, and where that is.
struct ConeState {
  ConeState(const Block &block, const double *x) : mu(block.ratio), normal(mu * x[0]), tangent(0) {
    for (std::uint32_t k = 1; k < block.rows; ++k) {
      const double u = block.friction[k - 1] * x[k];
      tangent += u * u;
    }
    tangent = std::sqrt(tangent);
    zone = normal >= mu * tangent        ? Zone::separate
           : mu * normal + tangent <= 0. ? Zone::stick
                                         : Zone::slide;
  }
  double mu, normal, tangent;
  Zone zone;
};

void clear(std::size_t count, double *numbers) { std::fill_n(numbers, count, 0.0); }

Reaction react_equality(const Block &block, const Miss &miss, double *force, double *curvature) {
  double cost = 0.0;
  for (std::uint32_t k = 0; k < block.rows; ++k) {
    force[k] = -miss.D[k] * miss.x[k];
    curvature[k] = miss.D[k];
    cost -= 0.5 * force[k] * miss.x[k];
  }
  return {cost, 1, false};
}

Reaction react_pyramid(const Block &block, const Miss &miss, double *force, double *curvature) {
  const std::uint32_t n = block.rows;
  const double D = miss.D[0];
  clear(n, force);
  clear(std::size_t{n} * n, curvature);
  double cost = 0.0;
  std::uint32_t edges = 0;
  for (std::uint32_t k = 1; k < n; ++k) {
    for (const double mu : {block.friction[k - 1], -block.friction[k - 1]}) {
      const double x = miss.x[0] + mu * miss.x[k];
      edges <<= 1;
      if (x >= 0.0) {
        continue;
      }
      edges |= 1;
      cost += 0.5 * D * x * x;
      force[0] -= D * x;
      force[k] -= D * mu * x;
      curvature[0] += D;
      curvature[k] += D * mu;
      curvature[k * n + k] += D * mu * mu;
    }
    curvature[k * n] = curvature[k];
  }
  return {cost, edges, false};
}

void curve_sliding(const Block &block, const ConeState &cone, const double *x, double D,
                   double *curvature) {
  const std::uint32_t n = block.rows;
  const double short_by = cone.normal - cone.mu * cone.tangent; // negative
  double g[6] = {cone.mu}, u[6] = {0.0};
  for (std::uint32_t k = 1; k < n; ++k) {
    u[k] = block.friction[k - 1] * x[k] / cone.tangent;
    g[k] = -cone.mu * u[k] * block.friction[k - 1];
  }
  const double round = -short_by * cone.mu / cone.tangent;
  for (std::uint32_t i = 0; i < n; ++i) {
    for (std::uint32_t j = 0; j < n; ++j) {
      double entry = g[i] * g[j];
      if (i > 0 && j > 0) {
        const double across = (i == j ? 1.0 : 0.0) - u[i] * u[j];
        entry += round * block.friction[i - 1] * block.friction[j - 1] * across;
      }
      curvature[i * n + j] = D * entry;
    }
  }
}

double middle_stiffness(const ConeState &cone, const Miss &miss) {
  const double square = cone.mu * cone.mu;
  return miss.D[0] / (square * (1.0 + square));
}

Reaction react_cone(const Block &block, const Miss &miss, double *force, double *curvature) {
  const std::uint32_t n = block.rows;
  const ConeState cone(block, miss.x);
  if (cone.zone == Zone::slide) {
    const double D = middle_stiffness(cone, miss);
    const double short_by = cone.normal - cone.mu * cone.tangent;
    force[0] = -D * short_by * cone.mu;
    for (std::uint32_t k = 1; k < n; ++k) {
      const double mu = block.friction[k - 1];
      force[k] = D * short_by * cone.mu * mu * (mu * miss.x[k] / cone.tangent);
    }
    curve_sliding(block, cone, miss.x, D, curvature);
    return {0.5 * D * short_by * short_by, 2, true};
  }
  clear(std::size_t{n} * n, curvature);
  double cost = 0.0;
  for (std::uint32_t k = 0; k < n; ++k) {
    const double D = cone.zone == Zone::stick ? miss.D[k] : 0.0;
    force[k] = -D * miss.x[k];
    curvature[k * n + k] = D;
    cost += 0.5 * D * miss.x[k] * miss.x[k];
  }
  return {cost, cone.zone == Zone::stick ? 1u : 0u, false};
}

Slope slope_pyramid(const Block &block, const Miss &miss, const double *p) {
  Slope sum{0.0, 0.0};
  for (std::uint32_t k = 1; k < block.rows; ++k) {
    for (const double mu : {block.friction[k - 1], -block.friction[k - 1]}) {
      const double x = miss.x[0] + mu * miss.x[k], step = p[0] + mu * p[k];
      if (x < 0.0) {
        sum.first += x * step;
        sum.second += step * step;
      }
    }
  }
  return {miss.D[0] * sum.first, miss.D[0] * sum.second};
}

Slope slope_quadratic(const Block &block, const Miss &miss, const double *p) {
  Slope sum{0.0, 0.0};
  for (std::uint32_t k = 0; k < block.rows; ++k) {
    const double pull = miss.D[k] * p[k];
    sum.first += pull * miss.x[k];
    sum.second += pull * p[k];
  }
  return sum;
}

Slope slope_cone(const Block &block, const Miss &miss, const double *p) {
  const ConeState cone(block, miss.x);
  if (cone.zone == Zone::separate) {
    return {0.0, 0.0};
  }
  if (cone.zone == Zone::stick) {
    return slope_quadratic(block, miss, p);
  }
  double along = 0.0, square = 0.0;
  for (std::uint32_t k = 1; k < block.rows; ++k) {
    const double u = block.friction[k - 1] * miss.x[k], step = block.friction[k - 1] * p[k];
    along += u * step;
    square += step * step;
  }
  const double rate = along / cone.tangent;
  const double bend = (square - rate * rate) / cone.tangent;
  const double D = middle_stiffness(cone, miss);
  const double short_by = cone.normal - cone.mu * cone.tangent;
  const double change = cone.mu * (p[0] - rate);
  return {D * short_by * change, D * (change * change - short_by * cone.mu * bend)};
}

} // namespace

Reaction react_rows(const Block &block, const Miss &miss, double *force, double *curvature) {
  switch (block.law) {
  case Law::equality:
    return react_equality(block, miss, force, curvature);
  case Law::pyramid:
    return react_pyramid(block, miss, force, curvature);
  default:
    return react_cone(block, miss, force, curvature);
  }
}

Slope slope_rows(const Block &block, const Miss &miss, const double *p) {
  switch (block.law) {
  case Law::equality:
    return slope_quadratic(block, miss, p);
  case Law::pyramid:
    return slope_pyramid(block, miss, p);
  default:
    return slope_cone(block, miss, p);
  }
}

} // namespace phyzctl
