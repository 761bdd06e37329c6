#include "lapack.hpp"

#include <tulle/base/chunks.hpp>
#include <tulle/base/lanes.hpp>
#include <tulle/base/multiarch.hpp>
#include <tulle/tensor/kernels/row_products.hpp>

#include <algorithm>
#include <array>

namespace tulle {
namespace {

constexpr int kPanelLanes = 4, kPanelColumns = kPanelLanes * kFloatLane;
constexpr int kTileRows = 4;
constexpr Eigen::Index kRowsOfAPiece = 64;  // that stay in the cache while all panels pass by

// kTileRows rows times one panel. Rows that a tile has too few of are pointers to other rows: their results
// are computed and thrown away, so that there is one sequence of operations for all.
TULLE_MULTIARCH
void multiply_tile(const std::array<const float*, kTileRows>& rows, const float* panel, Eigen::Index inner,
                   float (*result)[kPanelColumns]) {
  FloatLane sums[kTileRows][kPanelLanes] = {};
  const auto* lanes_of_panel = reinterpret_cast<const FloatLaneInMemory*>(panel);
  for (Eigen::Index k = 0; k < inner; ++k, lanes_of_panel += kPanelLanes)
    for (int row = 0; row < kTileRows; ++row)
      for (int lane = 0; lane < kPanelLanes; ++lane)
        sums[row][lane] += rows[static_cast<std::size_t>(row)][k] * lanes_of_panel[lane];
  for (int row = 0; row < kTileRows; ++row)
    for (int lane = 0; lane < kPanelLanes; ++lane)
      reinterpret_cast<FloatLaneInMemory*>(result[row])[lane] = sums[row][lane];
}

void multiply_piece(const Eigen::Ref<const FloatMatrix>& left, const PackedColumns& right, Eigen::Index first,
                    Eigen::Index end, Eigen::Ref<FloatMatrix>& result) {
  float tile[kTileRows][kPanelColumns];
  for (Eigen::Index column = 0; column < right.columns(); column += kPanelColumns) {
    const float* panel = right.panel(column / kPanelColumns);
    const auto width =
        static_cast<std::size_t>(std::min<Eigen::Index>(kPanelColumns, right.columns() - column));
    for (Eigen::Index row = first; row < end; row += kTileRows) {
      std::array<const float*, kTileRows> rows;
      for (int i = 0; i < kTileRows; ++i)
        rows[static_cast<std::size_t>(i)] = left.data() + std::min(row + i, end - 1) * left.outerStride();
      multiply_tile(rows, panel, right.rows(), tile);
      for (int i = 0; i < kTileRows && row + i < end; ++i)
        std::copy_n(tile[i], width, result.data() + (row + i) * result.outerStride() + column);
    }
  }
}

}  // namespace

PackedColumns::PackedColumns(Eigen::Index rows, Eigen::Index columns)
    : rows_(rows),
      columns_(columns),
      panels_(static_cast<std::size_t>(rows) * chunk_count(static_cast<std::size_t>(columns), kPanelColumns) *
              kPanelColumns) {}

const float* PackedColumns::panel(Eigen::Index number) const {
  return panels_.data() + number * rows_ * kPanelColumns;
}

PackedColumns::PackedColumns(const Eigen::Ref<const FloatMatrix>& matrix)
    : PackedColumns(matrix.rows(), matrix.cols()) {
  for (Eigen::Index row = 0; row < rows_; ++row)
    for (Eigen::Index column = 0; column < columns_; ++column)
      panels_[static_cast<std::size_t>((column / kPanelColumns * rows_ + row) * kPanelColumns +
                                       column % kPanelColumns)] = matrix(row, column);
}

PackedColumns PackedColumns::transposed(const Eigen::Ref<const FloatMatrix>& matrix) {
  PackedColumns packed(matrix.cols(), matrix.rows());
  for (Eigen::Index column = 0; column < packed.columns_; ++column)
    for (Eigen::Index row = 0; row < packed.rows_; ++row)
      packed.panels_[static_cast<std::size_t>((column / kPanelColumns * packed.rows_ + row) * kPanelColumns +
                                              column % kPanelColumns)] = matrix(column, row);
  return packed;
}

void row_products(const Eigen::Ref<const FloatMatrix>& left, const PackedColumns& right,
                  Eigen::Ref<FloatMatrix> result) {
  const auto pieces = chunk_count(static_cast<std::size_t>(left.rows()), kRowsOfAPiece);
  const auto work = static_cast<std::size_t>(left.size()) * static_cast<std::size_t>(right.columns());
#pragma omp parallel for schedule(dynamic) if (work >= kWorthWaiting)
  for (std::size_t piece = 0; piece < pieces; ++piece) {
    const auto first = static_cast<Eigen::Index>(piece) * kRowsOfAPiece;
    multiply_piece(left, right, first, std::min(left.rows(), first + kRowsOfAPiece), result);
  }
}

// Row-major matrices are the transposes of the column-major ones that BLAS sees.
void add_exact_products(const Eigen::Ref<const WholeMatrix>& left, const Eigen::Ref<const WholeMatrix>& right,
                        Eigen::Ref<WholeMatrix> sum) {
  if (left.rows() == 0) return;
  cblas_dgemm(CblasRowMajor, CblasTrans, CblasNoTrans, static_cast<int>(left.cols()),
              static_cast<int>(right.cols()), static_cast<int>(left.rows()), 1, left.data(),
              static_cast<int>(left.outerStride()), right.data(), static_cast<int>(right.outerStride()), 1,
              sum.data(), static_cast<int>(sum.outerStride()));
}

}  // namespace tulle
