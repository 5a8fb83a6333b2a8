// The bounds of certify.hpp, on the pieces of two bodies in one cell.
#include <algorithm>

#include "certify.hpp"
#include "narrowphase.hpp"
#include "support.hpp"
#include "trigonometry.hpp"

namespace phyzctl {
namespace {

constexpr double slack = 1e-9;     // [m] for rounding, and
constexpr double rounding = 1e-12; // of the coordinates' size
constexpr double pi = 3.14159265358979323846;

// How far a point at distance `reach` of the axis goes in a turn of at most `width`.
double chord(const Step &step, double reach, double width) {
  return step.type == StepType::slide ? width
                                      : 2.0 * reach * sincos(0.5 * std::min(width, pi)).sin;
}

bool is_rounded(const Shape &shape) {
  return shape.type == ShapeType::cylinder || shape.type == ShapeType::ellipsoid;
}

double size_of(const Placed &a, const Placed &b) {
  return length(a.position) + length(b.position) + a.shape->reach + b.shape->reach;
}

} // namespace

// Bodies as the spheres around them turn about nothing but the axes.
bool Search::spheres_part(const Piece &a, const Piece &b) {
  const Vec ca = a.placed.position + a.placed.rotation * a.shape->centre;
  const Vec cb = b.placed.position + b.placed.rotation * b.shape->centre;
  const double gap = length(cb - ca) - a.shape->reach - b.shape->reach - slack;
  if (!(gap > 0.0)) {
    return false;
  }
  const std::vector<Step> &steps = chain_.steps();
  double ahead = 0.0;
  for (std::size_t k = 0; k < steps.size(); ++k) {
    const Vec da = ca - steps[k].anchor, db = cb - steps[k].anchor;
    const bool ball = steps[k].type == StepType::ball;
    sway_[0].w[k] = chord(steps[k], length(ball ? da : cross(steps[k].axis, da)), widths_[k]);
    sway_[1].w[k] = chord(steps[k], length(ball ? db : cross(steps[k].axis, db)), widths_[k]);
    ahead += sway_[1].w[k];
  }
  double least = ahead;
  for (std::size_t k = 0; k < steps.size(); ++k) {
    ahead += sway_[0].w[k] - sway_[1].w[k];
    least = std::min(least, ahead);
  }
  spent_ += 30.0 * static_cast<double>(steps.size());
  return gap > least;
}

void Search::measure(Piece &piece, Sway &sway) {
  for (std::size_t k = 0; k < piece.steps.size(); ++k) {
    sway.reach[k] = piece.cloud.reach(piece.steps[k]);
    sway.w[k] = chord(piece.steps[k], sway.reach[k], widths_[k]);
  }
  spent_ += 1.5 * static_cast<double>(piece.cloud.size() * piece.steps.size());
}

// The least sum of w over the links m that may stand still; `link` joints are then on A's side.
double Search::least_motion(std::size_t &link) {
  double sum = 0.0;
  for (const double w : sway_[1].w) {
    sum += w;
  }
  double least = sum;
  link = 0;
  for (std::size_t k = 0; k < widths_.size(); ++k) {
    sum += sway_[0].w[k] - sway_[1].w[k];
    if (sum < least) {
      least = sum;
      link = k + 1;
    }
  }
  return least;
}

// Fill `lift` and `rem` of one side for every link m: the greatest height of its points along the
// normal when the joints between it and m turn, and what second order adds.
void Search::lift(Piece &piece, const Vec &normal, bool from_a, Sway &sway) {
  const std::size_t count = widths_.size();
  const Vec n = back(piece.placed.rotation, normal);
  const double at = dot(normal, piece.placed.position);
  piece.cloud.heights(n, sway.values.data());
  const auto last = sway.values.begin() + static_cast<std::ptrdiff_t>(piece.cloud.size());
  std::size_t m = from_a ? 0 : count;
  sway.lift[m] = at + *std::max_element(sway.values.begin(), last);
  sway.rem[m] = 0.0;
  double outside = 0.0, levers = 0.0;
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t k = from_a ? i : count - 1 - i, next = from_a ? k + 1 : k;
    const double h = widths_[k], far = sway.reach[k] + outside;
    const bool slides = piece.steps[k].type == StepType::slide;
    sway.lift[next] = at + piece.cloud.raise(piece.steps[k], n, h, sway.values.data());
    sway.rem[next] = sway.rem[m] + (slides ? 0.0 : h * (0.5 * far * h + levers));
    levers += slides ? h : far * h;
    outside += sway.w[k];
    m = next;
  }
  spent_ += 2.0 * static_cast<double>(piece.cloud.size() * (count + 1));
}

bool Search::is_free(const Item &item) {
  Piece &a = placed(0, item.a), &b = placed(1, item.b);
  spent_ += 60.0;
  if (spheres_part(a, b)) {
    return true;
  }
  std::size_t capped = 0;
  const Separation found = phyzctl::distance(a.placed, b.placed, capped);
  spent_ += 600.0 + 2.0 * static_cast<double>(a.cloud.size() + b.cloud.size());
  if (found.distance <= graze) {
    note_witness(found.distance);
    return false;
  }
  measure(a, sway_[0]);
  measure(b, sway_[1]);
  lift(a, found.normal, true, sway_[0]);
  lift(b, -found.normal, false, sway_[1]);
  const double size = size_of(a.placed, b.placed);
  const double spare = a.cloud.radius() + b.cloud.radius() + slack + rounding * size;
  // The gap along the normal at the centre, from true supports where the cloud is larger.
  const auto top = [&](const Piece &piece, const Vec &normal, double lifted) {
    const Vec n = back(piece.placed.rotation, normal);
    return is_rounded(*piece.shape)
               ? dot(normal, piece.placed.position) + dot(n, support(*piece.shape, n))
               : lifted;
  };
  const double gap = -top(a, found.normal, sway_[0].lift.front()) -
                     top(b, -found.normal, sway_[1].lift.back()) - spare;
  std::size_t link = 0;
  double margin = gap - least_motion(link);
  bool directional = false;
  for (std::size_t m = 0; m <= widths_.size(); ++m) {
    const double left = -sway_[0].lift[m] - sway_[1].lift[m] - sway_[0].rem[m] - sway_[1].rem[m];
    if (left - spare > margin) {
      margin = left - spare;
      link = m;
      directional = true;
    }
  }
  if (margin > 0.0) {
    return true;
  }
  if (margin < worst_) {
    note_terms(margin, link, directional);
  }
  if (found.distance < 0.5 * nearest_) { // maybe a collision is not far
    nearest_ = found.distance;
    note_witness(found.distance);
  }
  return false;
}

bool Search::is_covered(const Item &item) {
  Piece &a = placed(0, item.a), &b = placed(1, item.b);
  std::size_t capped = 0, link = 0;
  const Separation found = phyzctl::distance(a.placed, b.placed, capped);
  spent_ += 1500.0 + 2.0 * static_cast<double>(a.cloud.size() + b.cloud.size());
  gap_ = std::min(gap_, found.distance);
  if (capped > 0 || found.distance >= -graze) {
    if (worst_ == -infinity) {
      note_terms(-infinity, link, false);
    }
    return false;
  }
  measure(a, sway_[0]);
  measure(b, sway_[1]);
  const double size = size_of(a.placed, b.placed);
  const double margin = -found.distance - least_motion(link) - slack - rounding * size;
  if (margin > worst_) {
    note_terms(margin, link, false);
  }
  return margin > 0.0;
}

// What each variable adds to the bound that came nearest to failing or holding.
void Search::note_terms(double margin, std::size_t link, bool directional) {
  worst_ = margin;
  std::fill(terms_.begin(), terms_.end(), 0.0);
  for (std::size_t k = 0; k < widths_.size(); ++k) {
    const Sway &sway = sway_[k < link ? 0 : 1];
    const std::size_t with = k < link ? k + 1 : k, without = k < link ? k : k + 1;
    double term = margin == -infinity ? widths_[k] : sway.w[k];
    if (directional) {
      const double more = sway.lift[with] - sway.lift[without] + sway.rem[with] - sway.rem[without];
      term = std::min(term, more);
    }
    const auto first = static_cast<std::size_t>(chain_.variable(k));
    const std::size_t end = first + (chain_.steps()[k].type == StepType::ball ? 3 : 1);
    double whole = 0.0;
    for (std::size_t v = first; v < end; ++v) {
      whole += h_[v] * h_[v];
    }
    for (std::size_t v = first; v < end; ++v) {
      terms_[v] += end == first + 1 ? term : whole > 0.0 ? term * h_[v] / std::sqrt(whole) : 0.0;
    }
  }
}

} // namespace phyzctl
