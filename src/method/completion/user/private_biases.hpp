// Offsets of positions whose very number of cells is private: the first stage of joint privacy.
//
// For every position of a shared mode two sums over users were released, both with Gaussian noise:
//   sums[j]   = sum of w_u (x - mean of u)  =  W_j b_j + spread,   counts[j] = sum of w_u  =  W_j,
// over the cells of j, where w_u is what keeps the vector of user u short. Neither is trusted alone: how the
// W are distributed is learnt from all noisy counts together (Kiefer and Wolfowitz 1956), and with it each
// offset is averaged over what W_j may be. Offsets may follow a trend in log W: what is popular is often
// liked.
#pragma once

#include <tulle/tensor/matrix.hpp>

#include <span>

namespace tulle {

struct NoisyPositions {
  std::span<const double> sums, counts;
  double sum_deviation, count_deviation;  // of the noise
  double weight;                          // about the weight w of a cell
};

struct PositionBeliefs {
  Vector offsets;     // E[b_j], 0 on the average over cells
  Vector popularity;  // E[log of the number of cells], 0 on the average over cells and of variance 1
};

// In units in which values vary by about 1 around the offsets.
PositionBeliefs believe(const NoisyPositions& released);

}  // namespace tulle
