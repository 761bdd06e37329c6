// A loop over small whole numbers known at compile time, without a loop. Arrays indexed by them then become
// separate variables in registers; GCC 12 unrolls loops too late for that, and keeps such arrays on the
// stack.
#pragma once

#include <type_traits>
#include <utility>

#define TULLE_INLINE __attribute__((always_inline))

namespace tulle {

// Calls body(0), ..., body(Count - 1), each a std::integral_constant. Lambdas are marked TULLE_INLINE.
template <int Count, class Body>
inline TULLE_INLINE void unrolled(Body&& body) {
  [&]<int... i>(std::integer_sequence<int, i...>) TULLE_INLINE {
    (body(std::integral_constant<int, i>{}), ...);
  }
  (std::make_integer_sequence<int, Count>{});
}

}  // namespace tulle
