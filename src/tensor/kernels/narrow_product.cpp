#include <tulle/base/lanes.hpp>
#include <tulle/base/multiarch.hpp>
#include <tulle/tensor/kernels/narrow_product.hpp>

#include <algorithm>

namespace tulle {
namespace {

// A tile of sums stays in registers, with room for a row of b and an entry of the large matrix: 6 x 8 of them
// take 12 of the 16 registers of AVX2, 4 x 8 take 16 of the 32 of NEON. GCC 12 moves more of them than these
// to the stack there.
#ifdef __x86_64__
constexpr int kRowsOfTile = 6;
#else
constexpr int kRowsOfTile = 4;
#endif
constexpr int kColumnsOfTile = 8;

// Says that the sum changes here, so that it has one register in all rounds of a loop: GCC 12 copies it to
// another one and back in each round, which takes longer than the sums on ARM64.
inline __attribute__((always_inline)) void stays_in_register([[maybe_unused]] TileLane& sum) {
#ifdef __aarch64__
  asm("" : "+w"(sum));
#endif
}

// The large matrix, or its transpose, whose entry (i, e) is then found down a column.
template <bool Transposed>
struct Large {
  const double* data;
  std::size_t stride;

  // Terms of a sum that are added before the next sums: their rows of b stay in the first cache. Those of the
  // transpose are as many rows of the matrix, which are read side by side.
  static constexpr std::size_t kTerms = Transposed ? 32 : 256;

  std::size_t row() const { return Transposed ? 1 : stride; }
  std::size_t term() const { return Transposed ? stride : 1; }
  Large from(std::size_t i, std::size_t e) const { return {data + i * row() + e * term(), stride}; }
};

// sums[i, :] += large(i, e) right[:]. Processors do not foresee reads that are a whole row apart: the next
// rows are asked for here.
template <int Rows, int Lanes>
inline __attribute__((always_inline)) void add_term(const Large<false>& large, std::size_t e,
                                                    const double* right, TileLane (&sums)[Rows][Lanes]) {
  const double* const left = large.data + e;
  __builtin_prefetch(left + (Rows + e % Rows) * large.stride);
#pragma GCC unroll 8
  for (int i = 0; i < Rows; ++i)
#pragma GCC unroll 4
    for (int l = 0; l < Lanes; ++l) {
      sums[i][l] += left[static_cast<std::size_t>(i) * large.stride] * tile_lanes(right)[l];
      stays_in_register(sums[i][l]);
    }
}

// The same of the transpose, whose terms are a row apart: what comes next in this row is asked for.
template <int Rows, int Lanes>
inline __attribute__((always_inline)) void add_term(const Large<true>& large, std::size_t e,
                                                    const double* right, TileLane (&sums)[Rows][Lanes]) {
  constexpr std::size_t kAheadInRow = 16;
  Multipliers<Rows> left;
  left.load(large.data + e * large.stride);
  __builtin_prefetch(large.data + e * large.stride + kAheadInRow);
  TileLane loaded[Lanes];
#pragma GCC unroll 4
  for (int l = 0; l < Lanes; ++l) loaded[l] = tile_lanes(right)[l];
#pragma GCC unroll 8
  for (int i = 0; i < Rows; ++i)
#pragma GCC unroll 4
    for (int l = 0; l < Lanes; ++l) {
      sums[i][l] += left[i] * loaded[l];
      stays_in_register(sums[i][l]);
    }
}

// c[i, :] += sum_e large(i, e) b[e, :] for Rows rows and some columns. b and c have rows of `stride` numbers.
template <int Rows, int Columns, bool Transposed>
inline __attribute__((always_inline)) void add_tile(const Large<Transposed>& large, std::size_t terms,
                                                    const double* b, std::size_t stride, double* c) {
  constexpr int kLanes = Columns / kTileLane;
  TileLane sums[Rows][kLanes] = {};
  for (std::size_t e = 0; e < terms; ++e) add_term(large, e, b + e * stride, sums);
  for (int i = 0; i < Rows; ++i)
    for (int l = 0; l < kLanes; ++l) tile_lanes(c + static_cast<std::size_t>(i) * stride)[l] += sums[i][l];
}

template <int Rows, bool Transposed>
inline __attribute__((always_inline)) void add_rows(const Large<Transposed>& large, std::size_t terms,
                                                    const double* b, std::size_t stride, double* c) {
  std::size_t column = 0;
  for (; column + kColumnsOfTile <= stride; column += kColumnsOfTile)
    add_tile<Rows, kColumnsOfTile>(large, terms, b + column, stride, c + column);
  if (column < stride) add_tile<Rows, kColumnsOfTile / 2>(large, terms, b + column, stride, c + column);
}

// c += large b, for `rows` rows of c and `terms` rows of b.
template <bool Transposed>
inline __attribute__((always_inline)) void add_product(const Large<Transposed>& large, std::size_t rows,
                                                       std::size_t terms, const double* b, std::size_t stride,
                                                       double* c) {
  for (std::size_t e = 0; e < terms; e += large.kTerms) {
    const std::size_t count = std::min(large.kTerms, terms - e);
    const double* const part = b + e * stride;
    std::size_t i = 0;
    for (; i + kRowsOfTile <= rows; i += kRowsOfTile)
      add_rows<kRowsOfTile>(large.from(i, e), count, part, stride, c + i * stride);
    for (; i + 2 <= rows; i += 2) add_rows<2>(large.from(i, e), count, part, stride, c + i * stride);
    if (i < rows) add_rows<1>(large.from(i, e), count, part, stride, c + i * stride);
  }
}

TULLE_MULTIARCH void add_plain(const Large<false>& large, std::size_t rows, std::size_t terms,
                               const double* b, std::size_t stride, double* c) {
  add_product(large, rows, terms, b, stride, c);
}

TULLE_MULTIARCH void add_transposed(const Large<true>& large, std::size_t rows, std::size_t terms,
                                    const double* b, std::size_t stride, double* c) {
  add_product(large, rows, terms, b, stride, c);
}

}  // namespace

void add_narrow_product(const StridedRows& a, const double* b, std::size_t stride, double* c) {
  add_plain({a.data(), static_cast<std::size_t>(a.outerStride())}, static_cast<std::size_t>(a.rows()),
            static_cast<std::size_t>(a.cols()), b, stride, c);
}

void add_narrow_transposed_product(const StridedRows& a, const double* b, std::size_t stride, double* c) {
  add_transposed({a.data(), static_cast<std::size_t>(a.outerStride())}, static_cast<std::size_t>(a.cols()),
                 static_cast<std::size_t>(a.rows()), b, stride, c);
}

}  // namespace tulle
