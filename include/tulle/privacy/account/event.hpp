// What an accountant needs to know about a release: its noise, how the data were sampled, how often it runs.
#pragma once

#include <tulle/privacy/account/sampling.hpp>

#include <cstdint>
#include <string>
#include <variant>
#include <vector>

#pragma GCC visibility push(default)

namespace tulle {

// Noise is relative to the sensitivity of the query, in the norm named at each type.
//
// Under `replace`, the noise of a sampled release is relative to the *contribution* instead: the largest
// norm C of what one unit adds to the sum (its clipping norm). Without sampling, the sensitivity of the same
// query is 2C. See Event::sampled.

struct GaussianRelease {
  double noise_multiplier;  // sigma / Delta_2, for scalars and vectors
  bool operator==(const GaussianRelease&) const = default;
};

struct LaplaceRelease {
  double noise_multiplier;  // b / Delta_1, for a scalar
  bool operator==(const LaplaceRelease&) const = default;
};

// Integer noise with P(k) prop. to exp(-k^2 / (2 sigma^2)), each coordinate on its own; sigma and sensitivity
// in grid steps.
struct DiscreteGaussianRelease {
  double sigma;
  double sensitivity;         // Delta_2
  std::uint64_t coordinates;  // number of coordinates released together
  bool operator==(const DiscreteGaussianRelease&) const = default;
};

// Integer noise with P(k) prop. to exp(-|k| / scale), for a scalar; both in grid steps.
struct DiscreteLaplaceRelease {
  double scale;
  std::uint64_t sensitivity;  // Delta_1
  bool operator==(const DiscreteLaplaceRelease&) const = default;
};

// Any mechanism proven (epsilon, delta)-private by itself: staircase noise, randomised response,
// exponential-norm noise, the exponential mechanism (delta = 0), ...
struct Approximate {
  double epsilon, delta;
  bool operator==(const Approximate&) const = default;
};

using Mechanism = std::variant<GaussianRelease, LaplaceRelease, DiscreteGaussianRelease,
                               DiscreteLaplaceRelease, Approximate>;

struct Unsampled {
  bool operator==(const Unsampled&) const = default;
};

using Sampling = std::variant<Unsampled, PoissonSampling, FixedBatch>;

// Construct one with a function below, then refine it with sampled() and times():
//
//   Event::gaussian(1.1).sampled(sampler.sampling()).times(14062)
class Event {
 public:
  static Event gaussian(double noise_multiplier);
  static Event laplace(double noise_multiplier);  // for a vector: pure(Delta_1 / b)
  static Event discrete_gaussian(double sigma, double sensitivity, std::uint64_t coordinates = 1);
  static Event discrete_laplace(double scale,
                                std::uint64_t sensitivity);  // for a vector: pure(Delta_1 / scale)
  static Event pure(double epsilon);
  static Event approximate(double epsilon, double delta);

  // The same release on a sample of the units. The noise, or epsilon and delta, is then relative to
  // - PoissonSampling: the contribution of one unit, whatever the relation; under `replace` two of them
  // count;
  // - FixedBatch: the sensitivity under replacement (twice the contribution).
  Event sampled(const PoissonSampling& sampling) const;
  Event sampled(const FixedBatch& sampling) const;

  // The same release, made `count` times as often.
  Event times(std::uint64_t count) const;

  // The same release with the counts added; an Error if the two are different releases.
  Event joined(const Event& other) const;

  const Mechanism& mechanism() const { return mechanism_; }
  const Sampling& sampling() const { return sampling_; }
  std::uint64_t count() const { return count_; }

  // Whether both are the same release, whatever their counts.
  bool same_release(const Event& other) const {
    return mechanism_ == other.mechanism_ && sampling_ == other.sampling_;
  }
  bool operator==(const Event&) const = default;

 private:
  explicit Event(const Mechanism& mechanism) : mechanism_(mechanism) {}

  Mechanism mechanism_;
  Sampling sampling_;
  std::uint64_t count_ = 1;
};

// Adds a release to a list in which equal releases are joined.
void join(std::vector<Event>& events, const Event& event);

// One line for people: "Gaussian, noise multiplier 1.1, Poisson sampling at rate 0.00427, 14062 times".
std::string describe(const Event& event);

}  // namespace tulle

#pragma GCC visibility pop
