// Noise on the reals: its moments and densities, for code that uses the known noise.
//
// None of these is released as a double: a release draws whole numbers on a grid (release.hpp). fill() is for
// noise that stays inside a computation: simulation, Langevin steps, audits. It guarantees: each number is a
// function of uniform doubles made of at least 63 fresh bits (rounded to 53 significant ones), computed with
// an error below 2^-47 of the radius (Gaussian) or of itself (Laplace). Its distribution function is within
// 2^-45 of the true one everywhere, and |x| stops at 9.5 sigma (Gaussian) and 44.4 scales (Laplace), beyond
// which the true mass is 2^-68 and 2^-64. The time does not depend on the bits, and the numbers do not depend
// on the threads or the machine.
#pragma once

#include <tulle/privacy/noise/random_bits.hpp>

#include <cstdint>
#include <span>

#pragma GCC visibility push(default)

namespace tulle {

// Density exp(-|x|/scale) / (2 scale).
class Laplace {
 public:
  static Laplace with_scale(double scale);

  double scale() const { return scale_; }
  double variance() const { return 2 * scale_ * scale_; }
  double density(double x) const;
  double cdf(double x) const;
  void fill(std::span<double> values, RandomBits& bits) const;

 private:
  explicit Laplace(double scale) : scale_(scale) {}
  double scale_;
};

class Gaussian {
 public:
  static Gaussian with_sigma(double sigma);

  double sigma() const { return sigma_; }
  double variance() const { return sigma_ * sigma_; }
  double density(double x) const;
  double cdf(double x) const;
  void fill(std::span<double> values, RandomBits& bits) const;

 private:
  explicit Gaussian(double sigma) : sigma_(sigma) {}
  double sigma_;
};

// Symmetric density: a on [0, gamma D), a e^-epsilon on [gamma D, D), times e^-epsilon per further D.
class Staircase {
 public:
  static Staircase with_gamma(double epsilon, double sensitivity, double gamma);  // gamma in (0, 1]
  static Staircase optimal(double epsilon, double sensitivity);  // the gamma of least variance

  double epsilon() const { return epsilon_; }
  double sensitivity() const { return sensitivity_; }
  double gamma() const { return gamma_; }
  double variance() const;
  double density(double x) const;
  double cdf(double x) const;

 private:
  Staircase(double epsilon, double sensitivity, double gamma)
      : epsilon_(epsilon), sensitivity_(sensitivity), gamma_(gamma) {}
  double level() const;  // a
  double epsilon_, sensitivity_, gamma_;
};

// Density proportional to exp(-|x|_2 / scale) on R^d: with L2-sensitivity D of the whole vector, scale
// D/epsilon is epsilon-DP. The norm is Gamma(d, scale), the direction uniform; d = 1 is Laplace noise. No
// exact sampler on a grid is known, so a release has the accuracy of fill() and is not exact: see
// release.hpp.
class GammaNorm {
 public:
  static GammaNorm with_scale(std::int64_t dimension, double scale);

  std::int64_t dimension() const { return dimension_; }
  double scale() const { return scale_; }
  double mean_norm() const;
  double variance_norm() const;
  double mean_squared_norm() const;
  double coordinate_variance() const;
  double log_density(std::span<const double> x) const;
  // One vector after another: values.size() is a multiple of the dimension.
  void fill(std::span<double> values, RandomBits& bits) const;

 private:
  GammaNorm(std::int64_t dimension, double scale) : dimension_(dimension), scale_(scale) {}
  std::int64_t dimension_;
  double scale_;
};

}  // namespace tulle

#pragma GCC visibility pop
