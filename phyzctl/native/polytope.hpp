// A closed convex surface of triangles that grows, corner by corner.
#pragma once

#include "support.hpp"

namespace phyzctl {

struct Face {
  int corner[3]; // counterclockwise, seen from outside
  int across[3]; // the face beyond the edge from corner i to corner i + 1
  Vec normal;    // outwards, of length one
  double offset; // of its plane from the origin; infinite for one that can't be expanded
  bool seen;
};

class Polytope {
public:
  // A tetrahedron; the triangle of the first three corners looks away from the fourth.
  void start(const Corner *corners);

  const Face &face(int index) const { return faces_[index]; }

  // The face whose plane is nearest to the origin, or the farthest behind it.
  int nearest() const;

  // Replace all faces that `corner` sees, `index` among them. False when rounding has made them
  // something else than one patch; the polytope is then of no further use.
  bool expand(int index, const Corner &corner);

  // Never name the face as the nearest again.
  void close(int index) { faces_[index].offset = infinity; }

  bool full() const { return corner_count_ == max_corners; }
  bool has(const Corner &corner) const;

  // The point of A that belongs to the point of the face's plane nearest to the origin.
  Vec foot(const Face &face) const;

private:
  static constexpr int max_corners = 200, max_faces = 2 * max_corners;

  struct Edge {
    int from, to, across;
  };

  void look(int index, const Vec &w);
  bool find_rim();
  void stitch(int corner);
  void set_face(int index, int a, int b, int c);

  Corner corners_[max_corners];
  Face faces_[max_faces];
  int corner_count_ = 0, face_count_ = 0;
  double slack_ = 0.0; // a corner this little behind a face's plane counts as in it
  int seen_[max_faces], seen_count_ = 0;
  Edge rim_[max_faces];
  int rim_count_ = 0;
  int starting_[max_corners]; // per corner the rim's edge that starts there, or -1
};

} // namespace phyzctl
