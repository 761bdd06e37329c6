#include "radix_sort.hpp"

#include <tulle/base/error.hpp>

#include <algorithm>
#include <bit>
#include <limits>
#include <utility>

namespace tulle {
namespace {

constexpr int kDigitBits = 11;
constexpr std::size_t kSortChunks = 64;  // chunks of a parallel pass

}  // namespace

RadixSort::RadixSort(std::size_t size) {
  constexpr std::size_t kMost = std::numeric_limits<std::uint32_t>::max();
  if (size > kMost) fail("{} entries; at most {} can be sorted", size, kMost);
  items.resize(size);
  other_.resize(size);
}

void RadixSort::sort(Index largest_key) {
  const int bits = std::bit_width(largest_key);
  const int passes = (bits + kDigitBits - 1) / kDigitBits;
  if (passes == 0) return;
  const int digit_bits = (bits + passes - 1) / passes;
  for (int pass = 0; pass < passes; ++pass) scatter(pass * digit_bits, digit_bits);
}

void RadixSort::scatter(int shift, int digit_bits) {
  const std::size_t digits = std::size_t{1} << digit_bits;
  const Index mask = static_cast<Index>(digits - 1);
  const std::size_t chunks = items.size() > kWorthThreadsToSort ? kSortChunks : 1;
  const std::size_t chunk = items.size() / chunks + 1;
  std::vector<std::size_t> places(chunks * digits);
  const auto each_item = [&](std::size_t c, auto action) {
    const std::size_t end = std::min((c + 1) * chunk, items.size());
    std::size_t* const place = places.data() + c * digits;
    for (std::size_t i = c * chunk; i < end; ++i) action(place[items[i].key >> shift & mask], items[i]);
  };
#pragma omp parallel for if (chunks > 1)
  for (std::size_t c = 0; c < chunks; ++c) each_item(c, [](std::size_t& count, const Keyed&) { ++count; });
  std::size_t total = 0;
  for (std::size_t d = 0; d < digits; ++d)
    for (std::size_t c = 0; c < chunks; ++c) total += std::exchange(places[c * digits + d], total);
#pragma omp parallel for if (chunks > 1)
  for (std::size_t c = 0; c < chunks; ++c)
    each_item(c, [&](std::size_t& place, const Keyed& item) { other_[place++] = item; });
  items.swap(other_);
}

}  // namespace tulle
