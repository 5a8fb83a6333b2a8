#include "polytope.hpp"

namespace phyzctl {

void Polytope::start(const Corner *corners) {
  std::copy_n(corners, 4, corners_);
  for (int i = 0; i < 4; ++i) {
    slack_ = std::max(slack_, 1e-14 * largest(corners[i].w));
  }
  corner_count_ = face_count_ = 4;
  const int corner[4][3] = {{0, 1, 2}, {0, 3, 1}, {1, 3, 2}, {2, 3, 0}};
  const int across[4][3] = {{1, 2, 3}, {3, 2, 0}, {1, 3, 0}, {2, 1, 0}};
  for (int i = 0; i < 4; ++i) {
    set_face(i, corner[i][0], corner[i][1], corner[i][2]);
    std::copy_n(across[i], 3, faces_[i].across);
  }
}

int Polytope::nearest() const {
  int best = 0;
  double least = infinity;
  for (int i = 0; i < face_count_; ++i) {
    if (faces_[i].offset < least) {
      least = faces_[i].offset;
      best = i;
    }
  }
  return best;
}

bool Polytope::has(const Corner &corner) const {
  for (int i = 0; i < corner_count_; ++i) {
    const Vec &w = corners_[i].w;
    if (w.x == corner.w.x && w.y == corner.w.y && w.z == corner.w.z) {
      return true;
    }
  }
  return false;
}

bool Polytope::expand(int index, const Corner &corner) {
  seen_count_ = 0;
  look(index, corner.w);
  if (!find_rim()) {
    return false;
  }
  corners_[corner_count_] = corner;
  stitch(corner_count_++);
  return true;
}

// Collect the faces that w is in front of, or in the plane of, outwards from one of them.
void Polytope::look(int index, const Vec &w) {
  faces_[index].seen = true;
  seen_[seen_count_++] = index;
  for (int i = 0; i < seen_count_; ++i) {
    for (const int next : faces_[seen_[i]].across) {
      Face &face = faces_[next];
      if (!face.seen && dot(face.normal, w - corners_[face.corner[0]].w) > -slack_) {
        face.seen = true;
        seen_[seen_count_++] = next;
      }
    }
  }
}

// The edges between seen and unseen faces; false unless they are one way around.
bool Polytope::find_rim() {
  rim_count_ = 0;
  std::fill_n(starting_, corner_count_, -1);
  for (int i = 0; i < seen_count_; ++i) {
    const Face &face = faces_[seen_[i]];
    for (int k = 0; k < 3; ++k) {
      if (faces_[face.across[k]].seen) {
        continue;
      }
      const int from = face.corner[k];
      if (starting_[from] >= 0) {
        return false;
      }
      starting_[from] = rim_count_;
      rim_[rim_count_++] = {from, face.corner[(k + 1) % 3], face.across[k]};
    }
  }
  int steps = 0, at = 0;
  do {
    at = rim_count_ > 0 ? starting_[rim_[at].to] : -1;
    ++steps;
  } while (at > 0);
  return at == 0 && steps == rim_count_;
}

// A fan of faces from the rim to a new corner, in the places of the faces seen. One that sees a
// corner from all around leaves places over.
void Polytope::stitch(int corner) {
  while (seen_count_ < rim_count_) {
    seen_[seen_count_++] = face_count_++;
  }
  for (int i = 0; i < seen_count_; ++i) {
    if (i < rim_count_) {
      set_face(seen_[i], rim_[i].from, rim_[i].to, corner);
    } else {
      close(seen_[i]);
    }
  }
  for (int i = 0; i < rim_count_; ++i) {
    const Edge &edge = rim_[i];
    const int index = seen_[i], after = seen_[starting_[edge.to]];
    faces_[index].across[0] = edge.across;
    faces_[index].across[1] = after;
    faces_[after].across[2] = index;
    Face &beyond = faces_[edge.across];
    for (int k = 0; k < 3; ++k) {
      if (beyond.corner[k] == edge.to && beyond.corner[(k + 1) % 3] == edge.from) {
        beyond.across[k] = index;
      }
    }
  }
}

void Polytope::set_face(int index, int a, int b, int c) {
  Face &face = faces_[index];
  const Vec &at = corners_[a].w;
  const Vec normal = cross(corners_[b].w - at, corners_[c].w - at);
  const double size = length(normal);
  face.corner[0] = a;
  face.corner[1] = b;
  face.corner[2] = c;
  face.seen = false;
  face.normal = size > 0.0 ? scaled(1.0 / size, normal) : Vec{};
  face.offset = size > 0.0 ? dot(face.normal, at) : infinity;
}

Vec Polytope::foot(const Face &face) const {
  const Corner &a = corners_[face.corner[0]], &b = corners_[face.corner[1]],
               &c = corners_[face.corner[2]];
  const Vec ab = b.w - a.w, ac = c.w - a.w, ap = scaled(face.offset, face.normal) - a.w;
  const Vec normal = cross(ab, ac);
  const double area = squared(normal);
  const double y = std::max(0.0, dot(cross(ap, ac), normal) / area);
  const double z = std::max(0.0, dot(cross(ab, ap), normal) / area);
  const double x = std::max(0.0, 1.0 - y - z), sum = x + y + z;
  return scaled(x / sum, a.a) + scaled(y / sum, b.a) + scaled(z / sum, c.a);
}

} // namespace phyzctl
