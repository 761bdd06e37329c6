#include "packed_equations.hpp"

#include <tulle/base/lanes.hpp>
#include <tulle/base/multiarch.hpp>

#include <cmath>

namespace tulle {
namespace {

// Adds number(factor, h) for the products of the matrix and of the right-hand side, one or two at a time.
// Unrolled where the compiler knows the rank.
template <class Number>
inline __attribute__((always_inline)) void add_numbers(const CellEquation& cell, std::size_t rank,
                                                       double* sums, const Number& number) {
  const double* const h = cell.h.data();
  const auto add_row = [&](double factor, std::size_t count) __attribute__((always_inline)) {
    std::size_t i = 0;
#pragma GCC unroll 8
    for (; i + kLane <= count; i += kLane) *lanes(sums + i) += number(factor, *lanes(h + i));
    if (i < count) sums[i] += number(factor, h[i]);
    sums += count;
  };
#pragma GCC unroll 16
  for (std::size_t a = 0; a < rank; ++a) {
    add_row(kRoot2 * h[a], a);
    *sums++ += number(h[a], h[a]);
  }
  add_row(cell.rest, rank);
}

// Ranks that are used often, known to the compiler.
template <class Number>
inline __attribute__((always_inline)) void add_numbers(const CellEquation& cell, double* sums,
                                                       const Number& number) {
  switch (cell.h.size()) {
    case 4:
      return add_numbers(cell, 4, sums, number);
    case 8:
      return add_numbers(cell, 8, sums, number);
    case 16:
      return add_numbers(cell, 16, sums, number);
    default:
      return add_numbers(cell, cell.h.size(), sums, number);
  }
}

}  // namespace

TULLE_MULTIARCH void add_packed(const CellEquation& cell, double* sums) {
  add_numbers(cell, sums, [](double factor, auto h) { return factor * h; });
}

TULLE_MULTIARCH void add_packed_rounded(const CellEquation& cell, double weight, double shift, double* sums) {
  add_numbers(cell, sums, [=](double factor, auto h) { return (weight * factor * h + shift) - shift; });
}

double packed_square(const CellEquation& cell) {
  double square = 0;
  for (double number : cell.h) square += number * number;
  return square * (square + cell.rest * cell.rest);
}

}  // namespace tulle
