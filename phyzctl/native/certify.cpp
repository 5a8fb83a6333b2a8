#include "certify.hpp"

#include <algorithm>

#include "narrowphase.hpp"

namespace phyzctl {
SearchCheck check(const System &system, const SearchArrays &arrays) {
  const auto bodies = static_cast<std::int32_t>(system.bodies.size());
  const auto variables = static_cast<std::int64_t>(arrays.variable_count);
  const std::int32_t ends[2] = {arrays.a, arrays.b};
  for (std::size_t i = 0; i < 2; ++i) {
    if (ends[i] < -1 || ends[i] >= bodies) {
      return {SearchFault::body, i};
    }
  }
  for (std::size_t j = 0; j < system.joints.size(); ++j) {
    const JointType type = system.joints[j].type;
    const std::int64_t first = arrays.motions.variable[j];
    const bool can_move = type != JointType::free && type != JointType::fixed;
    if (first >= 0 && (!can_move || first + (type == JointType::ball ? 3 : 1) > variables)) {
      return {SearchFault::variable, j};
    }
  }
  for (std::size_t i = 0; i < 2 * arrays.pairs.count; ++i) {
    const auto geom = static_cast<std::size_t>(arrays.pairs.items[i]);
    if (system.geoms[geom].body != ends[i % 2]) {
      return {SearchFault::pair, i / 2};
    }
  }
  for (std::size_t v = 0; v < arrays.variable_count; ++v) {
    if (!(std::isfinite(arrays.lower[v]) && arrays.lower[v] <= arrays.upper[v] &&
          std::isfinite(arrays.upper[v]))) {
      return {SearchFault::bounds, v};
    }
  }
  return {};
}

Search::Search(const System &system, const Shapes &shapes, const SearchArrays &arrays)
    : claim_(arrays.claim), chain_(system, arrays.a, arrays.b, arrays.motions),
      lower_(arrays.lower, arrays.lower + arrays.variable_count),
      upper_(arrays.upper, arrays.upper + arrays.variable_count) {
  std::vector<std::int32_t> known[2];
  const auto piece = [&](std::size_t side, std::int32_t geom) {
    const auto at = std::find(known[side].begin(), known[side].end(), geom);
    const auto index = static_cast<std::size_t>(at - known[side].begin());
    if (at == known[side].end()) {
      const auto g = static_cast<std::size_t>(geom);
      const Shape &shape = shapes.items[g];
      known[side].push_back(geom);
      pieces_[side].push_back(
          {&shape, Cloud(shape), system.geoms[g].pose, {}, chain_.steps(), -1});
    }
    return index;
  };
  for (std::size_t i = 0; i < arrays.pairs.count; ++i) {
    items_.push_back({piece(0, arrays.pairs.items[2 * i]), piece(1, arrays.pairs.items[2 * i + 1])});
  }
  const std::size_t count = chain_.steps().size();
  for (std::size_t k = 0; k < count; ++k) {
    const auto first = static_cast<std::size_t>(chain_.variable(k));
    const std::size_t end = first + (chain_.steps()[k].type == StepType::ball ? 3 : 1);
    for (std::size_t v = first; v < end; ++v) {
      if (std::find(variables_.begin(), variables_.end(), v) == variables_.end()) {
        variables_.push_back(v);
      }
    }
  }
  for (std::size_t v = 0; v < lower_.size(); ++v) {
    x_.push_back(0.5 * (lower_[v] + upper_[v]));
    h_.push_back(0.0);
  }
  witness_ = x_;
  widths_.resize(count);
  terms_.resize(lower_.size());
  for (std::size_t side = 0; side < 2; ++side) {
    std::size_t most = 0;
    for (const Piece &each : pieces_[side]) {
      most = std::max(most, each.cloud.size());
    }
    sway_[side] = {std::vector<double>(count), std::vector<double>(count),
                   std::vector<double>(most),  std::vector<double>(count + 1),
                   std::vector<double>(count + 1)};
  }
  for (std::size_t i = 0; i < items_.size(); ++i) {
    now_.push_back(static_cast<std::int32_t>(i));
  }
  for (const std::size_t v : variables_) {
    h_[v] = 0.5 * (upper_[v] - lower_[v]);
  }
  push(now_, 1.0);
}

SearchStatus Search::advance(double work) {
  const double end = spent_ + work;
  while (status_ == SearchStatus::open && spent_ < end) {
    if (stack_.empty()) {
      status_ = SearchStatus::proved;
      proved_ = 1.0;
      break;
    }
    examine();
  }
  return status_;
}

// Cells. A cell's box and items lie on top of two stacks that grow and shrink with the cells'.

void Search::push(const std::vector<std::int32_t> &items, double share) {
  stack_.push_back({active_.size(), share});
  active_.insert(active_.end(), items.begin(), items.end());
  for (const std::size_t v : variables_) {
    boxes_.push_back(x_[v]);
    boxes_.push_back(h_[v]);
  }
}

void Search::examine() {
  const Cell cell = stack_.back();
  stack_.pop_back();
  now_.assign(active_.begin() + static_cast<std::ptrdiff_t>(cell.first_item), active_.end());
  active_.resize(cell.first_item);
  const std::size_t base = boxes_.size() - 2 * variables_.size();
  for (std::size_t i = 0; i < variables_.size(); ++i) {
    x_[variables_[i]] = boxes_[base + 2 * i];
    h_[variables_[i]] = boxes_[base + 2 * i + 1];
  }
  boxes_.resize(base);
  ++cells_;
  place_cell();
  worst_ = claim_ == Claim::never ? infinity : -infinity;
  left_.clear();
  gap_ = infinity;
  for (const std::int32_t index : now_) {
    const Item &item = items_[static_cast<std::size_t>(index)];
    if (claim_ == Claim::never) {
      if (!is_free(item)) {
        left_.push_back(index);
      }
      if (status_ != SearchStatus::open) {
        return;
      }
    } else {
      left_.push_back(index);
      if (is_covered(item)) {
        left_.clear();
        break;
      }
    }
  }
  if (left_.empty()) {
    proved_ += cell.share;
  } else if (claim_ == Claim::always && gap_ >= -graze) {
    refute(gap_, gap_ > 0.0 ? SearchStatus::refuted : SearchStatus::grazes);
  } else {
    split(cell.share, left_);
  }
}

void Search::place_cell() {
  ++stamp_;
  chain_.place(x_.data());
  for (std::size_t k = 0; k < widths_.size(); ++k) {
    widths_[k] = chain_.width(k, x_.data(), h_.data());
  }
  spent_ += 100.0 + 60.0 * static_cast<double>(widths_.size());
}

Search::Piece &Search::placed(std::size_t side, std::size_t index) {
  Piece &piece = pieces_[side][index];
  if (piece.stamp == stamp_) {
    return piece;
  }
  piece.stamp = stamp_;
  const Pose<double> pose = (side == 0 ? chain_.a() : chain_.b()) * piece.pose;
  piece.placed = {piece.shape, matrix(normalized(pose.q)), pose.p};
  for (std::size_t k = 0; k < piece.steps.size(); ++k) {
    const Step &step = chain_.steps()[k];
    piece.steps[k].axis = back(piece.placed.rotation, step.axis);
    piece.steps[k].anchor = back(piece.placed.rotation, step.anchor - pose.p);
  }
  return piece;
}

// Cut the box across the variable that moves the pieces most.
void Search::split(double share, const std::vector<std::int32_t> &items) {
  std::size_t best = 0;
  double most = -1.0;
  for (std::size_t i = 0; i < variables_.size(); ++i) {
    if (terms_[variables_[i]] > most && h_[variables_[i]] > 0.0) {
      most = terms_[variables_[i]];
      best = i;
    }
  }
  if (most < 0.0) { // nothing moves, and still it is not settled: within rounding of touching
    refute(nearest(), SearchStatus::grazes);
    return;
  }
  const std::size_t v = variables_[best];
  const double centre = x_[v], half = 0.5 * h_[v];
  h_[v] = half;
  x_[v] = centre + half;
  push(items, 0.5 * share);
  x_[v] = centre - half;
  push(items, 0.5 * share);
}

void Search::refute(double distance, SearchStatus status) {
  witness_ = x_;
  witness_distance_ = distance;
  status_ = status;
}

// The claim "never" is in doubt at the centre: look whether there is an overlap nearby.
void Search::note_witness(double distance) {
  std::vector<double> x = x_;
  const double here = distance > 0.0 ? descend(x.data()) : distance;
  if (here > graze) {
    nearest_ = std::min(nearest_, here);
    ++stamp_; // back to the cell's centre
    chain_.place(x_.data());
    return;
  }
  x_ = x;
  refute(here, here < 0.0 ? SearchStatus::refuted : SearchStatus::grazes);
}

double Search::nearest() {
  double least = infinity;
  for (const Item &item : items_) {
    const Piece &a = placed(0, item.a), &b = placed(1, item.b);
    const Vec ca = a.placed.position + a.placed.rotation * a.shape->centre;
    const Vec cb = b.placed.position + b.placed.rotation * b.shape->centre;
    if (length(cb - ca) - a.shape->reach - b.shape->reach < least) {
      std::size_t capped = 0;
      least = std::min(least, phyzctl::distance(a.placed, b.placed, capped).distance);
      spent_ += 600.0;
    }
  }
  return least;
}

double Search::distance_at(const double *x) {
  ++stamp_;
  chain_.place(x);
  spent_ += 100.0 + 60.0 * static_cast<double>(widths_.size());
  return nearest();
}

// One variable after the other by a step that shrinks; ends at an overlap. Good enough: what it
// finds is a witness, what it misses the cells will show.
double Search::descend(double *x) {
  constexpr int most_rounds = 200;
  double best = distance_at(x), step = 0.1;
  for (int round = 0; round < most_rounds && step > 1e-7 && best >= 0.0; ++round) {
    bool better = false;
    for (const std::size_t v : variables_) {
      for (const double sign : {1.0, -1.0}) {
        const double before = x[v];
        x[v] = std::clamp(before + sign * step * (upper_[v] - lower_[v]), lower_[v], upper_[v]);
        const double now = x[v] == before ? infinity : distance_at(x);
        if (now < best) {
          best = now;
          better = true;
          break;
        }
        x[v] = before;
      }
    }
    step *= better ? 1.0 : 0.4;
  }
  return best;
}

} // namespace phyzctl
