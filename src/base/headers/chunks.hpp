// Work cut into pieces of fixed size, whose results are combined in the order of the pieces. The result does
// not depend on the number of threads.
#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

namespace tulle {

inline constexpr std::size_t kChunkItems = 1 << 14;

// Number of operations below which starting threads costs more than it gains.
inline constexpr std::size_t kWorthThreads = 1 << 16;

// The same for loops that run thousands of times. At the end of each, all threads wait for the slowest one,
// which on a busy machine may have lost its core for some milliseconds, so threads pay off only in loops of
// about that length. This many operations take about two milliseconds on one core.
inline constexpr std::size_t kWorthWaiting = 1 << 23;
inline constexpr std::size_t kChunksWorthWaiting = 16;

inline std::size_t chunk_count(std::size_t items, std::size_t chunk = kChunkItems) {
  return (items + chunk - 1) / chunk;
}

// The sum of part(begin, end) over the chunks of 0 .. items-1.
template <class Part>
double chunked_sum(std::size_t items, Part&& part) {
  std::vector<double> sums(chunk_count(items));
#pragma omp parallel for schedule(dynamic) if (sums.size() >= kChunksWorthWaiting)
  for (std::size_t chunk = 0; chunk < sums.size(); ++chunk)
    sums[chunk] = part(chunk * kChunkItems, std::min(items, (chunk + 1) * kChunkItems));
  double total = 0;
  for (double sum : sums) total += sum;
  return total;
}

}  // namespace tulle
