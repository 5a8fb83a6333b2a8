// Contacts of many configurations, for the door.
#pragma once

#include "contacts.hpp"

namespace phyzctl {

struct ContactBlock {
  std::vector<std::int64_t> start; // per configuration where its contacts start, and the end
  std::vector<std::int32_t> pair;
  std::vector<double> numbers; // 13 a contact: distance, position, frame
  std::size_t capped = 0;
};

// Of `count` rows of `q`, system.position_count numbers each.
ContactBlock contacts_at(const ContactWorld &world, const double *q, std::size_t count);

} // namespace phyzctl
