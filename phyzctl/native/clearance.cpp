// As in sweep.cpp, configurations are taken in blocks, and spheres around the shapes of a pair are
// compared for a block at once; only what they leave open is looked at closely.
#include "clearance.hpp"

#include <vector>

#include "kinematics.hpp"
#include "narrowphase.hpp"

namespace phyzctl {
namespace {

constexpr std::size_t block = 16;
constexpr double slack = 1e-9; // [m] that bounds may be off by rounding

// Centres of bounding spheres, one lane a configuration of the block.
struct Centre {
  double x[block], y[block], z[block];
};

class Blocks {
public:
  Blocks(const System &system, const Shapes &shapes, const PairList &pairs)
      : system_(system), shapes_(shapes), pairs_(pairs),
        bodies_(7 * block * system.bodies.size()), geoms_(7 * block * system.geoms.size()),
        centres_(system.geoms.size()), placed_(block * system.geoms.size()) {}

  // Place everything in up to `block` configurations.
  void place_all(const double *q, std::size_t size) {
    kinematics(system_, q, size, bodies_.data(), geoms_.data());
    for (std::size_t g = 0; g < system_.geoms.size(); ++g) {
      const bool still = system_.geoms[g].body < 0;
      if (still && placed_[g * block].shape != nullptr) {
        continue; // where the last block has left it
      }
      const Shape &shape = shapes_.items[g];
      for (std::size_t i = 0; i < (still ? block : size); ++i) {
        const std::size_t row = still ? 0 : i;
        Placed &placed = placed_[g * block + i];
        placed = place(shape, geoms_.data() + 7 * (row * system_.geoms.size() + g));
        const Vec centre = placed.position + placed.rotation * shape.centre;
        centres_[g].x[i] = centre.x;
        centres_[g].y[i] = centre.y;
        centres_[g].z[i] = centre.z;
      }
    }
  }

  // Fill `apart` (squared, centre from centre) of a pair; return the sum of the radii, infinite
  // where there are no bounds.
  double spheres(std::size_t pair, double *apart) const {
    const std::size_t a = index(pair, 0), b = index(pair, 1);
    for (std::size_t i = 0; i < block; ++i) {
      const double x = centres_[a].x[i] - centres_[b].x[i];
      const double y = centres_[a].y[i] - centres_[b].y[i];
      const double z = centres_[a].z[i] - centres_[b].z[i];
      apart[i] = x * x + y * y + z * z;
    }
    const Shape &first = shapes_.items[a], &second = shapes_.items[b];
    const bool bounded =
        first.type != ShapeType::half_space && second.type != ShapeType::half_space;
    return bounded ? first.reach + second.reach + slack : infinity;
  }

  const Placed &placed(std::size_t pair, std::size_t side, std::size_t lane) const {
    return placed_[index(pair, side) * block + lane];
  }

private:
  std::size_t index(std::size_t pair, std::size_t side) const {
    return static_cast<std::size_t>(pairs_.items[2 * pair + side]);
  }

  const System &system_;
  const Shapes &shapes_;
  const PairList &pairs_;
  std::vector<double> bodies_, geoms_;
  std::vector<Centre> centres_;
  std::vector<Placed> placed_; // geom by geom, lane by lane
};

} // namespace

void first_hits(const System &system, const Shapes &shapes, const double *q, std::size_t count,
                const PairList &pairs, double margin, std::int32_t *pair) {
  Blocks blocks(system, shapes, pairs);
  std::fill_n(pair, count, -1);
  double apart[block];
  for (std::size_t first = 0; first < count; first += block) {
    const std::size_t size = std::min(block, count - first);
    blocks.place_all(q + first * system.position_count, size);
    std::size_t open = size;
    for (std::size_t p = 0; p < pairs.count && open > 0; ++p) {
      const double reach = blocks.spheres(p, apart) + margin;
      for (std::size_t i = 0; i < size; ++i) {
        if (pair[first + i] < 0 && !(apart[i] > reach * reach) &&
            overlap(blocks.placed(p, 0, i), blocks.placed(p, 1, i), margin)) {
          pair[first + i] = static_cast<std::int32_t>(p);
          --open;
        }
      }
    }
  }
}

void nearest_pairs(const System &system, const Shapes &shapes, const double *q, std::size_t count,
                   const PairList &pairs, double *least, std::int32_t *pair) {
  Blocks blocks(system, shapes, pairs);
  std::fill_n(pair, count, -1);
  std::fill_n(least, count, infinity);
  double apart[block];
  std::size_t capped = 0;
  for (std::size_t first = 0; first < count; first += block) {
    const std::size_t size = std::min(block, count - first);
    blocks.place_all(q + first * system.position_count, size);
    for (std::size_t p = 0; p < pairs.count; ++p) {
      const double reach = blocks.spheres(p, apart);
      for (std::size_t i = 0; i < size; ++i) {
        const double far = reach + least[first + i]; // what is beyond can't be nearer
        if (far > 0.0 && apart[i] > far * far) {
          continue;
        }
        const double found =
            distance(blocks.placed(p, 0, i), blocks.placed(p, 1, i), capped).distance;
        if (found < least[first + i]) {
          least[first + i] = found;
          pair[first + i] = static_cast<std::int32_t>(p);
        }
      }
    }
  }
}

} // namespace phyzctl
