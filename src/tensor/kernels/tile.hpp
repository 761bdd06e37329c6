// A tile of sums of products that stays in registers.
#pragma once

#include <tulle/base/lanes.hpp>
#include <tulle/base/unrolled.hpp>

#include <cstddef>

namespace tulle {

// Says that the sum changes here, so that it has one register in all rounds of a loop: GCC 12 copies it to
// another one and back in each round, which takes longer than the sums on ARM64.
inline TULLE_INLINE void stays_in_register([[maybe_unused]] TileLane& sum) {
#ifdef __aarch64__
  asm("" : "+w"(sum));
#endif
}

// Rows x (Lanes * kTileLane) sums.
template <int Rows, int Lanes>
struct Tile {
  TileLane sums[Rows][Lanes];

  inline TULLE_INLINE Tile() {
    unrolled<Rows>([&](auto i) TULLE_INLINE {  //
      unrolled<Lanes>([&](auto l) TULLE_INLINE { sums[i][l] = TileLane{}; });
    });
  }

  // sums[i, :] += left(i) right[:]
  template <class Left>
  inline TULLE_INLINE void add(const Left& left, const double* right) {
    TileLane numbers[Lanes];
    unrolled<Lanes>([&](auto l) TULLE_INLINE { numbers[l] = tile_lanes(right)[l]; });
    unrolled<Rows>([&](auto i) TULLE_INLINE {
      const double factor = left(i);
      unrolled<Lanes>([&](auto l) TULLE_INLINE {
        sums[i][l] += factor * numbers[l];
        stays_in_register(sums[i][l]);
      });
    });
  }

  inline TULLE_INLINE void add_to(double* c, std::size_t stride) const {
    unrolled<Rows>([&](auto i) TULLE_INLINE {
      unrolled<Lanes>([&](auto l) TULLE_INLINE { tile_lanes(c + i * stride)[l] += sums[i][l]; });
    });
  }
};

}  // namespace tulle
