// Noise of scale s reaches the threshold T in a cell of 0 with probability
//   p = a^T / (1 + a) = e^-m e^-f / (1 + a),   a = e^(-1/s), T/s = m + f with m whole.
// Candidates are drawn first, every cell with probability 2^-k >= (3/8)^m, independently: their number in a
// block of 2^k cells is binomial. A candidate is kept by coins of (3/8)^m 2^k, m times 8/(3e), e^-f and
// 1/(1+a), so with p in all. What exceeds the threshold is geometric. All coins are exact.
#include "noise/check.hpp"
#include "noise/chunks.hpp"
#include "noise/exact.hpp"

#include <tulle/privacy/noise/above.hpp>

#include <algorithm>
#include <bit>
#include <cmath>

namespace tulle {
namespace {

using exact::Wide;

bool fair(RandomBits& bits) {
  return (bits.word() & 1) != 0;
}

// True with probability 8/(3e) = 8/9 + 1/9 (1 - 1/5 + 1/(5 6) - ..).
bool coin_of_eight_thirds_of_e(RandomBits& bits) {
  if (exact::uniform_below(bits, 9) != 0) return true;
  for (std::uint64_t n = 1; n <= exact::kMaxSteps; ++n)
    if (!exact::bernoulli(bits, std::uint64_t{1}, n + 4)) return n % 2 != 0;
  exact::fail_source();
}

// The number of candidates among n cells, each with probability 1/n. Against the Poisson distribution of mean
// 1, which is drawn from a geometric one, the binomial has the ratios prod_{i<j} (n-i)/(n-1) up to a
// constant.
class CandidatesOfBlock {
 public:
  explicit CandidatesOfBlock(std::uint64_t cells) : cells_(cells) {}

  std::uint64_t operator()(RandomBits& bits) const {
    if (cells_ == 1) return 1;
    for (;;) {
      const std::uint64_t j = geometric(bits);
      if (keep_as_poisson(j, bits) && keep_as_binomial(j, bits)) return j;
    }
  }

 private:
  static std::uint64_t geometric(RandomBits& bits) {  // 2^-(j+1)
    for (std::uint64_t zeros = 0; zeros < exact::kMaxSteps; zeros += 64)
      if (const std::uint64_t word = bits.word(); word != 0)
        return zeros + static_cast<std::uint64_t>(std::countr_zero(word));
    exact::fail_source();
  }

  // 1/j! over 2^-(j+1), as a share of its largest value: 1/2, 1, 1, 2/3, 2/3 2/4, ..
  static bool keep_as_poisson(std::uint64_t j, RandomBits& bits) {
    if (j == 0) return fair(bits);
    for (std::uint64_t i = 3; i <= j; ++i)
      if (!exact::bernoulli(bits, std::uint64_t{2}, i)) return false;
    return true;
  }

  bool keep_as_binomial(std::uint64_t j, RandomBits& bits) const {
    if (j == 0) return exact::bernoulli(bits, cells_ - 1, cells_);
    for (std::uint64_t i = 2; i < j; ++i)
      if (i >= cells_ || !exact::bernoulli(bits, cells_ - i, cells_ - 1)) return false;
    return true;
  }

  std::uint64_t cells_;
};

class CellsOfNoise {
 public:
  CellsOfNoise(const DiscreteLaplace& noise, std::int64_t threshold)
      : numerator_(noise.scale().numerator()), denominator_(noise.scale().denominator()) {
    const Wide steps = Wide{static_cast<std::uint64_t>(threshold)} * denominator_;
    units_ = static_cast<int>(std::min<Wide>(steps / numerator_, kMostUnits));
    rest_ = steps - Wide{static_cast<std::uint64_t>(units_)} * numerator_;
    for (int unit = 0; unit < units_; ++unit) power_ *= 3;
    width_ = units_ == 0 ? 0 : std::bit_width(power_);
  }

  std::uint64_t cells_of_block() const { return std::uint64_t{1} << (3 * units_ - width_); }

  bool keep(RandomBits& bits) const {
    if (!exact::bernoulli(bits, power_, std::uint64_t{1} << width_)) return false;
    for (int unit = 0; unit < units_; ++unit)
      if (!coin_of_eight_thirds_of_e(bits)) return false;
    return exact::bernoulli_exp(bits, rest_, Wide{numerator_}) && coin_of_positive(bits);
  }

 private:
  static constexpr std::uint64_t kMostUnits = 39;  // 3^39 < 2^62

  // True with probability 1/(1+a): half of all turns end with it, and a turn fails with a/2.
  bool coin_of_positive(RandomBits& bits) const {
    for (int turn = 0; turn < exact::kMaxSteps; ++turn) {
      if (fair(bits)) return true;
      if (exact::bernoulli_exp(bits, Wide{denominator_}, Wide{numerator_})) return false;
    }
    exact::fail_source();
  }

  std::uint64_t numerator_, denominator_;  // of the scale
  int units_;                              // m
  Wide rest_;                              // f, in parts of the numerator
  std::uint64_t power_ = 1;                // 3^m, at most 2^width
  int width_;
};

// The same places as the cells of a block that are kept one by one: distinct, in ascending order.
std::vector<std::uint64_t> places_of_noise(std::uint64_t block, const CellsOfNoise& noise,
                                           const CandidatesOfBlock& candidates, RandomBits& bits) {
  const std::uint64_t cells = noise.cells_of_block(), count = candidates(bits);
  std::vector<std::uint64_t> places;
  while (places.size() < count) {
    const std::uint64_t place = block * cells + exact::uniform_below(bits, cells);
    if (std::ranges::find(places, place) == places.end()) places.push_back(place);
  }
  std::erase_if(places, [&](std::uint64_t) { return !noise.keep(bits); });
  std::ranges::sort(places);
  return places;
}

// What lies above a threshold that was reached has the distribution of the noise's own steps.
std::int64_t beyond(const DiscreteLaplace& noise, RandomBits& bits) {
  for (;;) {
    const std::int64_t value = noise.sample(bits);
    if (value >= 0) return value;
  }
}

void append(ListedValues& all, std::uint64_t place, double value) {
  all.places.push_back(place);
  all.values.push_back(value);
}

ListedValues joined(const std::vector<ListedValues>& pieces) {
  ListedValues all;
  for (const ListedValues& piece : pieces) {
    all.places.insert(all.places.end(), piece.places.begin(), piece.places.end());
    all.values.insert(all.values.end(), piece.values.begin(), piece.values.end());
  }
  return all;
}

// Calls add(number, piece, bits) for the numbers below `size`; the pieces in a row.
template <class Add>
ListedValues in_chunks(std::uint64_t size, RandomBits& bits, const Add& add) {
  constexpr std::size_t kChunk = 8192;
  std::vector<ListedValues> pieces((size + kChunk - 1) / kChunk);
  for_each_chunk(size, kChunk, bits, [&](std::size_t begin, std::size_t end, RandomBits& stream) {
    for (std::size_t number = begin; number < end; ++number) add(number, pieces[begin / kChunk], stream);
  });
  return joined(pieces);
}

ListedValues of_listed_cells(const ListedValues& exact, const DiscreteLaplace& noise, std::int64_t threshold,
                             RandomBits& bits) {
  constexpr double kLargest = 0x1p62;  // the sum with noise fits
  return in_chunks(exact.places.size(), bits, [&](std::size_t i, ListedValues& piece, RandomBits& stream) {
    const auto whole = static_cast<std::int64_t>(std::clamp(exact.values[i], -kLargest, kLargest));
    const std::int64_t value = whole + noise.sample(stream);
    if (value >= threshold) append(piece, exact.places[i], static_cast<double>(value));
  });
}

// Of all cells, as if none were listed.
ListedValues of_empty_cells(std::uint64_t cells, const DiscreteLaplace& noise, std::int64_t threshold,
                            RandomBits& bits) {
  const CellsOfNoise reaching(noise, threshold);
  const std::uint64_t size = reaching.cells_of_block();
  const CandidatesOfBlock candidates(size);
  return in_chunks((cells - 1) / size + 1, bits,
                   [&](std::size_t block, ListedValues& piece, RandomBits& stream) {
                     for (const std::uint64_t place : places_of_noise(block, reaching, candidates, stream))
                       if (place < cells)
                         append(piece, place, static_cast<double>(threshold + beyond(noise, stream)));
                   });
}

// Values at the places of `listed` are those of `own`, whether there is one or not.
ListedValues merged(const ListedValues& own, const std::vector<std::uint64_t>& listed,
                    const ListedValues& others) {
  ListedValues all;
  std::size_t mine = 0, next = 0;
  for (std::size_t i = 0; i < others.places.size(); ++i) {
    const std::uint64_t place = others.places[i];
    for (; mine < own.places.size() && own.places[mine] < place; ++mine)
      append(all, own.places[mine], own.values[mine]);
    while (next < listed.size() && listed[next] < place) ++next;
    if (next == listed.size() || listed[next] != place) append(all, place, others.values[i]);
  }
  for (; mine < own.places.size(); ++mine) append(all, own.places[mine], own.values[mine]);
  return all;
}

}  // namespace

ListedValues release_above(const ListedValues& exact, std::uint64_t cells, const DiscreteLaplace& noise,
                           std::int64_t threshold, RandomBits& bits) {
  constexpr std::int64_t kMostThreshold = std::int64_t{1} << 52;
  checked_between<std::int64_t>("noise above a threshold", "threshold", threshold, 1, kMostThreshold);
  const ListedValues own = of_listed_cells(exact, noise, threshold, bits);
  return merged(own, exact.places, of_empty_cells(cells, noise, threshold, bits));
}

}  // namespace tulle
