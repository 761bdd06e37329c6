// How the units of a batch were chosen. Privacy amplification depends on the kind of sampling, so each kind
// is a type of its own: the analysis of one cannot be applied to another.
#pragma once

#include <bit>
#include <cstdint>

#pragma GCC visibility push(default)

namespace tulle {

// Each unit joins a batch by its own coin, heads with probability `rate`; batch sizes vary. The amplification
// theorems for Poisson sampling hold only for this kind, so a release takes it only from a PoissonSampler,
// which tosses those coins.
class PoissonSampling {
 public:
  // For releases that are not made here: planning, calibration, reading back a record.
  static PoissonSampling what_if(double rate) { return PoissonSampling(rate); }

  double rate() const { return rate_; }
  bool operator==(const PoissonSampling&) const = default;

  // The sampling rate of a group of `size` units with independent coins: the probability that any of them is
  // in the batch, 1 - (1 - rate)^size, rounded up. The release is a mixture over the members S of the group
  // in the batch; if S is empty, neighbours have the same distribution. The hockey-stick divergence is
  // jointly convex, so the mixture is no easier to tell apart than with the worst S whenever S is not empty:
  // the whole group, sampled at this rate, with the contributions of all its members together.
  PoissonSampling for_group(std::uint64_t size) const;

 private:
  friend class PoissonSampler;
  explicit PoissonSampling(double rate);  // 0 < rate <= 1

  double rate_;
};

// Draws Poisson batches.
class PoissonSampler {
 public:
  explicit PoissonSampler(double rate);

  PoissonSampling sampling() const { return sampling_; }

  // Calls take(unit) for each of the units 0 .. count-1 that joins the batch. `words` returns uniform 64-bit
  // words; for a release they must come from the secure generator. The threshold is rounded down, so that the
  // probability of heads is at most the rate.
  //
  // A coin compares a 64-bit number with the threshold bit by bit, highest first. Each word holds one bit of
  // 64 coins; on average about 7 words decide all of them.
  template <class Words, class Take>
  void draw(std::uint64_t count, Words&& words, Take&& take) const {
    if (certain_) {
      for (std::uint64_t unit = 0; unit < count; ++unit) take(unit);
      return;
    }
    for (std::uint64_t start = 0; start < count; start += 64) {
      std::uint64_t heads = coins(words);
      if (count - start < 64) heads &= (std::uint64_t{1} << (count - start)) - 1;
      for (; heads != 0; heads &= heads - 1) take(start + static_cast<unsigned>(std::countr_zero(heads)));
    }
  }

 private:
  // 64 coins; a set bit is heads, a number below the threshold.
  template <class Words>
  std::uint64_t coins(Words&& words) const {
    std::uint64_t heads = 0, equal = ~std::uint64_t{0};  // equal: to the threshold in all bits so far
    for (int bit = 63; bit >= 0 && equal != 0; --bit) {
      const auto word = static_cast<std::uint64_t>(words());
      const std::uint64_t threshold = 0 - (threshold_ >> bit & 1);
      heads |= equal & ~word & threshold;
      equal &= ~(word ^ threshold);
    }
    return heads;
  }

  PoissonSampling sampling_;
  std::uint64_t threshold_;  // rate * 2^64, rounded down
  bool certain_;             // rate == 1, whose threshold 2^64 does not fit
};

// Exactly `batch` of `population` units, drawn without replacement. The size of the population would reveal
// whether a unit was added, so this protects under replacement only, by the analysis of Wang, Balle and
// Kasiviswanathan (2019).
class FixedBatch {
 public:
  FixedBatch(std::uint64_t batch, std::uint64_t population);  // 1 <= batch <= population

  std::uint64_t batch() const { return batch_; }
  std::uint64_t population() const { return population_; }
  double rate() const { return static_cast<double>(batch_) / static_cast<double>(population_); }
  bool operator==(const FixedBatch&) const = default;

 private:
  std::uint64_t batch_, population_;
};

}  // namespace tulle

#pragma GCC visibility pop
