#include "narrow_product.hpp"

#include <tulle/base/lanes.hpp>
#include <tulle/base/multiarch.hpp>
#include <tulle/tensor/panel.hpp>

#include <algorithm>
#include <cstddef>

namespace tulle {
namespace {

constexpr std::size_t kTerms =
    128;  // of a sum, before the next sums: their rows of b stay in the first cache

// Entry (i, e) of the large matrix, or of its transpose, is at data[i * row + e * term].
struct Large {
  const double* data;
  std::size_t row, term;

  Large at(std::size_t i, std::size_t e) const { return {data + i * row + e * term, row, term}; }
};

// c[i, :] += sum_e large(i, e) b[e, :] for Rows rows and some columns, the sums staying in registers. b and c
// have rows of `stride` numbers.
template <int Rows, int Columns>
inline __attribute__((always_inline)) void add_tile(const Large& large, std::size_t terms, const double* b,
                                                    std::size_t stride, double* c) {
  constexpr int kLanes = Columns / kLane;
  Lane sums[Rows][kLanes] = {};
  for (std::size_t e = 0; e < terms; ++e) {
    const LaneInMemory* const right = lanes(b + e * stride);
#pragma GCC unroll 4
    for (int i = 0; i < Rows; ++i) {
      const double left = large.data[static_cast<std::size_t>(i) * large.row + e * large.term];
#pragma GCC unroll 4
      for (int l = 0; l < kLanes; ++l) sums[i][l] += left * right[l];
    }
  }
  for (int i = 0; i < Rows; ++i)
    for (int l = 0; l < kLanes; ++l) lanes(c + static_cast<std::size_t>(i) * stride)[l] += sums[i][l];
}

template <int Rows>
inline __attribute__((always_inline)) void add_rows(const Large& large, std::size_t terms, const double* b,
                                                    std::size_t stride, double* c) {
  std::size_t column = 0;
  for (; column + 8 <= stride; column += 8) add_tile<Rows, 8>(large, terms, b + column, stride, c + column);
  if (column < stride) add_tile<Rows, 4>(large, terms, b + column, stride, c + column);
}

// c += large b, for `rows` rows of c and `terms` rows of b.
TULLE_MULTIARCH void add_product(const Large& large, std::size_t rows, std::size_t terms, const double* b,
                                 std::size_t stride, double* c) {
  constexpr std::size_t kRows = 4;
  for (std::size_t e = 0; e < terms; e += kTerms) {
    const std::size_t count = std::min(kTerms, terms - e);
    const double* const part = b + e * stride;
    std::size_t i = 0;
    for (; i + kRows <= rows; i += kRows)
      add_rows<kRows>(large.at(i, e), count, part, stride, c + i * stride);
    for (; i < rows; ++i) add_rows<1>(large.at(i, e), count, part, stride, c + i * stride);
  }
}

Matrix product(const Large& large, Eigen::Index rows, const Eigen::Ref<const Matrix>& b) {
  const Panel padded{Matrix(b)};
  Panel sums(static_cast<std::size_t>(rows), static_cast<int>(b.cols()));
  add_product(large, sums.rows(), padded.rows(), padded.data(), static_cast<std::size_t>(padded.stride()),
              sums.data());
  return sums.matrix();
}

}  // namespace

Matrix narrow_product(const StridedRows& a, const Eigen::Ref<const Matrix>& b) {
  return product({a.data(), static_cast<std::size_t>(a.outerStride()), 1}, a.rows(), b);
}

Matrix narrow_transposed_product(const StridedRows& a, const Eigen::Ref<const Matrix>& b) {
  return product({a.data(), 1, static_cast<std::size_t>(a.outerStride())}, a.cols(), b);
}

}  // namespace tulle
