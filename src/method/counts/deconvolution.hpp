// Counts from noisy values of them: posterior means and variances, given about how many are expected.
#pragma once

#include <span>
#include <vector>

namespace tulle {

// The noise of every value, as far as its law matters.
struct NoiseLaw {
  double variance;
  bool laplace;  // discrete Laplace; else about normal
};

struct PosteriorCounts {
  std::vector<double> means, variances;
};

// A count has z times its expected number as mean and a variance of its own beyond Poisson's; how often which
// z and variance occur is estimated from all values, by EM over a fixed list of them (non-parametric
// empirical Bayes).
PosteriorCounts posterior_of_counts(std::span<const double> expected, std::span<const double> noisy,
                                    const NoiseLaw& noise);

}  // namespace tulle
