// Forward kinematics: where bodies and geoms are at given joint positions.
#pragma once

#include <cstddef>

#include "system.hpp"

namespace phyzctl {

// For each of `count` rows of `q` (system.position_count numbers) a row of poses in `bodies`
// (7 numbers a body: x y z and the unit quaternion w x y z) and, unless null, one in `geoms`.
void kinematics(const System &system, const double *q, std::size_t count, double *bodies,
                double *geoms);

// The poses of all bodies in up to `lanes` configurations, one a lane; lanes to spare repeat the
// last one.
void place_bodies(const System &system, const double *q, std::size_t count, Pose<Pack> *placed);

// The pose of a geom on bodies so placed.
Pose<Pack> place_geom(const Geom &geom, const Pose<Pack> *placed);

// Poses of 7 numbers to homogeneous matrices of 16, row by row.
void matrices(const double *poses, std::size_t count, double *matrices);

} // namespace phyzctl
