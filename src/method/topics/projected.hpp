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

// The bound with the smallest expected error if every coordinate of the moments of rows of length 1 has noise
// of standard deviation `noise`: the noise grows with the third power of the bound, while clipping loses
// less. `shares` are those of the words. All of these are public.
double best_bound(const Matrix& whiten, const Vector& shares, double noise);

// The cells of a symmetric cube as a vector of the same norm, and the way back.
std::vector<double> isometric(const Cube& symmetric);
Cube cube_of(std::span<const double> isometric_cells, Eigen::Index size);

// The L2 sensitivity of the sum of third moments of rows of length at most 1 to replacing one unit: two
// tensors of norm at most 1 differ by at most 2, and rounding adds a little.
double replaced_cube(const TopicRequest& request, Eigen::Index size);

}  // namespace tulle
