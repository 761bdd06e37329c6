// A stable sort of entries by their position in one mode.
#pragma once

#include <tulle/tensor/shape.hpp>

#include <cstddef>
#include <cstdint>
#include <vector>

namespace tulle {

// What is sorted: an entry by its position in some mode.
struct Keyed {
  Index key;
  std::uint32_t entry;
};

// Entries of which one pass is worth waiting for threads.
inline constexpr std::size_t kWorthThreadsToSort = 1 << 18;

// Radix sort with one histogram per chunk, after which each chunk scatters to places of its own. Since the
// sort is stable, the number of chunks does not change the result.
class RadixSort {
 public:
  explicit RadixSort(std::size_t size);  // an Error for more entries than 32 bits can number

  std::vector<Keyed> items;

  void sort(Index largest_key);

 private:
  void scatter(int shift, int digit_bits);

  std::vector<Keyed> other_;
};

}  // namespace tulle
