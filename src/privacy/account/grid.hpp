// Privacy losses on a grid.
#pragma once

#include "pair.hpp"

#include <cstdint>
#include <vector>

namespace tulle::account {

// Probability `mass[i]` of the loss index[i] * width, and of an infinite loss; indices ascend.
struct GridLoss {
  std::vector<std::int64_t> index;
  std::vector<double> mass;
  double infinite = 0;
};

// From the loss `from` on, only every stride-th grid point is used: far out, where little is decided.
struct Stride {
  double from;
  std::int64_t stride;
};

// Connect-the-dots: what lies between two grid points is split between them such that its probabilities under
// P and under Q are kept; the result dominates the pair and agrees with it at the grid points (Doroshenko et
// al. 2022). Probability of up to `tail` at each end is cut off: at the upper end it becomes an infinite
// loss, at the lower end the least loss kept. Each mass is right to within a share of kMassError. Not for
// WithoutReplacement and Concentrated. `strides`: ascending.
GridLoss discretise(const Pair& pair, Direction direction, double width, double tail,
                    const std::vector<Stride>& strides = {});

inline constexpr double kMassError = 1e-12;

}  // namespace tulle::account
