// Privacy losses on a grid.
#pragma once

#include "pair.hpp"

#include <cstdint>
#include <vector>

namespace tulle::account {

// The loss index[i] * width has probability mass[i]; an infinite loss has `infinite`. Indices ascend.
struct GridLoss {
  std::vector<std::int64_t> index;
  std::vector<double> mass;
  double infinite = 0;
};

// From the loss `from` on, only every stride-th grid point is used: far out, where little depends on it.
struct Stride {
  double from;
  std::int64_t stride;
};

// Connect-the-dots: mass between two grid points is split between them such that its probabilities under P
// and under Q are kept; the result dominates the pair and agrees with it at the grid points (Doroshenko et
// al. 2022). Probability of up to `tail` is cut off at each end: it becomes an infinite loss at the upper end
// and the least loss kept at the lower end. Each mass is right to a relative kMassError. Not for
// WithoutReplacement and Concentrated. `strides` ascend.
GridLoss discretise(const Pair& pair, Direction direction, double width, double tail,
                    const std::vector<Stride>& strides = {});

inline constexpr double kMassError = 1e-12;

}  // namespace tulle::account
