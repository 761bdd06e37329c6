// Prefetches the cache lines of values that are needed soon. These functions are always inlined, as must be
// every function that only calls them: gcc considers a function that only prefetches to have no effect and
// drops calls of it.
#pragma once

#include <cstddef>

namespace tulle {

inline constexpr std::size_t kDoublesPerLine = 8;

inline __attribute__((always_inline)) void prefetch_to_read(const double* numbers, std::size_t count) {
  for (std::size_t i = 0; i < count; i += kDoublesPerLine) __builtin_prefetch(numbers + i);
}
inline __attribute__((always_inline)) void prefetch_to_write(const double* numbers, std::size_t count) {
  for (std::size_t i = 0; i < count; i += kDoublesPerLine) __builtin_prefetch(numbers + i, 1);
}

}  // namespace tulle
