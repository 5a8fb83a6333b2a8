// Branch and bound over the joints between two bodies: can they ever touch, can they ever part?
//
// Claim "never": no configuration in a box of joint positions lets the bodies touch. A box is cut
// in halves until each is proved free by a bound on how far points can move in it.
//
// Let the joints from A to B be 1 to n, c the centre of a cell with half widths h, and m any link
// on the path. A point p of A, seen from m, is moved by the joints k <= m:
//   p(q) - p(c) = sum_k T_m(q) .. T_{k+1}(q) [T_k(q) - T_k(c)] T_{k-1}(c) .. T_1(c) p,
// one joint after the other, those farther out still at the centre. What stands before the
// bracket preserves lengths, so the point moves by at most the sum of w_k = 2 r_k sin(min(h_k,
// pi) / 2), r_k the distance of p from axis k at the centre (h_k for a slide; for a ball joint
// the angle is at most |h|, r_k the distance from its centre). Likewise B by the joints k > m. So
//   (1) the cell is free if the gap along some direction n at the centre exceeds the sum of w_k
//       over both sides, for some m. The gap is taken from support points: whatever the search
//       for nearest points did, an n that separates is a proof.
// To second order, a vertex x of B is at least at height n.x(c) - sum h_k |n.(a_k x (x - o_k))| -
// rem along an n that is fixed in link m, with rem = sum_k R_k h_k (h_k / 2 + sum h_i over the
// joints i between m and k), since all second derivatives by joints i inside of k are at most
// R_k = r_k + the sum of w over the joints outside of k, r_k anywhere in the cell. A slide has
// the derivative n.a_k, none of second order by itself or as the inner joint, and at most 1 with
// a hinge inside of it. A polytope is beyond a plane if its vertices are, so
//   (2) the cell is free if the least of these heights over B's vertices exceeds the greatest of
//       A's by more than the radii around them.
// Every w_k and h_k shrinks with the cell, so that each configuration with a positive distance
// lies in some cell that (1) proves. The search ends: proved, at a witness that is nearer than
// `graze`, or out of work.
//
// Claim "always": the bodies overlap wherever they are. If two convex pieces overlap by depth d
// at the centre, which is what it takes to part them, they do in the whole cell if d exceeds the
// same sum of w_k: no support of their difference can shrink by more.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "chain.hpp"
#include "cloud.hpp"
#include "pairs.hpp"

namespace phyzctl {

constexpr double graze = 1e-5; // [m] what is nearer counts as touching

enum class Claim : std::int32_t { never = 0, always = 1 };
enum class SearchStatus : std::int32_t { open = 0, proved = 1, refuted = 2, grazes = 3 };

// What to search. `lower` and `upper` have `variable_count` numbers; pairs are geoms, one of body
// `a` and one of body `b` each.
struct SearchArrays {
  std::int32_t a, b;
  Motions motions;
  std::size_t variable_count;
  const double *lower, *upper;
  PairList pairs;
  Claim claim;
};

enum class SearchFault { ok, body, variable, pair, bounds };

struct SearchCheck {
  SearchFault status = SearchFault::ok;
  std::size_t index = 0;
};

// Every index names something that is there, geoms are of their bodies, and bounds are finite.
SearchCheck check(const System &system, const SearchArrays &arrays);

class Search {
public:
  Search(const System &system, const Shapes &shapes, const SearchArrays &arrays);

  // Go on until the claim is settled or `work` units, about a nanosecond each, are spent.
  SearchStatus advance(double work);

  // From variables x go downhill to a small distance of the two bodies; x becomes where it is.
  double descend(double *x);

  // The signed distance of the two bodies at x, over all pieces.
  double distance_at(const double *x);

  SearchStatus status() const { return status_; }
  double proved() const { return proved_; } // share of the box
  std::int64_t cells() const { return cells_; }
  double spent() const { return spent_; }
  double witness_distance() const { return witness_distance_; }
  const std::vector<double> &witness() const { return witness_; } // all variables

private:
  // One geom of a body.
  struct Piece {
    const Shape *shape;
    Cloud cloud;
    Pose<double> pose; // in the body
    Placed placed;
    std::vector<Step> steps; // of the chain, in the piece's frame
    std::int64_t stamp = -1; // the cell that it was placed for
  };
  struct Item {
    std::size_t a, b;
  };
  struct Cell {
    std::size_t first_item;
    double share;
  };
  // How a piece moves within the cell, joint by joint.
  struct Sway {
    std::vector<double> reach, w, values, lift, rem;
  };

  void examine();
  void place_cell();
  bool is_free(const Item &item);
  bool is_covered(const Item &item);
  void split(double share, const std::vector<std::int32_t> &items);
  void push(const std::vector<std::int32_t> &items, double share);
  bool spheres_part(const Piece &a, const Piece &b);
  void measure(Piece &piece, Sway &sway);
  void lift(Piece &piece, const Vec &normal, bool from_a, Sway &sway);
  double least_motion(std::size_t &link);
  void note_terms(double margin, std::size_t link, bool directional);
  void note_witness(double distance);
  double nearest();
  Piece &placed(std::size_t side, std::size_t index);
  void refute(double distance, SearchStatus status);

  Claim claim_;
  Chain chain_;
  std::vector<Piece> pieces_[2];
  std::vector<Item> items_;
  std::vector<std::size_t> variables_; // those that move the two against each other
  std::vector<double> lower_, upper_;

  std::vector<Cell> stack_;
  std::vector<double> boxes_;        // per cell centre and half widths of `variables_`
  std::vector<std::int32_t> active_; // per cell the items not yet settled in it
  std::vector<double> x_, h_;        // the cell's, all variables
  std::vector<std::int32_t> now_, left_;
  std::vector<double> widths_, terms_;
  Sway sway_[2];
  double worst_ = 0.0, nearest_ = infinity, gap_ = infinity;
  std::int64_t stamp_ = 0;

  SearchStatus status_ = SearchStatus::open;
  double proved_ = 0.0, spent_ = 0.0, witness_distance_ = infinity;
  std::int64_t cells_ = 0;
  std::vector<double> witness_;
};

} // namespace phyzctl
