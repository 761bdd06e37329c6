// Effects observed with noise, part of which is Laplace noise, and their posterior under a prior of unknown
// standard deviation (empirical Bayes).
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <span>
#include <vector>

namespace tulle {

// Standard deviations that effects may have, in widths of the range: 0, and steps of a constant ratio.
inline constexpr std::size_t kDeviations = 23;
const std::array<double, kDeviations>& deviations();
using DeviationWeights = std::array<double, kDeviations>;  // adding up to 1

// One effect plus Gaussian noise of this variance and Laplace noise of this scale.
struct SeenEffect {
  double value = 0, gaussian = 0, laplace = 0;

  double variance() const { return gaussian + 2 * laplace * laplace; }
  // The variance of the noise if the effect has about this size. Laplace noise of scale l is a mixture of
  // Gaussians with mean precision 1 / (l |r|) if the noise is r: outliers weigh less.
  double variance_about(double effect) const {
    return gaussian + laplace * std::max(2 * laplace, std::abs(value - effect));
  }

  struct Posterior {
    double log_evidence, mean;
  };
  Posterior under(double square) const;  // under the prior N(0, square)
};

// The posterior of the deviation of effects, with an even prior on deviations() up to `most`, and the
// posterior means of the effects.
struct Shrunk {
  DeviationWeights weights = {};
  std::vector<double> means;
  double log_evidence = 0;
};

Shrunk shrink(std::span<const SeenEffect> seen, double most);

}  // namespace tulle
