// Offsets of positions whose very number of cells is private: the first stage of joint privacy.
//
// For every position of a shared mode two sums over users were released, both with Gaussian noise:
//   sums[j]   = sum of w_u (x - mean of u)  =  W_j b_j + spread,   counts[j] = sum of w_u  =  W_j,
// over the cells of j, where w_u is the weight that scales the vector of user u to its bound. The prior of W
// is estimated from all noisy counts (Kiefer and Wolfowitz 1956), and each offset is averaged over the
// posterior of W_j (empirical Bayes). The prior mean of offsets may be linear in log W: popular positions
// often have larger values.
#pragma once

#include <tulle/tensor/matrix.hpp>

#include <span>

namespace tulle {

struct NoisyPositions {
  std::span<const double> sums, counts;
  double sum_deviation, count_deviation;  // of the noise
  double weight;                          // about the weight w of a cell
};

struct PositionPosteriors {
  Vector offsets;     // E[b_j], 0 on the average over cells
  Vector popularity;  // E[log of the number of cells], 0 on the average over cells and of variance 1
};

// In units in which values vary by about 1 around the offsets.
PositionPosteriors position_posteriors(const NoisyPositions& released);

}  // namespace tulle
