// Noise on the whole numbers, sampled exactly (Canonne, Kamath and Steinke 2020).
//
// "Exactly" means that no floating-point number takes part in a sample: given uniform bits, the probabilities
// are those of pmf() as a formula. One exception, of no consequence: a sampler that sees 500 coins of
// exp(-1/2) or less succeed in a row, which has probability below 2^-360, stops with an Error, because by
// then the source of bits is broken; so a sample is bounded, below kMaxNoise. The time a sample takes depends
// on the noise: do not let an adversary measure it.
#pragma once

#include <tulle/privacy/noise/random_bits.hpp>
#include <tulle/privacy/noise/rational.hpp>

#include <cstdint>

#pragma GCC visibility push(default)

namespace tulle {

// P(k) = (1-a)/(1+a) a^|k| with a = exp(-1/scale). With L1-sensitivity D (an integer), scale D/epsilon is
// epsilon-DP.
class DiscreteLaplace {
 public:
  static DiscreteLaplace with_scale(Rational scale);
  static DiscreteLaplace with_scale_at_least(double scale);

  Rational scale() const { return scale_; }
  std::int64_t sample(RandomBits& bits) const;

  double variance() const;
  double pmf(std::int64_t k) const;
  double cdf(std::int64_t k) const;  // P(K <= k)

 private:
  explicit DiscreteLaplace(Rational scale) : scale_(scale) {}
  Rational scale_;
};

// P(k) proportional to exp(-k^2 / (2 sigma^2)). With L2-sensitivity D, it is D^2/(2 sigma^2)-zCDP, like the
// continuous one.
class DiscreteGaussian {
 public:
  static DiscreteGaussian with_sigma2(Rational sigma2);
  static DiscreteGaussian with_sigma_at_least(double sigma);

  Rational sigma2() const { return sigma2_; }
  double sigma() const;
  std::int64_t sample(RandomBits& bits) const;

  double variance() const;  // a little below sigma^2
  double pmf(std::int64_t k) const;
  double cdf(std::int64_t k) const;

 private:
  explicit DiscreteGaussian(Rational sigma2);
  Rational sigma2_;
  std::uint64_t envelope_;  // scale of the discrete Laplace that is thinned out: floor(sigma) + 1
};

// The staircase (Geng and Viswanath 2014) on the integers: the least noise that is epsilon-DP for sensitivity
// D. For k >= 0, P(k) is a on 0 .. step-1, a e^-epsilon on step .. D-1, then P(k) = e^-epsilon P(k-D); and
// P(-k) = P(k).
class DiscreteStaircase {
 public:
  static DiscreteStaircase with_step(double epsilon, std::int64_t sensitivity, std::int64_t step);
  static DiscreteStaircase optimal(double epsilon, std::int64_t sensitivity);  // the step of least variance

  double epsilon() const { return epsilon_.value(); }
  std::int64_t sensitivity() const { return sensitivity_; }
  std::int64_t step() const { return step_; }
  std::int64_t sample(RandomBits& bits) const;

  double variance() const;
  double pmf(std::int64_t k) const;
  double cdf(std::int64_t k) const;

 private:
  DiscreteStaircase(Rational epsilon, std::int64_t sensitivity, std::int64_t step);
  double level() const;  // a
  Rational epsilon_;
  std::int64_t sensitivity_;
  std::int64_t step_;
};

}  // namespace tulle

#pragma GCC visibility pop
