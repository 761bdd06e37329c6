// Sums of products of whole numbers (tensor/kernels/row_products.hpp). All sums are exact, so that it makes
// no difference which of three ways is taken: by BLAS; with few columns on the right, piece by piece, so that
// no rounded matrix is written to memory; where the left-hand side is mostly zero, as images on an empty
// ground are, without the products by zero.
#include "lapack.hpp"

#include <tulle/base/chunks.hpp>
#include <tulle/base/lanes.hpp>
#include <tulle/base/multiarch.hpp>
#include <tulle/tensor/kernels/narrow_product.hpp>
#include <tulle/tensor/kernels/row_products.hpp>

#include <algorithm>
#include <cmath>
#include <vector>

namespace tulle {
namespace {

TULLE_MULTIARCH
void round_values(const float* values, double scale, Eigen::Index count, double* whole) {
  for (Eigen::Index i = 0; i < count; ++i) whole[i] = std::rint(scale * static_cast<double>(values[i]));
}

const float* row_of(const RoundedRows& rows, Eigen::Index row) {
  return rows.values.data() + row * rows.values.outerStride();
}

// Some columns of some rows, as whole numbers: `whole` has rows of `stride`.
struct Part {
  Eigen::Index row, rows, column, columns;
};

void round_part(const RoundedRows& rows, const Part& part, Eigen::Index stride, double* whole) {
  // Processors do not foresee reads that are a whole row apart: later rows are asked for here.
  constexpr Eigen::Index kAhead = 8;
  for (Eigen::Index i = 0; i < part.rows; ++i) {
    const Eigen::Index row = part.row + i;
    const float* values = row_of(rows, row) + part.column;
    __builtin_prefetch(i + kAhead < part.rows ? values + kAhead * rows.values.outerStride() : values);
    round_values(values, rows.scales[static_cast<std::size_t>(row)], part.columns, whole + i * stride);
  }
}

// ---- Few columns on the right ----

constexpr Eigen::Index kNarrow = 16;
constexpr Eigen::Index kNarrowRows = 128, kNarrowColumns = 96;  // of a piece
constexpr Eigen::Index kRoundingWork = 6;                       // of a value, in products

void add_narrow_products(const RoundedRows& left, const RoundedRows& right, Eigen::Ref<WholeMatrix> sum) {
  const Eigen::Index rows = left.values.rows(), columns = left.values.cols(), outputs = right.values.cols();
  const auto stride =
      static_cast<Eigen::Index>(chunk_count(static_cast<std::size_t>(outputs), 4) * 4);  // padded by zeros
  PagedVector<double> narrow(static_cast<std::size_t>(rows * stride));
  round_part(right, {0, rows, 0, outputs}, stride, narrow.data());
  const auto pieces = chunk_count(static_cast<std::size_t>(columns), kNarrowColumns);
  const bool threaded = static_cast<std::size_t>(rows * columns * (stride + kRoundingWork)) >= kWorthWaiting;
#pragma omp parallel for schedule(dynamic) if (threaded)
  for (std::size_t piece = 0; piece < pieces; ++piece) {
    const auto first = static_cast<Eigen::Index>(piece) * kNarrowColumns;
    const Eigen::Index width = std::min(kNarrowColumns, columns - first);
    PagedVector<double> whole(kNarrowRows * kNarrowColumns), sums(static_cast<std::size_t>(width * stride));
    for (Eigen::Index begin = 0; begin < rows; begin += kNarrowRows) {
      const Eigen::Index count = std::min(kNarrowRows, rows - begin);
      round_part(left, {begin, count, first, width}, kNarrowColumns, whole.data());
      add_narrow_transposed_product(
          StridedRows(whole.data(), count, width, Eigen::OuterStride<>(kNarrowColumns)),
          narrow.data() + begin * stride, static_cast<std::size_t>(outputs), static_cast<std::size_t>(stride),
          sums.data());
    }
    for (Eigen::Index column = 0; column < width; ++column)
      for (Eigen::Index j = 0; j < outputs; ++j)
        sum(first + column, j) += sums[static_cast<std::size_t>(column * stride + j)];
  }
}

// ---- Few values other than zero on the left ----

constexpr int kTileLanes = 8, kTileColumns = kTileLanes * kTileLane;
constexpr Eigen::Index kRowBlock = 320;        // rows of a panel that stay in the cache
constexpr Eigen::Index kColumnsOfAPiece = 64;  // of the left-hand side
constexpr double kSparseBelow = 0.5;           // for which skipping the others is faster than BLAS

// The rounded values of some columns other than zero, column by column.
struct SparseColumns {
  std::vector<float> values;
  std::vector<std::uint16_t> rows;  // of a block
  std::vector<std::size_t> starts = {0};
};

SparseColumns sparse_columns_of(const RoundedRows& left, Eigen::Index begin, Eigen::Index end,
                                Eigen::Index first, Eigen::Index width) {
  std::vector<std::size_t> next(static_cast<std::size_t>(width));
  for (Eigen::Index row = begin; row < end; ++row) {
    const float* values = row_of(left, row) + first;
    for (std::size_t column = 0; column < next.size(); ++column) next[column] += values[column] != 0 ? 1 : 0;
  }
  SparseColumns found;
  for (std::size_t& count : next) {
    found.starts.push_back(found.starts.back() + count);
    count = found.starts.rbegin()[1];
  }
  found.values.resize(found.starts.back());
  found.rows.resize(found.values.size());
  for (Eigen::Index row = begin; row < end; ++row) {
    const float* values = row_of(left, row) + first;
    const double scale = left.scales[static_cast<std::size_t>(row)];
    for (std::size_t column = 0; column < next.size(); ++column)
      if (values[column] != 0) {
        found.values[next[column]] =
            static_cast<float>(std::rint(scale * static_cast<double>(values[column])));
        found.rows[next[column]++] = static_cast<std::uint16_t>(row - begin);
      }
  }
  return found;
}

// sums += values of one column times the rows of a panel.
TULLE_MULTIARCH
void add_column(const float* values, const std::uint16_t* rows, std::size_t count, const double* panel,
                double* sums) {
  TileLane lanes[kTileLanes];
  for (int lane = 0; lane < kTileLanes; ++lane) lanes[lane] = tile_lanes(sums)[lane];
  for (std::size_t i = 0; i < count; ++i) {
    const auto value = static_cast<double>(values[i]);
    const TileLaneInMemory* row = tile_lanes(panel + std::size_t{rows[i]} * kTileColumns);
    for (int lane = 0; lane < kTileLanes; ++lane) lanes[lane] += value * row[lane];
  }
  for (int lane = 0; lane < kTileLanes; ++lane) tile_lanes(sums)[lane] = lanes[lane];
}

// Products of a block of rows.
void add_sparse_block(const RoundedRows& left, const RoundedRows& right, Eigen::Index begin, Eigen::Index end,
                      Eigen::Ref<WholeMatrix> sum) {
  const Eigen::Index columns = left.values.cols(), outputs = right.values.cols();
  std::vector<SparseColumns> pieces(chunk_count(static_cast<std::size_t>(columns), kColumnsOfAPiece));
  const bool threaded = static_cast<std::size_t>((end - begin) * columns * outputs) >= kWorthWaiting;
#pragma omp parallel for schedule(static) if (threaded)
  for (std::size_t piece = 0; piece < pieces.size(); ++piece) {
    const auto first = static_cast<Eigen::Index>(piece) * kColumnsOfAPiece;
    pieces[piece] = sparse_columns_of(left, begin, end, first, std::min(kColumnsOfAPiece, columns - first));
  }
  const auto panels = chunk_count(static_cast<std::size_t>(outputs), kTileColumns);
#pragma omp parallel for schedule(dynamic) if (threaded)
  for (std::size_t number = 0; number < panels; ++number) {
    const auto first = static_cast<Eigen::Index>(number) * kTileColumns;
    const auto width = std::min<Eigen::Index>(kTileColumns, outputs - first);
    PagedVector<double> panel(static_cast<std::size_t>(end - begin) * kTileColumns);
    round_part(right, {begin, end - begin, first, width}, kTileColumns, panel.data());
    double tile[kTileColumns] = {};  // of the last panel, which may be narrower
    for (Eigen::Index column = 0; column < columns; ++column) {
      const SparseColumns& piece = pieces[static_cast<std::size_t>(column / kColumnsOfAPiece)];
      const auto start = piece.starts.begin() + column % kColumnsOfAPiece;
      double* sums = sum.data() + column * sum.outerStride() + first;
      if (width < kTileColumns) std::copy_n(sums, width, tile);
      add_column(piece.values.data() + start[0], piece.rows.data() + start[0], start[1] - start[0],
                 panel.data(), width < kTileColumns ? tile : sums);
      if (width < kTileColumns) std::copy_n(tile, width, sums);
    }
  }
}

bool is_sparse(const RoundedRows& rows) {
  std::size_t count = 0;
  for (Eigen::Index row = 0; row < rows.values.rows(); ++row) {
    const float* values = row_of(rows, row);
    unsigned of_row = 0;
    for (Eigen::Index column = 0; column < rows.values.cols(); ++column)
      of_row += values[column] != 0 ? 1 : 0;
    count += of_row;
  }
  return static_cast<double>(count) < kSparseBelow * static_cast<double>(rows.values.size());
}

// ---- By BLAS ----

WholeMatrix whole(const RoundedRows& rows) {
  WholeMatrix result(rows.values.rows(), rows.values.cols());
  const bool threaded = static_cast<std::size_t>(result.size()) >= kWorthThreads;
#pragma omp parallel for schedule(static) if (threaded)
  for (Eigen::Index row = 0; row < result.rows(); ++row)
    round_part(rows, {row, 1, 0, result.cols()}, result.cols(), result.data() + row * result.cols());
  return result;
}

// Row-major matrices are the transposes of the column-major ones that BLAS sees.
void add_dense_products(const RoundedRows& left, const RoundedRows& right, Eigen::Ref<WholeMatrix> sum) {
  const WholeMatrix a = whole(left), b = whole(right);
  cblas_dgemm(CblasRowMajor, CblasTrans, CblasNoTrans, static_cast<int>(a.cols()), static_cast<int>(b.cols()),
              static_cast<int>(a.rows()), 1, a.data(), static_cast<int>(a.cols()), b.data(),
              static_cast<int>(b.cols()), 1, sum.data(), static_cast<int>(sum.outerStride()));
}

}  // namespace

void add_exact_products(const RoundedRows& left, const RoundedRows& right, Eigen::Ref<WholeMatrix> sum) {
  const Eigen::Index rows = left.values.rows();
  if (rows == 0) return;
  if (right.values.cols() <= kNarrow) return add_narrow_products(left, right, sum);
  if (!is_sparse(left)) return add_dense_products(left, right, sum);
  for (Eigen::Index begin = 0; begin < rows; begin += kRowBlock)
    add_sparse_block(left, right, begin, std::min(rows, begin + kRowBlock), sum);
}

}  // namespace tulle
