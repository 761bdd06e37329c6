// Which keys are shown, of many that are private themselves: each by a coin whose probability depends on the
// number n of units that have it. A key that no unit has is never shown.
//
// A unit changes the numbers of at most `keys` keys, each by 1, so every key has epsilon / keys and delta /
// keys (basic composition). With these as e and d, a choice by probabilities p(n) that do not fall is private
// if
//   p(n + 1) <= exp(e) p(n) + d,   1 - p(n) <= exp(e) (1 - p(n + 1)) + d:
// a key that is shown, or not, is so with one unit more or less. From p(0) = 0 on, the largest p(n + 1)
// within both, or 1, is as large as in any private choice (Desfontaines et al. 2022, theorem 1). It is the
// choice by a truncated geometric noise and a threshold; p(1) = d.
//
// Of the probability or its complement the smaller one is stored, a multiple of 2^-125, rounded so that both
// inequalities hold for what is stored; the coins are exact.
#pragma once

#include <tulle/privacy/noise/random_bits.hpp>

#include <cstdint>
#include <span>
#include <vector>

#pragma GCC visibility push(default)

namespace tulle {

class KeySelection {
 public:
  // A UsageError without a delta, and where a key gets so little of the budget that the table of
  // probabilities would be huge.
  static KeySelection of(double epsilon, double delta, std::uint64_t keys);

  double epsilon() const { return epsilon_; }
  double delta() const { return delta_; }
  // The probability that a key that so many units have is shown, and that it is not.
  double shown(double units) const;
  double hidden(double units) const;
  std::uint64_t even_chance() const;  // the least number that is shown with probability 1/2 or more

  bool shows(double units, RandomBits& bits) const;

  // The least delta with which epsilon bounds what the two choices tell of which numbers they were made from:
  // the larger of the two directions, over all sets of keys of which numbers differ. For auditors, who have
  // few such keys. Infinite for more than 16.
  double delta_between(std::span<const double> units, std::span<const double> others) const;

 private:
  KeySelection() = default;

  double epsilon_ = 0, delta_ = 0;
  std::vector<double> shown_;   // of 0, 1, .. units
  std::vector<double> hidden_;  // of shown_.size(), .. units; of more: 0
};

// Replaces the number of units of each key by 1 if it is shown, else by 0.
void release(std::span<double> units, const KeySelection& selection, RandomBits& bits);

}  // namespace tulle

#pragma GCC visibility pop
