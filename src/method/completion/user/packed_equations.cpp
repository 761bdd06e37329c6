#include "packed_equations.hpp"

#include <tulle/base/lanes.hpp>
#include <tulle/base/multiarch.hpp>

#include <cmath>

namespace tulle {
namespace {

constexpr double kRoot2 = 1.4142135623730951;

// add(factor, count, sums) adds factor x the first `count` numbers of h to the sums.
template <class Add>
inline __attribute__((always_inline)) void for_each_row(const CellEquation& cell, double* sums,
                                                        const Add& add) {
  const double* const h = cell.h.data();
  for (std::size_t a = 0; a < cell.h.size(); ++a) {
    add(kRoot2 * h[a], h, a, sums);
    add(h[a], h + a, 1, sums + a);
    sums += a + 1;
  }
  add(cell.rest, h, cell.h.size(), sums);
}

}  // namespace

TULLE_MULTIARCH void add_packed(const CellEquation& cell, double* sums) {
  for_each_row(cell, sums, [](double factor, const double* h, std::size_t count, double* row) {
    std::size_t i = 0;
    for (; i + kLane <= count; i += kLane) *lanes(row + i) += factor * *lanes(h + i);
    if (i < count) row[i] += factor * h[i];
  });
}

TULLE_MULTIARCH void add_packed_rounded(const CellEquation& cell, double weight, double shift, double* sums) {
  for_each_row(cell, sums, [&](double factor, const double* h, std::size_t count, double* row) {
    const double scaled = weight * factor;
    std::size_t i = 0;
    for (; i + kLane <= count; i += kLane) *lanes(row + i) += (scaled * *lanes(h + i) + shift) - shift;
    if (i < count) row[i] += (scaled * h[i] + shift) - shift;
  });
}

double packed_square(const CellEquation& cell) {
  double square = 0;
  for (double number : cell.h) square += number * number;
  return square * (square + cell.rest * cell.rest);
}

Eigen::MatrixXd unpacked_matrix(std::span<const double> sums, int rank) {
  Eigen::MatrixXd matrix(rank, rank);
  std::size_t next = 0;
  for (int a = 0; a < rank; ++a)
    for (int b = 0; b <= a; ++b) matrix(a, b) = matrix(b, a) = sums[next++] / (a == b ? 1 : kRoot2);
  return matrix;
}

}  // namespace tulle
