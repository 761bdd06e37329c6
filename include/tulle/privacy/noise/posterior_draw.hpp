// One draw from the exact posterior of a mean, by the exponential mechanism (one posterior sample, OPS: Wang,
// Fienberg and Smola 2015, theorem 1).
//
// Given a sum s of n whole numbers in -h .. h, the mean theta = k / n, k in -n h .. n h, with a prior uniform
// on these points and Normal observations of precision p has
//   P(k) proportional to exp(-p/2 sum_i (x_i - k/n)^2), that is to exp(-(k - s)^2 / (2 sigma^2)),
//   sigma^2 = n / p,
// a discrete Gaussian around the sum, conditioned on the bounds of every mean. If one x_i is replaced, s
// changes by d, |d| <= 2h, and the logarithm of the numerator by a function of k that is linear with slope d
// / sigma^2, up to a constant that the normalisation removes: between -n h and n h it changes by 2 n h |d| /
// sigma^2 <= 4 n h^2 / sigma^2, which bounds the privacy loss. Precision p = epsilon / (2h)^2 makes that
// epsilon. Theorem 1 bounds the loss by 4 B, B = max |ln p(x|theta)|; the change is at most p (2h)^2 / 2 at
// every theta, and twice that is the same epsilon.
//
// Sampled exactly, like discrete.hpp, and redrawn while it is outside the bounds. The number of redraws
// depends on the sum, by a factor of 2 at most: do not let an adversary measure the time.
#pragma once

#include <tulle/privacy/noise/discrete.hpp>

#include <cstdint>
#include <span>
#include <vector>

#pragma GCC visibility push(default)

namespace tulle {

class PosteriorDraw {
 public:
  // For sums of terms[i] terms in -half .. half each. A UsageError if sigma would exceed 2^26, or if too few
  // draws are within bounds (epsilon x terms below 1e-6) and sampling would take long.
  static PosteriorDraw of_sums(double epsilon, std::int64_t half, std::span<const std::uint64_t> terms);

  // The largest power of two, at most 2^20, that of_sums() takes for half with this many terms; 0: none.
  static std::int64_t finest_half(double epsilon, std::uint64_t terms);

  std::size_t size() const { return limits_.size(); }
  std::int64_t limit(std::size_t i) const { return limits_[i]; }  // terms x half
  double sigma(std::size_t i) const;  // before conditioning; 0 if there are no terms
  // Standard deviation of a draw, for the sum for which it is largest; the second: the largest of all draws.
  double deviation(std::size_t i) const;
  double largest_deviation() const;

  // Sums beyond the limit are clamped to it.
  std::int64_t sample(std::size_t i, double sum, RandomBits& bits) const;
  double pmf(std::size_t i, std::int64_t k, double sum) const;
  // Up to a constant that depends on i alone; arguments beyond the limit are clamped to it.
  double log_likelihood(std::size_t i, double drawn, double sum) const;

 private:
  PosteriorDraw() = default;
  std::int64_t within(std::size_t i, double sum) const;
  double mass(std::size_t i, std::int64_t sum) const;  // of the discrete Gaussian within the bounds

  std::vector<std::int64_t> limits_;
  std::vector<DiscreteGaussian> noise_;  // unused where the limit is 0
};

// Replaces every sum by a draw.
void release(std::span<double> sums, const PosteriorDraw& draw, RandomBits& bits);

}  // namespace tulle

#pragma GCC visibility pop
