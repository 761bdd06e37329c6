// Mechanisms of the local model: each person runs one on their own value before sending it. All are exact:
// the probabilities hold for epsilon rounded down to a rational, whatever floating point does elsewhere.
#pragma once

#include <tulle/privacy/noise/random_bits.hpp>
#include <tulle/privacy/noise/rational.hpp>

#include <cstdint>
#include <span>
#include <variant>

#pragma GCC visibility push(default)

namespace tulle {

// k-ary randomised response: the truth with probability e^epsilon / (e^epsilon + k - 1), else one of the
// others, uniformly.
class RandomisedResponse {
 public:
  static RandomisedResponse with_epsilon(double epsilon, std::uint32_t choices = 2);

  double epsilon() const { return epsilon_.value(); }
  std::uint32_t choices() const { return choices_; }
  double truth_probability() const;
  double other_probability() const;                                   // of each of the others
  std::uint32_t sample(std::uint32_t truth, RandomBits& bits) const;  // truth in 0 .. choices-1

  double unbiased(double observed_share) const;  // estimate of a choice's share, from that of its answers
  // Variance of that estimate from n people, of whom a share `true_share` holds the choice.
  double variance(double true_share, double people) const;

 private:
  RandomisedResponse(Rational epsilon, std::uint32_t choices) : epsilon_(epsilon), choices_(choices) {}
  Rational epsilon_;
  std::uint32_t choices_;
};

// Duchi, Jordan and Wainwright 2018, for x in [-1, 1]: +-bound, without bias. Best for small epsilon.
class Duchi {
 public:
  static Duchi with_epsilon(double epsilon);

  double epsilon() const { return response_.epsilon(); }
  double bound() const;  // (e^epsilon + 1) / (e^epsilon - 1)
  double variance(double x) const { return bound() * bound() - x * x; }
  double sample(double x, RandomBits& bits) const;
  double log_likelihood(double sampled, double x) const;

 private:
  explicit Duchi(RandomisedResponse response) : response_(response) {}
  RandomisedResponse response_;
};

// The piecewise mechanism (Wang et al. 2019), for x in [-1, 1]: uniform on a window around x with e^epsilon
// times the density of the rest of [-bound, bound], without bias. Here on 2^32 cells, so that it can be
// exact.
class Piecewise {
 public:
  static Piecewise with_epsilon(double epsilon);  // at most 20

  double epsilon() const { return epsilon_.value(); }
  double bound() const;  // (e^(epsilon/2) + 1) / (e^(epsilon/2) - 1), to a few parts in 2^32
  double variance(double x) const;
  double sample(double x, RandomBits& bits) const;
  double log_likelihood(double sampled, double x) const;  // up to a constant

 private:
  Piecewise(Rational epsilon, std::uint64_t window) : epsilon_(epsilon), window_(window) {}
  double value(std::uint64_t cell) const;
  Rational epsilon_;
  std::uint64_t window_;  // cells
};

// One of these mechanisms for values in low .. high instead of -1 .. 1.
class BoundedResponse {
 public:
  static BoundedResponse duchi(double epsilon, double low, double high);
  static BoundedResponse piecewise(double epsilon, double low, double high);

  double variance(double value) const;
  double worst_variance() const;                              // over the values of the range
  double average_variance() const;                            // over a value that is uniform on the range
  double sample(double value, RandomBits& bits) const;        // values beyond the range are clamped to it
  double log_likelihood(double sampled, double value) const;  // up to a constant

 private:
  using Mechanism = std::variant<Duchi, Piecewise>;
  BoundedResponse(const Mechanism& mechanism, double low, double high);

  Mechanism mechanism_;
  double middle_, half_;  // of the range
};

// Perturbs each value independently.
void release(std::span<double> values, const BoundedResponse& response, RandomBits& bits);

}  // namespace tulle

#pragma GCC visibility pop
