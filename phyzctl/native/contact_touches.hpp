// Where the contacts of one pair go.
#pragma once

#include <vector>

#include "contact.hpp"

namespace phyzctl {

// The normal and two tangents: the first along `tangent`, or, where that is zero, along the y axis
// of the world, or its z axis where the normal is nearer to y. MuJoCo's rule; its pyramids of
// friction lie along these.
inline Mat3 contact_frame(const Vec &normal, const Vec &tangent) {
  const Vec wanted = squared(tangent) >= 0.25           ? tangent
                     : std::fabs(normal.y) < 0.5 ? Vec{0.0, 1.0, 0.0}
                                                 : Vec{0.0, 0.0, 1.0};
  const Vec across = wanted - scaled(dot(normal, wanted), normal);
  const double size = length(across);
  Vec y = size > 1e-15                    ? scaled(1.0 / size, across)
          : std::fabs(normal.x) <= 1e-15 ? Vec{1.0, 0.0, 0.0}
                                         : perpendicular(normal);
  if (size < 0.1) { // little was left of it, and that is off by as much more
    y = y - scaled(dot(normal, y), normal);
    y = scaled(1.0 / length(y), y);
  }
  return {normal, y, cross(normal, y)};
}

class Touches {
public:
  Touches(std::vector<Contact> &contacts, std::int32_t pair, double room)
      : contacts_(contacts), pair_(pair), room_(room) {}

  // Contacts are made up to this distance.
  double room() const { return room_; }

  // `position` is halfway between the surfaces. True when that is near enough for a contact.
  bool add(double distance, const Vec &position, const Vec &normal, const Vec &tangent = {}) {
    if (!(distance <= room_)) {
      return false;
    }
    contacts_.push_back({pair_, distance, position, contact_frame(normal, tangent)});
    return true;
  }

private:
  std::vector<Contact> &contacts_;
  std::int32_t pair_;
  double room_;
};

} // namespace phyzctl
