#include "contacts_batch.hpp"

#include "kinematics.hpp"

namespace phyzctl {
namespace {

Pose<double> lane_of(const Pose<Pack> &pose, std::size_t i) {
  return {{lane(pose.p.x, i), lane(pose.p.y, i), lane(pose.p.z, i)},
          {lane(pose.q.w, i), lane(pose.q.x, i), lane(pose.q.y, i), lane(pose.q.z, i)}};
}

void append(const Contact &contact, ContactBlock &block) {
  block.pair.push_back(contact.pair);
  block.numbers.push_back(contact.distance);
  const Mat3 &frame = contact.frame;
  for (const Vec &v : {contact.position, frame.x, frame.y, frame.z}) {
    block.numbers.insert(block.numbers.end(), {v.x, v.y, v.z});
  }
}

} // namespace

ContactBlock contacts_at(const ContactWorld &world, const double *q, std::size_t count) {
  ContactBlock block;
  ContactWork work(world);
  const std::size_t bodies = world.system.bodies.size(), width = world.system.position_count;
  std::vector<Pose<Pack>> placed(bodies);
  std::vector<Pose<double>> poses(bodies);
  block.start.push_back(0);
  for (std::size_t first = 0; first < count; first += lanes) {
    const std::size_t some = std::min(lanes, count - first);
    place_bodies(world.system, q + width * first, some, placed.data());
    for (std::size_t i = 0; i < some; ++i) {
      for (std::size_t b = 0; b < bodies; ++b) {
        poses[b] = lane_of(placed[b], i);
      }
      find_contacts(world, poses.data(), work);
      for (const Contact &contact : work.contacts) {
        append(contact, block);
      }
      block.start.push_back(static_cast<std::int64_t>(block.pair.size()));
    }
  }
  block.capped = work.capped;
  return block;
}

} // namespace phyzctl
