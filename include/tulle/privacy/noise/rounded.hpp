// Continuous noise, rounded to whole numbers and sampled exactly.
//
// For a whole number x and real noise Z, x + round(Z) = round(x + Z): the release is post-processing of the
// continuous mechanism, and whatever is proven about that one (Gaussian DP, subsampling, privacy loss
// distributions, any number of coordinates and compositions) holds for the release too. The discrete Gaussian
// shares only the bounds on Renyi divergence. Exact in the sense of discrete.hpp, with the same exception.
#pragma once

#include <tulle/privacy/noise/random_bits.hpp>
#include <tulle/privacy/noise/rational.hpp>

#include <cstdint>
#include <span>

#pragma GCC visibility push(default)

namespace tulle {

// round(Z), Z normal with standard deviation sigma.
class RoundedGaussian {
 public:
  static RoundedGaussian with_sigma_at_least(double sigma);  // within a factor 1 + 2^-39

  double sigma() const { return sigma_.value(); }
  std::int64_t sample(RandomBits& bits) const;
  void fill(std::span<std::int64_t> values, RandomBits& bits) const;  // the same, faster

  double variance() const;  // a little above sigma^2
  double pmf(std::int64_t k) const;
  double cdf(std::int64_t k) const;

 private:
  explicit RoundedGaussian(Rational sigma) : sigma_(sigma) {}
  Rational sigma_;  // with a power of two for denominator
};

// round(Z), Z with density exp(-|x|/scale) / (2 scale).
class RoundedLaplace {
 public:
  static RoundedLaplace with_scale_at_least(double scale);  // within a factor 1 + 2^-39

  double scale() const { return scale_.value(); }
  std::int64_t sample(RandomBits& bits) const;

  double variance() const;
  double pmf(std::int64_t k) const;
  double cdf(std::int64_t k) const;

 private:
  explicit RoundedLaplace(Rational scale) : scale_(scale) {}
  Rational scale_;  // with a power of two for denominator
};

}  // namespace tulle

#pragma GCC visibility pop
