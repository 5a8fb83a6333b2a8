#include "gjk.hpp"

#include <limits>

#include "epa.hpp"
#include "simplex.hpp"

namespace phyzctl {
namespace {

constexpr int max_iterations = 100;
constexpr double epsilon = std::numeric_limits<double>::epsilon();
constexpr double tolerance = 1e-12; // of the distance, relative to the coordinates' size

// The search for the point v of A - B nearest to the origin. What has been seen bounds its
// distance from both sides: v itself from above, the plane across the last direction from below.
class Search {
public:
  explicit Search(const Pair &pair) : pair_(pair) {
    // From centre to centre is a good guess; any direction is right.
    v_ = pair.a->centre - (pair.position + pair.rotation * pair.b->centre);
    if (!(squared(v_) > 1e-200)) {
      v_ = {1.0, 0.0, 0.0};
    }
  }

  // The plane that bounds A - B away from the origin across v, at this distance (or below 0).
  double probe() {
    const double size = length(v_);
    next_ = support(pair_, -v_);
    scale_ = std::max(scale_, largest(next_.w));
    const double bound = dot(v_, next_.w) / size;
    if (bound > lower_) {
      lower_ = bound;
      across_ = scaled(1.0 / size, v_);
    }
    return bound;
  }

  // Take in what the probe has found. False when that leads no nearer to the origin.
  bool advance() {
    Simplex grown = simplex_;
    grown.corner[grown.count++] = next_;
    inside_ = reduce(grown, 4.0 * epsilon * scale_);
    if (inside_) {
      simplex_ = grown;
      return true;
    }
    const Corner nearest = grown.nearest();
    const double size = length(nearest.w);
    if (!(size < upper_)) {
      return false;
    }
    simplex_ = grown;
    v_ = nearest.w;
    a_ = nearest.a;
    upper_ = size;
    inside_ = size <= 8.0 * epsilon * scale_;
    return true;
  }

  bool inside() const { return inside_; }
  double upper() const { return upper_; }
  double lower() const { return lower_; }
  bool done() const { return upper_ - lower_ <= tolerance * scale_; }

  // Of cores that overlap.
  Gap overlap() const {
    Gap result;
    result.held = simplex_.count == 4;
    std::copy_n(simplex_.corner, simplex_.count, result.around);
    return result;
  }

  // The normal is that of the highest plane: unlike the direction of v, which is vague where v is
  // short, it is sure to part the cores. Where no plane does they count as touching; where the
  // search got stuck, the plane is surer than v.
  Gap gap(bool capped) const {
    if (!(lower_ > 0.0)) {
      return {};
    }
    return {true, capped, done() ? upper_ : lower_, -across_, a_, false, {}};
  }

private:
  const Pair &pair_;
  Simplex simplex_;
  Vec v_{}, a_{}, across_{};
  Corner next_{};
  double upper_ = infinity;
  double lower_ = -infinity;
  double scale_ = 0.0;
  bool inside_ = false;
};

} // namespace

Gap core_gap(const Pair &pair, double limit) {
  Search search(pair);
  for (int i = 0; i < max_iterations; ++i) {
    if (search.probe() > limit) {
      return {true, false, infinity, {}, {}, false, {}};
    }
    if (search.done() || !search.advance()) {
      return search.gap(false);
    }
    if (search.inside()) {
      return search.overlap();
    }
  }
  return search.gap(true);
}

bool cores_within(const Pair &pair, double margin) {
  Search search(pair);
  for (int i = 0; i < max_iterations; ++i) {
    if (search.probe() > margin) {
      return false;
    }
    if (!search.advance()) {
      // Neither a plane between them nor a point in common: as close as that, depth decides.
      return search.upper() <= margin ||
             (search.lower() <= 0.0 && core_depth(pair).depth + margin >= 0.0);
    }
    if (search.inside() || search.upper() <= margin) {
      return true;
    }
  }
  return search.lower() <= margin;
}

} // namespace phyzctl
