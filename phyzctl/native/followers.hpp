// Joints that follow others (mimic): q = ratio q_leader + offset. They keep their place among the
// positions and velocities, but have no motion of their own: with v = G u, u of all that follows
// nothing, the equations of motion are G' M G u' = G' f. These folded matrices and vectors are as
// large as the others, and a follower stands by itself in them. Where nothing follows, nothing is
// folded.
#pragma once

#include "bias_derivative.hpp"
#include "rows.hpp"

namespace phyzctl {

std::vector<Image> images(std::size_t count, const std::vector<Follower> &followers);

// Where the entries of a folded matrix may be, by those of the full one.
Pattern folded_pattern(const Pattern &paths, const std::vector<Image> &image);

// Per entry of the full matrix where it goes.
std::vector<Fold> folds(const Pattern &paths, const Pattern &pattern,
                        const std::vector<Image> &image);

// In place: f becomes G' f.
void fold(const Dynamics &dynamics, double *f);

// In place: what follows moves as what it follows.
void unfold(const Dynamics &dynamics, double *v);

// Positions and velocities of what follows, by those of what it follows.
void follow(const Dynamics &dynamics, double *q, double *v);

// G' A G, of a symmetric matrix and of one that is not.
void fold(const Dynamics &dynamics, const std::vector<double> &full, std::vector<double> &folded);
void fold(const Dynamics &dynamics, const GeneralMatrix &full, GeneralMatrix &folded);

// In place: J becomes J G.
void fold(const Dynamics &dynamics, Rows &rows);

} // namespace phyzctl
