// The mean of many values, the same on any number of threads.
#pragma once

#include <tulle/base/chunks.hpp>

#include <numeric>
#include <span>

namespace tulle {

inline double mean_of(std::span<const float> values) {
  const double sum = chunked_sum(values.size(), [&](std::size_t begin, std::size_t end) {
    return std::accumulate(values.begin() + begin, values.begin() + end, 0.0);
  });
  return sum / static_cast<double>(values.size());
}

}  // namespace tulle
