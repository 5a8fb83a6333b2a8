// Contacts: where the geoms of a robot touch, for constraints to act there.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "contact.hpp"
#include "contact_travel.hpp"
#include "hull_faces.hpp"
#include "shapes.hpp"
#include "system.hpp"

namespace phyzctl {

// Flat arrays, row by row, as phyzctl.native.ContactWorld describes them.
struct ContactArrays {
  std::size_t count;
  const std::int32_t *geoms; // 2 a pair
  const std::int32_t *law;   // 1 a pair, an index of the laws
  std::size_t laws;
  const std::int32_t *dimension; // 1 a law
  const double *numbers;         // 18 a law: friction (5), solref (2), that of the tangents (2),
                                 // solimp (5), margin, gap, adhesion, restitution
  bool manifolds;                // false: pairs without a formula meet in one point at most
};

enum class ContactStatus { ok, geoms, unknown, order, law, dimension };

struct ContactCheck {
  ContactStatus status = ContactStatus::ok;
  std::size_t index = 0;
};

ContactCheck check(const System &system, const Shapes &shapes, const ContactArrays &arrays);

// What is near as a whole: a body with its geoms, or one geom of the world.
struct Cluster {
  std::int32_t body;  // -1: the world
  std::int32_t plane; // the geom, if it is a half-space of the world; else -1
  std::int32_t solid; // the geom, if it is another of the world; else -1
  Vec centre;         // of a ball around the geoms, in the body
  double reach;       // its radius; infinite where a half-space moves
  bool moves;         // with joints; a half-space, which leaves out nothing, does not count
};

// Pairs in a row between the same clusters.
struct PairGroup {
  std::int32_t clusters[2];
  std::size_t first, end;
  double room; // the largest distance at which one of the pairs makes contact
  double sides; // how many of them move; infinite where a half-space does
};

// Pairs in a row of a group between the same geom of one cluster and any of the other; -1 where the
// geom is a half-space, which no distance of balls leaves out.
struct PairRun {
  std::int32_t geom, cluster;
  std::size_t end;
};

// Groups in a row between one cluster and several that keep together: those of a tree, which a ball
// is found around anew for every state, or neighbours in the world.
struct Leap {
  std::int32_t single, tree; // a cluster; a tree, or -1: of the world
  std::size_t first, end;
  Vec centre; // of a ball around those of the world
  double reach, room, sides;
};

// A ball around some of the clusters.
struct ContactBall {
  Vec centre;
  double reach;
};

// A geom on its body.
struct ContactGeom {
  Mat3 rotation;
  Vec position, centre; // the centre is that of the bounds
  std::int32_t body, faces; // `faces` is an index, -1: none
};

// Immutable. The System and the Shapes must live as long.
struct ContactWorld {
  ContactWorld(const System &system, const Shapes &shapes, const ContactArrays &arrays);

  const HullFaces *faces_of(std::int32_t geom) const {
    const std::int32_t index = geoms[static_cast<std::size_t>(geom)].faces;
    return index < 0 ? nullptr : &hulls[static_cast<std::size_t>(index)];
  }

  const System &system;
  const Shapes &shapes;
  bool manifolds;
  bool rebounds = false; // some pair has restitution
  std::vector<ContactPair> pairs;
  std::vector<ContactGeom> geoms;
  std::vector<HullFaces> hulls;
  std::vector<Cluster> clusters;
  std::vector<PairGroup> groups;
  std::vector<PairRun> runs; // per pair that which it belongs to
  std::vector<Leap> leaps; // all groups
  std::vector<std::vector<std::int32_t>> trees; // the clusters of each that leaps ask for
  std::vector<std::vector<std::int32_t>> body_geoms; // per body those in pairs; last, the world's
  std::size_t most_corners; // of any face
};

// What one thread needs for one state; sized once. `contacts` keeps what it has grown to.
struct ContactWork {
  explicit ContactWork(const ContactWorld &world);

  std::vector<Contact> contacts; // by pair, then by feature
  std::size_t capped = 0;        // how often iterations ran out

  std::vector<Placed> placed; // per geom
  std::vector<Vec> centres;   // per geom, of its bounds
  std::vector<Vec> cluster_centres;
  std::vector<ContactBall> trees;
  std::vector<char> ready, found; // per body: its geoms are placed; per tree: its ball is known
  ContactTravel travel;
  std::vector<Vec> polygons[4];
};

// Groups that can be left out together, for those that the world has.
void find_leaps(ContactWorld &world);

// Around the balls of some clusters, wherever their centres are.
ContactBall ball_around(const std::vector<std::int32_t> &clusters, const ContactWorld &world,
                        const std::vector<Vec> &centres);

// Fill work.contacts for bodies at these poses, one a body of the System.
void find_contacts(const ContactWorld &world, const Pose<double> *bodies, ContactWork &work);

} // namespace phyzctl
