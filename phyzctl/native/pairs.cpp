#include "pairs.hpp"

#include <algorithm>

#include "narrowphase.hpp"

namespace phyzctl {
namespace {

void write(double *row, const Vec &v) {
  row[0] = v.x;
  row[1] = v.y;
  row[2] = v.z;
}

// Calls back with each pair placed, and a running number.
template <class Each>
void each_pair(const Shapes &shapes, const double *poses, std::size_t count, const PairList &pairs,
               const Each &each) {
  const std::size_t shape_count = shapes.items.size();
  std::vector<Placed> placed(shape_count);
  for (std::size_t n = 0; n < count; ++n, poses += 7 * shape_count) {
    for (std::size_t i = 0; i < shape_count; ++i) {
      placed[i] = place(shapes.items[i], poses + 7 * i);
    }
    for (std::size_t i = 0; i < pairs.count; ++i) {
      each(n * pairs.count + i, placed[pairs.index(i, 0)], placed[pairs.index(i, 1)]);
    }
  }
}

} // namespace

std::vector<std::size_t> named(const PairList &pairs) {
  std::vector<std::size_t> result(pairs.items, pairs.items + 2 * pairs.count);
  std::sort(result.begin(), result.end());
  result.erase(std::unique(result.begin(), result.end()), result.end());
  return result;
}

PairCheck check(const Shapes &shapes, const PairList &pairs) {
  const auto count = static_cast<std::int64_t>(shapes.items.size());
  for (std::size_t i = 0; i < pairs.count; ++i) {
    ShapeType types[2];
    for (std::size_t k = 0; k < 2; ++k) {
      const std::int32_t index = pairs.items[2 * i + k];
      if (index < 0 || index >= count) {
        return {PairStatus::range, i};
      }
      types[k] = shapes.items[static_cast<std::size_t>(index)].type;
      if (types[k] == ShapeType::none) {
        return {PairStatus::none, i};
      }
    }
    if (types[0] == ShapeType::half_space && types[1] == ShapeType::half_space) {
      return {PairStatus::half_spaces, i};
    }
  }
  return {};
}

Placed place(const Shape &shape, const double *row) {
  const Quat<double> turn = normalized({row[3], row[4], row[5], row[6]});
  return {&shape, matrix(turn), {row[0], row[1], row[2]}};
}

std::size_t distances(const Shapes &shapes, const double *poses, std::size_t count,
                      const PairList &pairs, const DistanceRows &rows) {
  std::size_t capped = 0;
  each_pair(shapes, poses, count, pairs,
            [&](std::size_t i, const Placed &a, const Placed &b) {
              const Separation found = distance(a, b, capped);
              rows.distance[i] = found.distance;
              write(rows.normal + 3 * i, found.normal);
              write(rows.a + 3 * i, found.a);
              write(rows.b + 3 * i, found.b);
            });
  return capped;
}

void overlaps(const Shapes &shapes, const double *poses, std::size_t count, const PairList &pairs,
              double margin, bool *result) {
  each_pair(shapes, poses, count, pairs, [&](std::size_t i, const Placed &a, const Placed &b) {
    result[i] = overlap(a, b, margin);
  });
}

} // namespace phyzctl
