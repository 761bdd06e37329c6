// A stable sort of entries by their position in one mode.
#pragma once

#include <tulle/tensor/shape.hpp>

#include <cstddef>
#include <cstdint>
#include <vector>

namespace tulle {

// A sort item: an entry with its position in some mode.
struct Keyed {
  Index key;
  std::uint32_t entry;
};

// The number of entries from which on a pass is worth starting threads.
inline constexpr std::size_t kWorthThreadsToSort = 1 << 18;

// Radix sort with one histogram per chunk; each chunk then scatters to its own places. The sort is stable, so
// the number of chunks does not change the result.
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
