// Forward kinematics: where bodies and geoms are at given joint positions.
#pragma once

#include <cstddef>

#include "system.hpp"

namespace phyzctl {

// For each of `count` rows of `q` (system.position_count numbers) a row of poses in `bodies`
// (7 numbers a body: x y z and the unit quaternion w x y z) and, unless null, one in `geoms`.
void kinematics(const System &system, const double *q, std::size_t count, double *bodies,
                double *geoms);

// Where a body or a geom is in a block of configurations.
struct BlockPose {
  Pose<Pack> pack[packs];

  Pose<double> of(std::size_t configuration) const {
    const Pose<Pack> &pose = pack[configuration / lanes];
    const std::size_t i = configuration % lanes;
    return {{lane(pose.p.x, i), lane(pose.p.y, i), lane(pose.p.z, i)},
            {lane(pose.q.w, i), lane(pose.q.x, i), lane(pose.q.y, i), lane(pose.q.z, i)}};
  }
};

// The poses of all bodies in up to `block` configurations. What is left of the last pack that has
// one repeats it; packs that have none are left as they are.
void place_bodies(const System &system, const double *q, std::size_t count, BlockPose *placed);

// Poses of 7 numbers to homogeneous matrices of 16, row by row.
void matrices(const double *poses, std::size_t count, double *matrices);

} // namespace phyzctl
