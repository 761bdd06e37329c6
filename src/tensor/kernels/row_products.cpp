#include <tulle/base/chunks.hpp>
#include <tulle/base/lanes.hpp>
#include <tulle/base/multiarch.hpp>
#include <tulle/tensor/kernels/row_products.hpp>

#include <algorithm>
#include <array>
#include <numeric>
#include <vector>

namespace tulle {
namespace {

constexpr int kPanelLanes = 4, kPanelColumns = kPanelLanes * kFloatLane;
constexpr int kTileRows = 4;
constexpr Eigen::Index kRowsOfAPiece = 64;  // that stay in the cache while all panels pass by
constexpr Eigen::Index kStoreWork = 6;      // of a sum, in products

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

void multiply_dense(const Eigen::Ref<const FloatMatrix>& left, const PackedColumns& right, Eigen::Index first,
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

// ---- Rows that are mostly zero, such as images on an empty ground ----
//
// A product by zero changes no sum (weights are finite), so what is left out of a row's sequence of
// operations makes no difference: results are those of multiply_dense to the last bit, but for the sign of a
// zero, which nothing that follows looks at.

// Panels that a row is multiplied by at once, and rows of a panel that stay in the cache meanwhile.
constexpr int kPanelsAtOnce = 4, kInnerBlock = 128;
constexpr int kColumnsAtOnce = kPanelsAtOnce * kPanelColumns;
constexpr double kFewNonzeros = 0.5;  // of all values, for which skipping the others is faster

// The values of rows other than zero, by blocks of kInnerBlock columns.
struct SparseRows {
  std::vector<float> values;
  std::vector<std::uint32_t> columns;
  std::vector<std::size_t> starts;  // of every block of every row
};

// How many there are in every block of every row.
std::vector<std::size_t> count_nonzeros(const Eigen::Ref<const FloatMatrix>& rows) {
  const std::size_t blocks = chunk_count(static_cast<std::size_t>(rows.cols()), kInnerBlock);
  std::vector<std::size_t> counts(static_cast<std::size_t>(rows.rows()) * blocks);
#pragma omp parallel for schedule(static) if (static_cast <std::size_t>(rows.size()) >= kWorthThreads)
  for (Eigen::Index row = 0; row < rows.rows(); ++row)
    for (std::size_t block = 0; block < blocks; ++block) {
      const float* values = rows.data() + row * rows.outerStride();
      const auto first = static_cast<Eigen::Index>(block) * kInnerBlock;
      int count = 0;
      for (Eigen::Index column = first; column < std::min(rows.cols(), first + kInnerBlock); ++column)
        count += values[column] != 0 ? 1 : 0;
      counts[static_cast<std::size_t>(row) * blocks + block] = static_cast<std::size_t>(count);
    }
  return counts;
}

SparseRows sparse_rows_of(const Eigen::Ref<const FloatMatrix>& rows, const std::vector<std::size_t>& counts) {
  SparseRows found;
  found.starts.resize(counts.size() + 1);
  std::partial_sum(counts.begin(), counts.end(), found.starts.begin() + 1);
  found.values.resize(found.starts.back());
  found.columns.resize(found.starts.back());
  const std::size_t blocks = counts.size() / static_cast<std::size_t>(rows.rows());
#pragma omp parallel if (static_cast <std::size_t>(rows.size()) >= kWorthThreads)
  {
    // One more: the place after the last, which values of zero are written to.
    std::vector<float> nonzeros(static_cast<std::size_t>(rows.cols()) + 1);
    std::vector<std::uint32_t> columns(nonzeros.size());
#pragma omp for schedule(static)
    for (Eigen::Index row = 0; row < rows.rows(); ++row) {
      const float* values = rows.data() + row * rows.outerStride();
      std::size_t next = 0;
      for (Eigen::Index column = 0; column < rows.cols(); ++column) {
        nonzeros[next] = values[column];
        columns[next] = static_cast<std::uint32_t>(column);
        next += values[column] != 0 ? 1 : 0;
      }
      const auto start = static_cast<std::ptrdiff_t>(found.starts[static_cast<std::size_t>(row) * blocks]);
      std::copy_n(nonzeros.begin(), next, found.values.begin() + start);
      std::copy_n(columns.begin(), next, found.columns.begin() + start);
    }
  }
  return found;
}

// Adds nonzeros begin .. end-1 times the rows of `weights` to `sums`; both have kColumnsAtOnce columns.
// `weights` begins with row `first`.
TULLE_MULTIARCH
void add_nonzeros(const SparseRows& nonzeros, std::size_t begin, std::size_t end, const float* weights,
                  std::size_t first, float* sums) {
  constexpr int kLanes = kColumnsAtOnce / kFloatLane;
  FloatLane lanes[kLanes];
  auto* lanes_of_sums = reinterpret_cast<FloatLaneInMemory*>(sums);
  for (int lane = 0; lane < kLanes; ++lane) lanes[lane] = lanes_of_sums[lane];
  for (std::size_t i = begin; i < end; ++i) {
    const float value = nonzeros.values[i];
    const auto* row = reinterpret_cast<const FloatLaneInMemory*>(weights + (nonzeros.columns[i] - first) *
                                                                               std::size_t{kColumnsAtOnce});
    for (int lane = 0; lane < kLanes; ++lane) lanes[lane] += value * row[lane];
  }
  for (int lane = 0; lane < kLanes; ++lane) lanes_of_sums[lane] = lanes[lane];
}

// Rows first .. first + count - 1 of the panels from `panel` on, side by side.
void copy_panels(const PackedColumns& right, Eigen::Index panel, std::size_t first, std::size_t count,
                 float* rows) {
  const Eigen::Index panels = (right.columns() + kPanelColumns - 1) / kPanelColumns;
  for (int i = 0; i < kPanelsAtOnce && panel + i < panels; ++i)
    for (std::size_t row = 0; row < count; ++row)
      std::copy_n(right.panel(panel + i) + (first + row) * kPanelColumns, kPanelColumns,
                  rows + row * kColumnsAtOnce + i * kPanelColumns);
}

// The weights that a group of panels holds are used for all rows before the next ones: rows of few values are
// multiplied faster than weights come from memory.
void multiply_sparse(const Eigen::Ref<const FloatMatrix>& rows, const std::vector<std::size_t>& counts,
                     const PackedColumns& right, Eigen::Ref<FloatMatrix> result) {
  const SparseRows nonzeros = sparse_rows_of(rows, counts);
  const auto blocks = chunk_count(static_cast<std::size_t>(rows.cols()), kInnerBlock);
  const auto count = static_cast<std::size_t>(rows.rows());
  const auto inner = static_cast<std::size_t>(rows.cols());
  const bool threaded = count * inner * static_cast<std::size_t>(right.columns()) >= kWorthWaiting;
#pragma omp parallel for schedule(dynamic) if (threaded)
  for (Eigen::Index column = 0; column < right.columns(); column += kColumnsAtOnce) {
    PagedVector<float> weights(std::size_t{kInnerBlock} * kColumnsAtOnce), sums(count * kColumnsAtOnce);
    for (std::size_t block = 0; block < blocks; ++block) {
      const std::size_t first = block * kInnerBlock;
      copy_panels(right, column / kPanelColumns, first, std::min<std::size_t>(kInnerBlock, inner - first),
                  weights.data());
      for (std::size_t row = 0; row < count; ++row)
        add_nonzeros(nonzeros, nonzeros.starts[row * blocks + block],
                     nonzeros.starts[row * blocks + block + 1], weights.data(), first,
                     sums.data() + row * kColumnsAtOnce);
    }
    const auto width =
        static_cast<std::size_t>(std::min<Eigen::Index>(kColumnsAtOnce, right.columns() - column));
    for (std::size_t row = 0; row < count; ++row)
      std::copy_n(sums.data() + row * kColumnsAtOnce, width,
                  result.data() + static_cast<Eigen::Index>(row) * result.outerStride() + column);
  }
}

}  // namespace

void PackedColumns::resize(Eigen::Index rows, Eigen::Index columns) {
  if (rows == rows_ && columns == columns_) return;
  rows_ = rows;
  columns_ = columns;
  panels_ = PagedVector<float>(static_cast<std::size_t>(rows) *
                               chunk_count(static_cast<std::size_t>(columns), kPanelColumns) * kPanelColumns);
}

const float* PackedColumns::panel(Eigen::Index number) const {
  return panels_.data() + number * rows_ * kPanelColumns;
}

void PackedColumns::assign(const Eigen::Ref<const FloatMatrix>& matrix) {
  resize(matrix.rows(), matrix.cols());
#pragma omp parallel for schedule(static) if (panels_.size() >= kWorthWaiting / 16)
  for (Eigen::Index first = 0; first < columns_; first += kPanelColumns)
    for (Eigen::Index row = 0; row < rows_; ++row)
      std::copy_n(matrix.data() + row * matrix.outerStride() + first,
                  std::min<Eigen::Index>(kPanelColumns, columns_ - first),
                  panels_.data() + first * rows_ + row * kPanelColumns);
}

void PackedColumns::assign_transposed(const Eigen::Ref<const FloatMatrix>& matrix) {
  resize(matrix.cols(), matrix.rows());
  for (Eigen::Index column = 0; column < columns_; ++column)
    for (Eigen::Index row = 0; row < rows_; ++row)
      panels_[static_cast<std::size_t>((column / kPanelColumns * rows_ + row) * kPanelColumns +
                                       column % kPanelColumns)] = matrix(column, row);
}

void row_products(const Eigen::Ref<const FloatMatrix>& left, const PackedColumns& right,
                  Eigen::Ref<FloatMatrix> result) {
  if (right.columns() >= kColumnsAtOnce) {
    const std::vector<std::size_t> counts = count_nonzeros(left);
    const auto nonzeros = static_cast<double>(std::reduce(counts.begin(), counts.end()));
    if (nonzeros < kFewNonzeros * static_cast<double>(left.size()))
      return multiply_sparse(left, counts, right, result);
  }
  const auto pieces = chunk_count(static_cast<std::size_t>(left.rows()), kRowsOfAPiece);
  const auto work = static_cast<std::size_t>(left.rows() * (left.cols() + kStoreWork)) *
                    chunk_count(static_cast<std::size_t>(right.columns()), kPanelColumns) * kPanelColumns;
#pragma omp parallel for schedule(dynamic) if (work >= kWorthWaiting)
  for (std::size_t piece = 0; piece < pieces; ++piece) {
    const auto first = static_cast<Eigen::Index>(piece) * kRowsOfAPiece;
    multiply_dense(left, right, first, std::min(left.rows(), first + kRowsOfAPiece), result);
  }
}

}  // namespace tulle
