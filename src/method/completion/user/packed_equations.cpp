#include "packed_equations.hpp"

#include <tulle/base/lanes.hpp>
#include <tulle/base/multiarch.hpp>

#include <vector>

namespace tulle {
namespace {

inline __attribute__((always_inline)) void add_row(const double* h, double factor, std::size_t count,
                                                   double* sums) {
  std::size_t i = 0;
#pragma GCC unroll 8
  for (; i + kLane <= count; i += kLane) *lanes(sums + i) += factor * *lanes(h + i);
  if (i < count) sums[i] += factor * h[i];
}

// Two rows of the matrix at a time: the first has an even number of numbers before its diagonal, the second
// ends with a lane that holds its diagonal. Unrolled where the compiler knows the rank.
inline __attribute__((always_inline)) void add_rows(const double* h, double rest, double weight,
                                                    std::size_t rank, double* sums) {
  std::size_t a = 0;
#pragma GCC unroll 8
  for (; a + 1 < rank; a += kLane) {
    const Lane own = *lanes(h + a), diagonal = weight * own, factors = kRoot2 * diagonal;
    add_row(h, factors[0], a, sums);
    sums[a] += diagonal[0] * own[0];
    sums += a + 1;
    add_row(h, factors[1], a, sums);
    *lanes(sums + a) += Lane{factors[1], diagonal[1]} * own;
    sums += a + 2;
  }
  if (a < rank) {
    const double diagonal = weight * h[a];
    add_row(h, kRoot2 * diagonal, a, sums);
    sums[a] += diagonal * h[a];
    sums += a + 1;
  }
  add_row(h, weight * rest, rank, sums);
}

inline __attribute__((always_inline)) double square_of(const double* numbers, std::size_t count) {
  double square = 0;
  for (std::size_t i = 0; i < count; ++i) square += numbers[i] * numbers[i];
  return square;
}

template <class Use>
inline __attribute__((always_inline)) auto with_product(const CellEquation& cell, std::size_t rank,
                                                        double* __restrict h, const Use& use) {
  for (std::size_t r = 0; r < rank; ++r) h[r] = cell.first[r] * cell.second[r];
  return use(h, rank);
}

// use(h, rank). Ranks that are used often are known to the compiler.
template <class Use>
inline __attribute__((always_inline)) auto with_product(const CellEquation& cell, const Use& use) {
  constexpr std::size_t kShort = 32;
  if (cell.rank > kShort) {
    std::vector<double> h(cell.rank);
    return with_product(cell, cell.rank, h.data(), use);
  }
  double h[kShort];
  switch (cell.rank) {
    case 4:
      return with_product(cell, 4, h, use);
    case 8:
      return with_product(cell, 8, h, use);
    case 16:
      return with_product(cell, 16, h, use);
    default:
      return with_product(cell, cell.rank, h, use);
  }
}

}  // namespace

// Must not be inlined into its callers, which change the rounding mode.
TULLE_MULTIARCH __attribute__((noinline)) void add_packed(const CellEquation& cell, double weight,
                                                          double* sums) {
  with_product(
      cell, [&](const double* h, std::size_t rank)
                __attribute__((always_inline)) { add_rows(h, cell.rest, weight, rank, sums); });
}

double packed_square(const CellEquation& cell) {
  const double square = with_product(
      cell,
      [](const double* h, std::size_t rank) __attribute__((always_inline)) { return square_of(h, rank); });
  return square * (square + cell.rest * cell.rest);
}

}  // namespace tulle
