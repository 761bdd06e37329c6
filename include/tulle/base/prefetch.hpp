// Asks for the cache lines of numbers that are needed soon. Always inlined, as whatever calls these and does
// nothing else must be: gcc takes a function that only prefetches for one without effect and drops its calls.
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
