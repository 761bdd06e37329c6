// The noise of a release, calibrated to the sensitivity of a vector, and its privacy cost.
//
// Values and noise lie on a public grid; the sensitivity includes the rounding (noise/release.hpp), so the
// cost is exact.
#pragma once

#include <tulle/privacy/account/event.hpp>
#include <tulle/privacy/guarantee.hpp>
#include <tulle/privacy/noise/above.hpp>
#include <tulle/privacy/noise/key_selection.hpp>
#include <tulle/privacy/noise/local.hpp>
#include <tulle/privacy/noise/posterior_draw.hpp>
#include <tulle/privacy/noise/release.hpp>
#include <tulle/privacy/sensitivity.hpp>

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <variant>

#pragma GCC visibility push(default)

namespace tulle {

// Public bounds of a value.
struct Bounds {
  double low, high;
};

class AdditiveNoise {
 public:
  // epsilon-private; the sensitivity bounds the whole vector in L1 (or one coordinate).
  static AdditiveNoise laplace(const Sensitivity& sensitivity, double epsilon, std::uint64_t coordinates);

  // epsilon-private with the least variance, if one coordinate changes. If several change
  // (Sensitivity::changing), each gets an equal share of epsilon.
  static AdditiveNoise staircase(const Sensitivity& sensitivity, double epsilon, std::uint64_t coordinates);

  // Laplace noise on whole numbers: answers, sensitivity and releases are whole numbers.
  static AdditiveNoise discrete_laplace(const Sensitivity& sensitivity, double epsilon,
                                        std::uint64_t coordinates);

  // The same, of which only values that reach a threshold of 1 or more are released (Curator::release_above);
  // dropping the others is free. Where all coordinates are written out, 0 stands for a dropped one.
  static AdditiveNoise discrete_laplace_above(const Sensitivity& sensitivity, double epsilon,
                                              std::uint64_t coordinates, std::int64_t threshold);

  // For values in low .. high: unbiased mechanisms that use these bounds (noise/local.hpp), so their noise
  // depends on the value; deviation() is the largest. Less noise than staircase unless epsilon is large. One
  // unit changes up to `changing` of the values.
  static AdditiveNoise duchi(const Bounds& bounds, Unit unit, Relation relation, double epsilon,
                             std::uint64_t coordinates, std::uint64_t changing = 1);
  static AdditiveNoise piecewise(const Bounds& bounds, Unit unit, Relation relation, double epsilon,
                                 std::uint64_t coordinates, std::uint64_t changing = 1);

  // Replaces each sum of whole numbers in -half .. half by one draw from the posterior of their mean, times
  // their number (noise/posterior_draw.hpp): epsilon-private if one term of one of the sums is replaced.
  // `terms` holds the public number of terms of each sum.
  static AdditiveNoise posterior_draw(std::int64_t half, std::span<const std::uint64_t> terms, Unit unit,
                                      Relation relation, double epsilon);

  // Which keys are shown, of numbers of units by key (noise/key_selection.hpp): private with this budget, if
  // one unit changes up to `keys` of them by 1 each. How many keys there are is private: coordinates() is 0.
  static AdditiveNoise key_selection(const Budget& budget, std::uint64_t keys, Unit unit, Relation relation);

  // Standard deviation noise_multiplier times the L2 sensitivity of the whole vector.
  static AdditiveNoise gaussian(const Sensitivity& sensitivity, double noise_multiplier,
                                std::uint64_t coordinates);

  // Density falling with the L2 norm of the whole vector, epsilon-private for its L2 sensitivity (wei2022,
  // lemma 2). No exact sampler is known: the noise is drawn to 45 bits (see noise/continuous.hpp), and name()
  // says so.
  static AdditiveNoise gamma_norm(const Sensitivity& sensitivity, double epsilon, std::uint64_t coordinates);

  // The same for each row of a matrix separately; epsilon-private for the L2,1 sensitivity of the matrix.
  static AdditiveNoise gamma_norm_by_row(const Sensitivity& sensitivity, double epsilon, std::uint64_t rows,
                                         std::uint64_t columns);

  const std::string& name() const { return name_; }
  const Sensitivity& sensitivity() const { return sensitivity_; }
  std::uint64_t coordinates() const { return coordinates_; }
  const Event& event() const { return event_; }    // of one release, unsampled
  double deviation() const { return deviation_; }  // standard deviation of the noise on each coordinate
  // For noise that depends on the value: the root of its mean variance over values uniform on their bounds.
  double typical_deviation() const;
  // ln of the density of `released` given the exact values, up to a constant that is the same for all
  // releases with this noise and number of coordinates. Auditors use the difference between two data sets.
  double log_likelihood(std::span<const double> released, std::span<const double> exact) const;
  // How keys are chosen, if they are.
  const KeySelection* keys() const { return std::get_if<KeySelection>(&noise_); }

 private:
  friend class Curator;
  friend class SharedNoise;
  struct GridGammaNorm {
    Grid grid;
    GammaNorm noise;
  };
  using Noise = std::variant<GridNoise, GridGammaNorm, BoundedResponse, PosteriorDraw, KeySelection>;

  AdditiveNoise(std::string name, const Sensitivity& sensitivity, std::uint64_t coordinates, Noise noise,
                Event event);
  void add_to(std::span<double> values, RandomBits& bits) const;
  ListedValues add_to(const ListedValues& values, RandomBits& bits) const;  // above the threshold

  std::string name_;
  Sensitivity sensitivity_;
  std::uint64_t coordinates_;
  Noise noise_;
  Event event_;
  double deviation_;
  std::optional<std::int64_t> threshold_;
};

}  // namespace tulle

#pragma GCC visibility pop
