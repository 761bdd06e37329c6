#include "blas_kernels.hpp"
#include "layout.hpp"

#include <tulle/base/chunks.hpp>
#include <tulle/base/threads.hpp>
#include <tulle/tensor/kernels/narrow_product.hpp>
#include <tulle/tensor/kernels/reduce_rows.hpp>
#include <tulle/tensor/kernels/sweep.hpp>
#include <tulle/tensor/kernels/ttm.hpp>
#include <tulle/tensor/panel.hpp>
#include <tulle/tensor/sorted.hpp>

#include <cblas.h>

#include <algorithm>
#include <numeric>
#include <vector>

namespace tulle {
namespace {

std::size_t size_before(const Matrix& matrix, Apply apply) {
  return static_cast<std::size_t>(apply == Apply::expand ? matrix.cols() : matrix.rows());
}

std::size_t size_after(const Matrix& matrix, Apply apply) {
  return static_cast<std::size_t>(apply == Apply::expand ? matrix.rows() : matrix.cols());
}

void check_matrix(const Shape& shape, int mode, const Matrix& matrix, Apply apply) {
  check_mode(shape, mode);
  if (size_before(matrix, apply) != shape[mode])
    fail("a {}x{} matrix does not fit mode {} of a {} tensor", matrix.rows(), matrix.cols(), mode + 1,
         shape.text());
}

void check_count(const Shape& shape, std::span<const Matrix> matrices) {
  if (static_cast<int>(matrices.size()) != shape.order())
    fail("{} matrices for a {} tensor; give one per mode", matrices.size(), shape.text());
}

StridedRows strided_rows(const double* data, std::size_t rows, std::size_t columns, std::size_t stride) {
  return {data, static_cast<Eigen::Index>(rows), static_cast<Eigen::Index>(columns),
          Eigen::OuterStride<>(static_cast<Eigen::Index>(stride))};
}

// Cells of X that one call of BLAS reads: enough to run at full speed, few enough that every thread gets
// some.
constexpr std::size_t kPanelCells = 1 << 16;

// The last mode: X is a matrix of (all other modes) x size, in panels of rows.
void multiply_last(const Layout& at, const double* x, const Matrix& matrix, Apply apply, double* y) {
  const int size = blas_int(at.size), after = blas_int(size_after(matrix, apply));
  const int columns = blas_int(matrix.cols());
  const auto side = apply == Apply::expand ? CblasTrans : CblasNoTrans;
  const std::size_t panel = std::max<std::size_t>(1, kPanelCells / at.size);
#pragma omp parallel for schedule(dynamic)
  for (std::size_t begin = 0; begin < at.outer; begin += panel)
    cblas_dgemm(CblasRowMajor, CblasNoTrans, side, static_cast<int>(std::min(panel, at.outer - begin)), after,
                size, 1, x + begin * at.size, size, matrix.data(), columns, 0, y + begin * after, after);
}

// Any other mode: for each position of the modes before it, X is a matrix of size x (modes after it), in
// panels of columns.
void multiply_inner(const Layout& at, const double* x, const Matrix& matrix, Apply apply, double* y) {
  const int size = blas_int(at.size), after = blas_int(size_after(matrix, apply));
  const int columns = blas_int(matrix.cols()), stride = blas_int(at.inner);
  const auto side = apply == Apply::expand ? CblasNoTrans : CblasTrans;
  const std::size_t panel = std::max<std::size_t>(16, kPanelCells / at.size);
#pragma omp parallel for schedule(dynamic) collapse(2)
  for (std::size_t block = 0; block < at.outer; ++block)
    for (std::size_t begin = 0; begin < at.inner; begin += panel)
      cblas_dgemm(CblasRowMajor, side, CblasNoTrans, after,
                  static_cast<int>(std::min(panel, at.inner - begin)), size, 1, matrix.data(), columns,
                  x + block * at.size * at.inner + begin, stride, 0, y + block * after * at.inner + begin,
                  stride);
}

constexpr Eigen::Index kFewColumns = 16;
constexpr std::size_t kFewRows = 256;  // of a product with few columns: they stay in the first cache

// The same two for a projection on few columns.
void project_last(const Layout& at, const double* x, const Panel& matrix, double* y) {
  const auto stride = static_cast<std::size_t>(matrix.stride()),
             after = static_cast<std::size_t>(matrix.columns());
#pragma omp parallel for schedule(dynamic)
  for (std::size_t begin = 0; begin < at.outer; begin += kFewRows) {
    const std::size_t count = std::min(kFewRows, at.outer - begin);
    std::vector<double> rows(count * stride);
    add_narrow_product(strided_rows(x + begin * at.size, count, at.size, at.size), matrix.data(), after,
                       stride, rows.data());
    for (std::size_t row = 0; row < count; ++row)
      std::copy_n(&rows[row * stride], after, y + (begin + row) * after);
  }
}

void project_inner(const Layout& at, const double* x, const Panel& matrix, double* y) {
  const auto stride = static_cast<std::size_t>(matrix.stride()),
             after = static_cast<std::size_t>(matrix.columns());
#pragma omp parallel for schedule(dynamic) collapse(2)
  for (std::size_t block = 0; block < at.outer; ++block)
    for (std::size_t begin = 0; begin < at.inner; begin += kFewRows) {
      const std::size_t count = std::min(kFewRows, at.inner - begin);
      std::vector<double> rows(count * stride);
      add_narrow_transposed_product(
          strided_rows(x + block * at.size * at.inner + begin, at.size, count, at.inner), matrix.data(),
          after, stride, rows.data());
      double* const to = y + block * after * at.inner + begin;
      for (std::size_t column = 0; column < after; ++column)
        for (std::size_t row = 0; row < count; ++row)
          to[column * at.inner + row] = rows[row * stride + column];
    }
}

}  // namespace

DenseTensor ttm(const DenseTensor& tensor, int mode, const Matrix& matrix, Apply apply) {
  check_matrix(tensor.shape(), mode, matrix, apply);
  const Layout at(tensor.shape(), mode);
  DenseTensor result(tensor.shape().with(mode, size_after(matrix, apply)));
  const OneThread small(tensor.size() * size_after(matrix, apply) < kWorthThreads);
  const double* const x = tensor.values().data();
  double* const y = result.values().data();
  if (apply == Apply::project && matrix.cols() <= kFewColumns)
    (at.inner == 1 ? project_last : project_inner)(at, x, Panel(matrix), y);
  else
    (at.inner == 1 ? multiply_last : multiply_inner)(at, x, matrix, apply, y);
  return result;
}

DenseTensor ttm_chain(const DenseTensor& tensor, std::span<const Matrix> matrices, Apply apply) {
  std::vector<int> modes(tensor.order());
  std::iota(modes.begin(), modes.end(), 0);
  return ttm_chain(tensor, matrices, apply, std::move(modes));
}

// Mode a before mode b costs S m_a + S (m_a / n_a) m_b for S cells, sizes n and new sizes m; that is less
// than the other way round just when 1/n_a - 1/m_a < 1/n_b - 1/m_b. So this key sorts the modes into the
// cheapest order.
DenseTensor ttm_chain(const DenseTensor& tensor, std::span<const Matrix> matrices, Apply apply,
                      std::vector<int> modes) {
  check_count(tensor.shape(), matrices);
  if (modes.empty()) return tensor;
  const auto key = [&](int mode) {
    return 1.0 / static_cast<double>(size_before(matrices[mode], apply)) -
           1.0 / static_cast<double>(size_after(matrices[mode], apply));
  };
  std::stable_sort(modes.begin(), modes.end(), [&](int a, int b) { return key(a) < key(b); });
  DenseTensor result = ttm(tensor, modes[0], matrices[modes[0]], apply);
  for (std::size_t next = 1; next < modes.size(); ++next)
    result = ttm(result, modes[next], matrices[modes[next]], apply);
  return result;
}

Fibers ttm(const SparseTensor& tensor, int mode, const Matrix& matrix, Apply apply) {
  check_matrix(tensor.shape(), mode, matrix, apply);
  const SortedEntries sorted = sort_entries(tensor, modes_towards(tensor.shape(), mode));
  const int last = sorted.levels() - 1;
  std::vector<std::size_t> starts;  // of the fibers
  for (std::size_t entry = 0; entry < sorted.size(); ++entry)
    if (sorted.fresh[entry] < last) starts.push_back(entry);
  const std::size_t fibers = starts.size();
  starts.push_back(sorted.size());

  std::vector<std::vector<Index>> columns(tensor.order(), std::vector<Index>(fibers));
  for (int level = 0; level < last; ++level)
    for (std::size_t fiber = 0; fiber < fibers; ++fiber)
      columns[sorted.modes[level]][fiber] = sorted.position(level, starts[fiber]);
  Fibers result{mode, Cells(tensor.shape().with(mode, 1), std::move(columns)),
                Matrix::Zero(fibers, size_after(matrix, apply))};
#pragma omp parallel for schedule(dynamic, 256) if (sorted.size() > kChunkItems)
  for (std::size_t fiber = 0; fiber < fibers; ++fiber)
    for (std::size_t entry = starts[fiber]; entry < starts[fiber + 1]; ++entry) {
      const double value = sorted.values[entry];
      const Index position = sorted.position(last, entry);
      if (apply == Apply::project) {
        result.values.row(fiber) += value * matrix.row(position);
      } else {
        result.values.row(fiber) += value * matrix.col(position).transpose();
      }
    }
  return result;
}

Matrix project_all_but(const SortedEntries& entries, std::span<const Matrix> matrices) {
  const FactorRows rows(entries, matrices);
  std::size_t width = 1;
  for (int level = 1; level < entries.levels(); ++level) width *= rows.size(level);
  Matrix result = Matrix::Zero(entries.all_rows, width);
  const auto make = [&] {
    return
        [&, sum = KroneckerSum(entries, rows, 1)](std::size_t begin, std::size_t end, double* sums) mutable {
          sum.restart();
          for (std::size_t entry = begin; entry < end; ++entry) sum.add(entry, entries.values[entry]);
          std::ranges::copy(sum.finish(), sums);
        };
  };
  reduce_rows(entries, width, width, make, [&](std::size_t row, const double* sums) {
    std::copy_n(sums, width, &result(entries.rows[row], 0));
  });
  return result;
}

Matrix project_all_but(const SparseTensor& tensor, std::span<const Matrix> matrices, int mode) {
  check_mode(tensor.shape(), mode);
  check_count(tensor.shape(), matrices);
  std::vector<int> modes = {mode};
  for (int other = 0; other < tensor.order(); ++other) {
    if (other == mode) continue;
    check_matrix(tensor.shape(), other, matrices[other], Apply::project);
    modes.push_back(other);
  }
  return project_all_but(sort_entries(tensor, std::move(modes)), matrices);
}

}  // namespace tulle
