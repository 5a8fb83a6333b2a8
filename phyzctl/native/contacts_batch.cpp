#include "contacts_batch.hpp"

#include "kinematics.hpp"

namespace phyzctl {
namespace {

void append(const Contact &contact, ContactBlock &found) {
  found.pair.push_back(contact.pair);
  found.numbers.push_back(contact.distance);
  const Mat3 &frame = contact.frame;
  for (const Vec &v : {contact.position, frame.x, frame.y, frame.z}) {
    found.numbers.insert(found.numbers.end(), {v.x, v.y, v.z});
  }
}

} // namespace

ContactBlock contacts_at(const ContactWorld &world, const double *q, std::size_t count) {
  ContactBlock found;
  ContactWork work(world);
  const std::size_t bodies = world.system.bodies.size(), width = world.system.position_count;
  std::vector<BlockPose> placed(bodies);
  std::vector<Pose<double>> poses(bodies);
  found.start.push_back(0);
  for (std::size_t first = 0; first < count; first += block) {
    const std::size_t some = std::min(block, count - first);
    place_bodies(world.system, q + width * first, some, placed.data());
    for (std::size_t i = 0; i < some; ++i) {
      for (std::size_t b = 0; b < bodies; ++b) {
        poses[b] = placed[b].of(i);
      }
      work.travel.forget();
      find_contacts(world, poses.data(), work);
      for (const Contact &contact : work.contacts) {
        append(contact, found);
      }
      found.start.push_back(static_cast<std::int64_t>(found.pair.size()));
    }
  }
  found.capped = work.capped;
  return found;
}

} // namespace phyzctl
