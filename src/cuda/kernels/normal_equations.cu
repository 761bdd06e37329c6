#include "normal_equations.cuh"

namespace tulle::gpu {
namespace {

constexpr int kMostTiles = 4;  // of rows and of columns that one warp holds in registers
constexpr unsigned kWarps = 4;

// C += A B for A of 8 x 4 and B of 4 x 8. A lane has A[lane / 4][lane % 4], B[lane % 4][lane / 4] and
// C[lane / 4][2 (lane % 4)], C[..][.. + 1].
__device__ inline void multiply_add(double (&c)[2], double a, double b) {
  asm("mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {%0,%1},{%2},{%3},{%0,%1};"
      : "+d"(c[0]), "+d"(c[1])
      : "d"(a), "d"(b));
}

// Of the four lanes that have a column, the sum over their cells.
__device__ inline double sum_over_cells(double value) {
  value += __shfl_xor_sync(~0u, value, 1);
  return value + __shfl_xor_sync(~0u, value, 2);
}

// Two neighbours of a row of the symmetric matrix; beyond the padded columns there is nothing.
__device__ inline void store(const double (&pair)[2], const SumLayout& layout, int row, int column,
                             double* result) {
  if (row >= layout.stride || column >= layout.stride) return;
  *reinterpret_cast<double2*>(result + layout.gram(row, column)) = {pair[0], pair[1]};
  if (row / 8 == column / 8) return;
  result[layout.gram(column, row)] = pair[0];
  result[layout.gram(column + 1, row)] = pair[1];
}

// The rows of the other factors at one cell, and what is left of its value. A lane without a cell has zeros.
template <int Others>
struct Cell {
  std::size_t rows[Others > 0 ? Others : kMostOrder - 1];  // where they begin
  double left = 0;
  bool is_there;

  __device__ Cell(const Reads& from, std::size_t at, bool is_there) : is_there(is_there) {
    const std::uint32_t* const position = from.positions + at * others(from);
    double value = from.values[at];
#pragma unroll
    for (int k = 0; k < others(from); ++k) {
      rows[k] = position[k] * static_cast<std::size_t>(from.stride);
      value -= from.offsets[k][position[k]];
    }
    if (is_there) left = value;
  }

  __device__ static int others(const Reads& from) {
    return Others > 0 ? Others : from.others;
  }

  __device__ double product(const Reads& from, int column) const {
    if (!is_there || column >= from.stride) return 0;
    double product = from.factors[0][rows[0] + column];
#pragma unroll
    for (int k = 1; k < others(from); ++k) product *= from.factors[k][rows[k] + column];
    return product;
  }

  // Of h in one column, whose factors are independent: prod (mean^2 + variance) - prod mean^2.
  __device__ double variance(const Reads& from, int column, double mean) const {
    if (!is_there || column >= from.stride) return 0;
    double product = 1;
#pragma unroll
    for (int k = 0; k < others(from); ++k) {
      const double each = from.factors[k][rows[k] + column];
      product *= each * each + from.variances[k][rows[k] + column];
    }
    return product - mean * mean;
  }
};

// The tiles first_row .. + Rows by first_column .. + Columns of one segment's sums; on the diagonal, where
// rows and columns are the same, the other sums of those columns too.
template <int Rows, int Columns, bool Diagonal, bool Uncertain, int Others>
__global__ void sum_tiles(Reads from, const Segment* segments, std::size_t count, int first_row,
                          int first_column, double* sums) {
  const std::size_t number = blockIdx.x * static_cast<std::size_t>(kWarps) + threadIdx.x / 32;
  if (number >= count) return;
  const int lane = static_cast<int>(threadIdx.x % 32), own = lane / 4, step = lane % 4;
  const Segment segment = segments[number];
  double tiles[Rows][Columns][2] = {};
  double right[Rows] = {}, total[Rows] = {}, spread[Rows] = {};
  double value_total = 0, value_square = 0;
#pragma unroll 2
  for (std::size_t first = segment.begin; first < segment.end; first += 4) {
    const bool is_there = first + step < segment.end;
    const Cell<Others> cell(from, is_there ? first + step : segment.end - 1, is_there);
    double h[Rows], across[Columns];
#pragma unroll
    for (int i = 0; i < Rows; ++i) h[i] = cell.product(from, 8 * (first_row + i) + own);
#pragma unroll
    for (int j = 0; j < Columns; ++j)
      across[j] = Diagonal ? h[j] : cell.product(from, 8 * (first_column + j) + own);
#pragma unroll
    for (int i = 0; i < Rows; ++i)
#pragma unroll
      for (int j = Diagonal ? i : 0; j < Columns; ++j) multiply_add(tiles[i][j], h[i], across[j]);
    if constexpr (Diagonal) {
      value_total += cell.left;
      value_square += cell.left * cell.left;
#pragma unroll
      for (int i = 0; i < Rows; ++i) {
        right[i] += cell.left * h[i];
        total[i] += h[i];
        if constexpr (Uncertain) spread[i] += cell.variance(from, 8 * (first_row + i) + own, h[i]);
      }
    }
  }
  const SumLayout layout{from.stride};
  double* const result = sums + number * layout.size();
#pragma unroll
  for (int i = 0; i < Rows; ++i)
#pragma unroll
    for (int j = Diagonal ? i : 0; j < Columns; ++j)
      store(tiles[i][j], layout, 8 * (first_row + i) + own, 8 * (first_column + j) + 2 * step, result);
  if constexpr (Diagonal) {
#pragma unroll
    for (int i = 0; i < Rows; ++i) {
      const int column = 8 * (first_row + i) + own;
      const double of_right = sum_over_cells(right[i]), of_total = sum_over_cells(total[i]);
      const double of_spread = Uncertain ? sum_over_cells(spread[i]) : 0;
      if (step != 0 || column >= from.stride) continue;
      result[layout.right() + column] = of_right;
      result[layout.total() + column] = of_total;
      if constexpr (Uncertain) result[layout.variance() + column] = of_spread;
    }
    value_total = sum_over_cells(value_total);
    value_square = sum_over_cells(value_square);
    if (lane == 0 && first_row == 0) {
      result[layout.value_total()] = value_total;
      result[layout.value_square()] = value_square;
      result[layout.count()] = static_cast<double>(segment.end - segment.begin);
    }
  }
}

using Kernel = void (*)(Reads, const Segment*, std::size_t, int, int, double*);

template <int Others>
Kernel beside_diagonal(int columns) {
  constexpr Kernel kByColumns[] = {
      sum_tiles<4, 1, false, false, Others>, sum_tiles<4, 2, false, false, Others>,
      sum_tiles<4, 3, false, false, Others>, sum_tiles<4, 4, false, false, Others>};
  return kByColumns[columns - 1];
}

template <bool Uncertain, int Others>
Kernel on_diagonal(int tiles) {
  constexpr Kernel kByTiles[] = {
      sum_tiles<1, 1, true, Uncertain, Others>, sum_tiles<2, 2, true, Uncertain, Others>,
      sum_tiles<3, 3, true, Uncertain, Others>, sum_tiles<4, 4, true, Uncertain, Others>};
  return kByTiles[tiles - 1];
}

template <int Others>
void sum_all_tiles(const Reads& from, const Segment* segments, std::size_t count, bool uncertain,
                   double* sums) {
  const int tiles = (from.stride + 7) / 8;
  for (int row = 0; row < tiles; row += kMostTiles)
    for (int column = row; column < tiles; column += kMostTiles) {
      const int columns = std::min(kMostTiles, tiles - column);
      const Kernel kernel = row != column ? beside_diagonal<Others>(columns)
                            : uncertain   ? on_diagonal<true, Others>(columns)
                                          : on_diagonal<false, Others>(columns);
      kernel<<<blocks_for(count, kWarps), kWarps * 32>>>(from, segments, count, row, column, sums);
    }
  check(cudaGetLastError());
}

}  // namespace

void sum_segments(const Reads& from, const Segment* segments, std::size_t count, bool uncertain,
                  double* sums) {
  const auto sum_all = from.others == 2 ? sum_all_tiles<2> : sum_all_tiles<0>;
  sum_all(from, segments, count, uncertain, sums);
}

}  // namespace tulle::gpu
