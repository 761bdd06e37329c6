// Third moments in the whitened space: few numbers however many words there are.
#pragma once

#include <tulle/method/topics.hpp>
#include <tulle/solve/topics/power.hpp>

#include <span>
#include <vector>

namespace tulle {

// The rows of W shortened to a public length and divided by it: a document then adds a tensor of norm at most
// 1, the mean of rank-one tensors of such rows.
struct ClippedRows {
  Matrix rows;   // of length at most 1
  double bound;  // what they were divided by
};

ClippedRows clip_rows(const Matrix& whiten, double bound);

// The length that costs least, when noise of deviation `noise` a number is added to moments of rows of length
// 1: noise grows with the third power of the bound, and what is cut off falls. `shares` says how common each
// word is. All of these are public.
double best_bound(const Matrix& whiten, const Vector& shares, double noise);

// The cells of a symmetric cube as a vector of the same norm, and back.
std::vector<double> isometric(const Cube& symmetric);
Cube cube_of(std::span<const double> isometric_cells, Eigen::Index size);

// How far the sum of third moments of rows of length at most 1 moves in L2 when one unit is replaced: two
// tensors of norm 1 differ by at most 2. With what rounding adds.
double replaced_cube(const TopicRequest& request, Eigen::Index size);

}  // namespace tulle
