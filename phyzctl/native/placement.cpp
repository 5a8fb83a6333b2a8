#include "placement.hpp"

namespace phyzctl {
namespace {

Vec3<float> single(const Vec &v) {
  return {static_cast<float>(v.x), static_cast<float>(v.y), static_cast<float>(v.z)};
}

// One number of a pose in all configurations.
struct Row {
  alignas(16) float at[block];

  void set(std::size_t first, const Pack &values) {
#if defined(__GNUC__) || defined(__clang__)
    using Some = float __attribute__((vector_size(lanes * sizeof(float))));
    const Some some = __builtin_convertvector(values, Some);
    std::memcpy(at + first, &some, sizeof some);
#else
    at[first] = static_cast<float>(values);
#endif
  }

  Floats from(std::size_t first) const {
    Floats values;
    std::memcpy(&values, at + first, sizeof values);
    return values;
  }
};

// The rotation matrix of unit quaternions.
struct Turn {
  Vec3<Floats> x, y, z; // rows

  explicit Turn(const Quat<Floats> &q) {
    const Floats xx = q.x * q.x, yy = q.y * q.y, zz = q.z * q.z, xy = q.x * q.y, xz = q.x * q.z,
                 yz = q.y * q.z, wx = q.w * q.x, wy = q.w * q.y, wz = q.w * q.z;
    x = {1.0F - 2.0F * (yy + zz), 2.0F * (xy - wz), 2.0F * (xz + wy)};
    y = {2.0F * (xy + wz), 1.0F - 2.0F * (xx + zz), 2.0F * (yz - wx)};
    z = {2.0F * (xz - wy), 2.0F * (yz + wx), 1.0F - 2.0F * (xx + yy)};
  }

  Vec3<Floats> operator*(const Vec3<float> &v) const {
    return {x.x * v.x + x.y * v.y + x.z * v.z, y.x * v.x + y.y * v.y + y.z * v.z,
            z.x * v.x + z.y * v.y + z.z * v.z};
  }
};

} // namespace

Placement::Placement(const System &system, const Shapes &shapes)
    : system_(system), shapes_(shapes), bodies_(system.bodies.size()),
      spots_(system.bodies.size()), placed_(block * system.geoms.size()),
      known_(system.geoms.size()) {}

std::size_t Placement::add(std::int32_t body, const Vec &local, bool moves) {
  const std::size_t number = placed_spots_.size();
  const Vec3<float> v = single(local);
  placed_spots_.push_back({});
  if (body < 0) { // it stays where it is
    for (std::size_t i = 0; i < block; i += width) {
      placed_spots_.back().set(i, {Floats{} + v.x, Floats{} + v.y, Floats{} + v.z});
    }
  } else {
    spots_[static_cast<std::size_t>(body)].push_back({number, v, moves});
  }
  return number;
}

void Placement::place(const double *q, std::size_t size) {
  place_bodies(system_, q, size, bodies_.data());
  largest_ = 0.0;
  for (std::size_t g = 0; g < known_.size(); ++g) {
    known_[g] = system_.geoms[g].body < 0 ? known_[g] : Mask{0};
  }
  for (std::size_t body = 0; body < spots_.size(); ++body) {
    if (!spots_[body].empty()) {
      place_spots(body);
    }
  }
}

void Placement::place_spots(std::size_t body) {
  Row numbers[7];
  for (std::size_t pack = 0; pack < packs; ++pack) {
    const Pose<Pack> &pose = bodies_[body].pack[pack];
    const Pack *values[7] = {&pose.p.x, &pose.p.y, &pose.p.z, &pose.q.w,
                             &pose.q.x, &pose.q.y, &pose.q.z};
    for (std::size_t i = 0; i < 7; ++i) {
      numbers[i].set(pack * lanes, *values[i]);
    }
  }
  Floats most{};
  for (std::size_t i = 0; i < block; i += width) {
    const Vec3<Floats> p{numbers[0].from(i), numbers[1].from(i), numbers[2].from(i)};
    const Turn turn(
        {numbers[3].from(i), numbers[4].from(i), numbers[5].from(i), numbers[6].from(i)});
    most = larger(size(p.x), larger(size(p.y), larger(size(p.z), most)));
    for (const Spot &spot : spots_[body]) {
      const Vec3<Floats> turned = turn * spot.local;
      placed_spots_[spot.number].set(i, spot.moves ? p + turned : turned);
    }
  }
  largest_ = std::max(largest_, phyzctl::largest(most));
}

const Placed &Placement::exact(std::size_t geom, std::size_t configuration) {
  Placed &placed = placed_[geom * block + configuration];
  const Mask bit = Mask{1} << configuration;
  if ((known_[geom] & bit) == 0) {
    known_[geom] |= bit;
    placed = place_alone(geom, configuration);
  }
  return placed;
}

Placed Placement::place_alone(std::size_t geom, std::size_t configuration) const {
  const Geom &fixed = system_.geoms[geom];
  Pose<double> pose = fixed.pose;
  if (fixed.body >= 0) {
    pose = bodies_[static_cast<std::size_t>(fixed.body)].of(configuration) * fixed.pose;
  }
  return {&shapes_.items[geom], matrix(pose.q), pose.p};
}

} // namespace phyzctl
