#include "tile.hpp"

#include <tulle/base/multiarch.hpp>
#include <tulle/tensor/kernels/narrow_product.hpp>

#include <algorithm>

namespace tulle {
namespace {

// A tile of sums stays in registers, with room for a part of a row of b and for entries of the large matrix:
// 6 x 8 of them take 12 of the 16 registers of AVX2, 4 x 10 take 20 of the 32 of NEON.
#ifdef __x86_64__
constexpr int kRowsOfTile = 6, kLanesOfTile = 2, kMostLanesOfTile = 2;
#else
constexpr int kRowsOfTile = 4, kLanesOfTile = 4, kMostLanesOfTile = 5;
#endif

// The large matrix, or its transpose, whose entry (i, e) is then found down a column.
template <bool Transposed, class Cell>
struct Large {
  const Cell* data;
  std::size_t stride;

  // Terms of a sum that are added before the next sums: their rows of b stay in the first cache. Those of the
  // transpose are as many rows of the matrix, which are read side by side.
  static constexpr std::size_t kTerms = Transposed ? 32 : 256;

  std::size_t row() const { return Transposed ? 1 : stride; }
  std::size_t term() const { return Transposed ? stride : 1; }
  Large from(std::size_t i, std::size_t e) const { return {data + i * row() + e * term(), stride}; }
};

// Adds Terms terms to the tile, whose entries stand side by side in each row. Processors do not foresee reads
// that are a whole row apart: the next rows are asked for here.
template <int Terms, int Rows, int Lanes, class Cell>
inline TULLE_INLINE void add_terms(const Large<false, Cell>& large, std::size_t e, const double* right,
                                   std::size_t stride, Tile<Rows, Lanes>& tile) {
  __builtin_prefetch(large.data + (Rows + e / Terms % Rows) * large.stride + e);
  Multipliers<Terms, Cell> left[Rows];
  unrolled<Rows>([&](auto i) TULLE_INLINE { left[i].load(large.data + i * large.stride + e); });
  unrolled<Terms>([&](auto t) TULLE_INLINE {
    tile.add([&](int i) TULLE_INLINE { return left[i][t]; }, right + t * stride);
  });
}

// The same of the transpose, whose terms are a row apart: what comes next in this row is asked for.
template <int Terms, int Rows, int Lanes, class Cell>
inline TULLE_INLINE void add_terms(const Large<true, Cell>& large, std::size_t e, const double* right,
                                   std::size_t stride, Tile<Rows, Lanes>& tile) {
  constexpr std::size_t kAheadInRow = 16;
  unrolled<Terms>([&](auto t) TULLE_INLINE {
    const Cell* const row = large.data + (e + t) * large.stride;
    Multipliers<Rows, Cell> left;
    left.load(row);
    __builtin_prefetch(row + kAheadInRow);
    tile.add([&](int i) TULLE_INLINE { return left[i]; }, right + t * stride);
  });
}

// c[i, :] += sum_e large(i, e) b[e, :] for Rows rows and Lanes lanes. b and c have rows of `stride` numbers.
template <int Rows, int Lanes, bool Transposed, class Cell>
inline TULLE_INLINE void add_tile(const Large<Transposed, Cell>& large, std::size_t terms, const double* b,
                                  std::size_t stride, double* c) {
  Tile<Rows, Lanes> tile;
  constexpr int kAtOnce = 16 / sizeof(Cell);  // a register of the large matrix
  std::size_t e = 0;
  for (; e + kAtOnce <= terms; e += kAtOnce) add_terms<kAtOnce>(large, e, b + e * stride, stride, tile);
  for (; e < terms; ++e) add_terms<1>(large, e, b + e * stride, stride, tile);
  tile.add_to(c, stride);
}

// The last lanes of the rows, Most or fewer.
template <int Rows, int Most, bool Transposed, class Cell>
inline TULLE_INLINE void add_last_lanes(const Large<Transposed, Cell>& large, std::size_t terms,
                                        const double* b, std::size_t lanes, std::size_t stride, double* c) {
  if (lanes == Most) return add_tile<Rows, Most>(large, terms, b, stride, c);
  if constexpr (Most > 1) add_last_lanes<Rows, Most - 1>(large, terms, b, lanes, stride, c);
}

template <int Rows, bool Transposed, class Cell>
inline TULLE_INLINE void add_rows(const Large<Transposed, Cell>& large, std::size_t terms, const double* b,
                                  std::size_t lanes, std::size_t stride, double* c) {
  for (; lanes > kMostLanesOfTile; lanes -= kLanesOfTile) {
    add_tile<Rows, kLanesOfTile>(large, terms, b, stride, c);
    b += kLanesOfTile * kTileLane;
    c += kLanesOfTile * kTileLane;
  }
  add_last_lanes<Rows, kMostLanesOfTile>(large, terms, b, lanes, stride, c);
}

// What is multiplied by the large matrix, and where the product is added.
struct Narrow {
  const double* b;
  std::size_t lanes, stride;
  double* c;
};

// c += large b, for `rows` rows of c and `terms` rows of b.
template <bool Transposed, class Cell>
inline TULLE_INLINE void add_product(const Large<Transposed, Cell>& large, std::size_t rows,
                                     std::size_t terms, const Narrow& narrow) {
  const auto [b, lanes, stride, c] = narrow;
  for (std::size_t e = 0; e < terms; e += large.kTerms) {
    const std::size_t count = std::min(large.kTerms, terms - e);
    const double* const part = b + e * stride;
    std::size_t i = 0;
    for (; i + kRowsOfTile <= rows; i += kRowsOfTile)
      add_rows<kRowsOfTile>(large.from(i, e), count, part, lanes, stride, c + i * stride);
    for (; i + 2 <= rows; i += 2) add_rows<2>(large.from(i, e), count, part, lanes, stride, c + i * stride);
    if (i < rows) add_rows<1>(large.from(i, e), count, part, lanes, stride, c + i * stride);
  }
}

// One for each type of cell: versions for several processors have no templates.
TULLE_MULTIARCH void add_versioned(const Large<false, double>& large, std::size_t rows, std::size_t terms,
                                   const Narrow& narrow) {
  add_product(large, rows, terms, narrow);
}

TULLE_MULTIARCH void add_versioned(const Large<false, float>& large, std::size_t rows, std::size_t terms,
                                   const Narrow& narrow) {
  add_product(large, rows, terms, narrow);
}

TULLE_MULTIARCH void add_versioned(const Large<true, double>& large, std::size_t rows, std::size_t terms,
                                   const Narrow& narrow) {
  add_product(large, rows, terms, narrow);
}

TULLE_MULTIARCH void add_versioned(const Large<true, float>& large, std::size_t rows, std::size_t terms,
                                   const Narrow& narrow) {
  add_product(large, rows, terms, narrow);
}

// A tile of three lanes takes longer than one of four, for which the padding has room.
std::size_t lanes_of(std::size_t columns) {
  const std::size_t lanes = (columns + kTileLane - 1) / kTileLane;
  return lanes % kLanesOfTile == 3 ? lanes + 1 : lanes;
}

template <bool Transposed, class Cell>
void add_narrow(const StridedRowsOf<Cell>& a, const double* b, std::size_t columns, std::size_t stride,
                double* c) {
  const Large<Transposed, Cell> large{a.data(), static_cast<std::size_t>(a.outerStride())};
  const auto rows = static_cast<std::size_t>(a.rows()), cells = static_cast<std::size_t>(a.cols());
  add_versioned(large, Transposed ? cells : rows, Transposed ? rows : cells,
                {b, lanes_of(columns), stride, c});
}

}  // namespace

void add_narrow_product(const StridedRowsOf<double>& a, const double* b, std::size_t columns,
                        std::size_t stride, double* c) {
  add_narrow<false>(a, b, columns, stride, c);
}

void add_narrow_product(const StridedRowsOf<float>& a, const double* b, std::size_t columns,
                        std::size_t stride, double* c) {
  add_narrow<false>(a, b, columns, stride, c);
}

void add_narrow_transposed_product(const StridedRowsOf<double>& a, const double* b, std::size_t columns,
                                   std::size_t stride, double* c) {
  add_narrow<true>(a, b, columns, stride, c);
}

void add_narrow_transposed_product(const StridedRowsOf<float>& a, const double* b, std::size_t columns,
                                   std::size_t stride, double* c) {
  add_narrow<true>(a, b, columns, stride, c);
}

}  // namespace tulle
