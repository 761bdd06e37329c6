// How the units of a batch were chosen. Sampling makes a release more private, but how much depends on the
// way: each way is a type of its own, so that the analysis of one cannot be quoted for another.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>

namespace tulle {

// Every unit joins a batch by a coin of its own that shows heads with probability `rate`; batch sizes vary.
// The amplification theorems for Poisson sampling hold for this and for nothing else, so only a
// PoissonSampler, which tosses those coins, makes one for a release.
class PoissonSampling {
 public:
  // For questions about releases that nobody has made: planning, calibration, reading back a record.
  static PoissonSampling what_if(double rate) { return PoissonSampling(rate); }

  double rate() const { return rate_; }
  bool operator==(const PoissonSampling&) const = default;

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

  // Calls take(unit) for those of the units 0 .. count-1 that join the batch. `words` returns uniform 64-bit
  // words; for a release they must come from the secure generator. A coin never shows heads more often than
  // the rate says.
  //
  // A coin is a number of 64 bits that is compared with the threshold. Its first 8 bits decide 255 times of
  // 256, so a word serves 8 units; the other bits are drawn where they matter.
  template <class Words, class Take>
  void draw(std::uint64_t count, Words&& words, Take&& take) const {
    if (certain_) {
      for (std::uint64_t unit = 0; unit < count; ++unit) take(unit);
      return;
    }
    for (std::uint64_t start = 0; start < count; start += 64) {
      std::uint64_t heads = 0;  // of 64 units, a bit each: walking through many at a time is easy to predict
      const std::uint64_t there = std::min<std::uint64_t>(64, count - start);
      for (unsigned unit = 0; unit < there; unit += 8) {
        const auto word = static_cast<std::uint64_t>(words());
        heads |= gathered(coins(word, words)) << unit;
      }
      if (there < 64) heads &= (std::uint64_t{1} << there) - 1;
      for (; heads != 0; heads &= heads - 1) take(start + static_cast<unsigned>(std::countr_zero(heads)));
    }
  }

 private:
  // The highest bits of the eight bytes, side by side: the product moves bit 8i to bit 56 + i.
  static std::uint64_t gathered(std::uint64_t bytes) { return (bytes >> 7) * 0x0102'0408'1020'4080 >> 56; }

  // Eight coins, one a byte, whose highest bit says heads. All bytes are compared with the threshold's first
  // at once: the highest bit of (b | 128) - (t & 127) tells b >= t where the highest bits of b and t are
  // alike, and those bits tell where they are not. Bytes that equal it, and they alone, become 0 by b ^ t.
  template <class Words>
  std::uint64_t coins(std::uint64_t word, Words&& words) const {
    constexpr std::uint64_t kHigh = 0x8080'8080'8080'8080, kLow = ~kHigh;
    const std::uint64_t first = (threshold_ >> 56) * 0x0101'0101'0101'0101;
    const std::uint64_t not_below_7_bits = (word | kHigh) - (first & kLow);
    const std::uint64_t not_below = (word & ~first) | (~(word ^ first) & not_below_7_bits);
    const std::uint64_t different = word ^ first;
    std::uint64_t heads = ~not_below & kHigh;
    std::uint64_t open = ~(((different & kLow) + kLow) | different) & kHigh;
    for (; open != 0; open &= open - 1)
      if ((static_cast<std::uint64_t>(words()) >> 8) < (threshold_ & (~std::uint64_t{0} >> 8)))
        heads |= open & (~open + 1);
    return heads;
  }

  PoissonSampling sampling_;
  std::uint64_t threshold_;  // rate * 2^64, rounded down
  bool certain_;             // rate == 1, whose threshold does not fit
};

// Exactly `batch` of `population` units, drawn without replacement. Its size tells whether a unit was added,
// so it protects against replacement only, with the analysis of Wang, Balle and Kasiviswanathan (2019).
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
