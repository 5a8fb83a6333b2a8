#include "site_reach.hpp"

#include <cmath>

#include "passive.hpp"

namespace phyzctl {
namespace {

// A force at a point of a body, and a torque.
Spatial wrench(const Workspace &work, std::int32_t body, const Vec &point, const Vec &force,
               const Vec &torque) {
  return {torque + cross(point - tree_point(work, body), force), force};
}

Vec part(const double *gear) { return {gear[0], gear[1], gear[2]}; }

// A force and a torque in the frame of the site itself; that has no length.
SiteReach reach_alone(const Actuator &actuator, const Pose<double> &site, const Workspace &work) {
  const Vec force = rotate(site.q, part(actuator.gear));
  const Vec torque = rotate(site.q, part(actuator.gear + 3));
  return {0.0, {actuator.target, -1}, {wrench(work, actuator.target, site.p, force, torque), {}}};
}

// How far the site is from the other one, as a vector and as a turn in the frame of that.
SiteReach reach_apart(const Actuator &actuator, const Pose<double> &site,
                      const Pose<double> &other, const Workspace &work) {
  const Vec along = part(actuator.gear), about = part(actuator.gear + 3);
  const Vec force = rotate(other.q, along), torque = rotate(other.q, about);
  const Quat<double> inverse{other.q.w, -other.q.x, -other.q.y, -other.q.z};
  const double length =
      dot(site.p - other.p, force) + dot(rotation_vector(inverse * site.q), about);
  return {length,
          {actuator.target, actuator.other},
          {wrench(work, actuator.target, site.p, force, torque),
           wrench(work, actuator.other, other.p, -force, -torque)}};
}

// A crank's pin, at v from a slider that moves along its frame's z, the axis a, to which a rod ties
// it: l = a v - sqrt((a v)² + rod² - v²). Where the rod is too short, the root counts as zero.
SiteReach reach_slider(const Actuator &actuator, const Pose<double> &pin,
                       const Pose<double> &slider, const Workspace &work) {
  const Vec axis = rotate(slider.q, Vec{0.0, 0.0, 1.0}), v = pin.p - slider.p;
  const double along = dot(axis, v);
  const double square = along * along + actuator.rod * actuator.rod - squared(v);
  const double root = square > 0.0 ? std::sqrt(square) : 0.0;
  const double share = square > 0.0 ? 1.0 - along / root : 1.0;
  const Vec straight = square > 0.0 ? scaled(1.0 / root, v) : Vec{};
  const Vec by_pin = scaled(actuator.gear[0], scaled(share, axis) + straight);
  const Vec by_axis = scaled(actuator.gear[0] * share, v);
  return {actuator.gear[0] * (along - root),
          {actuator.target, actuator.other},
          {wrench(work, actuator.target, pin.p, by_pin, {}),
           wrench(work, actuator.other, slider.p, -by_pin, cross(axis, by_axis))}};
}

} // namespace

SiteReach reach_site(const Actuator &actuator, const Workspace &work) {
  const Pose<double> site = placed(work, actuator.target, actuator.site);
  if (actuator.transmission == Transmission::site) {
    return reach_alone(actuator, site, work);
  }
  const Pose<double> other = placed(work, actuator.other, actuator.other_site);
  return actuator.transmission == Transmission::site_pair
             ? reach_apart(actuator, site, other, work)
             : reach_slider(actuator, site, other, work);
}

} // namespace phyzctl
