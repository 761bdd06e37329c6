#include <tulle/tensor/kernels/cell_sums.hpp>
#include <tulle/tensor/kernels/kernels.hpp>
#include <tulle/tensor/kernels/mttkrp.hpp>
#include <tulle/tensor/kernels/normal_equations.hpp>
#include <tulle/tensor/kernels/residuals.hpp>
#include <tulle/tensor/tubal/tproduct.hpp>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace tulle {
namespace {

std::vector<Panel> panels_of(std::span<const Matrix> matrices) {
  return {matrices.begin(), matrices.end()};
}

std::vector<std::uint64_t> all_of(std::size_t count) {
  std::vector<std::uint64_t> list(count);
  std::iota(list.begin(), list.end(), std::uint64_t{0});
  return list;
}

Matrix equations_of_rows(const SparseTensor& tensor, const CpState& state, std::span<const Matrix> variances,
                         int mode) {
  const NormalEquations equations(static_cast<int>(state.factors[0].cols()));
  const SortedEntries entries = sort_by_mode(tensor, mode, Levels::large_first);
  Matrix result =
      Matrix::Zero(static_cast<Eigen::Index>(entries.all_rows), static_cast<Eigen::Index>(equations.size()));
  normal_equations(entries, panels_of(state.factors), panels_of(variances), state.offsets,
                   [&](std::size_t row, const double* sums) {
                     std::copy_n(sums, equations.size(), &result(entries.rows[row], 0));
                   });
  return result;
}

Matrix sums_of_cells(const Matrix& x, const Matrix& t, const Matrix& o, double p) {
  const auto in_memory = [](const Matrix& matrix) {
    return RowsInMemory(matrix.data(), matrix.rows(), matrix.cols());
  };
  Matrix sums = Matrix::Zero(t.rows(), t.cols());
  if (p == 0)
    add_linear_cell_sums(in_memory(x), PackedFactor(in_memory(o)), sums.data());
  else
    add_cell_sums<1>(in_memory(x), in_memory(t), in_memory(o),
                     [p](double value, double m, std::array<double, 1>& coefficient) {
                       coefficient[0] = value * std::pow(m, -p);
                       return 0.0;
                     },
                     {sums.data()});
  return sums;
}

}  // namespace

const Kernels& cpu_kernels() {
  static constexpr Kernels kKernels = {
      .name = "cpu",
      .mttkrp_dense = mttkrp,
      .mttkrp_sparse = mttkrp,
      .ttm = ttm,
      .project_all_but = project_all_but,
      .normal_equations = equations_of_rows,
      .residuals_cp =
          [](const SparseTensor& cells, const CpState& state) {
            return squared_residuals(cells, panels_of(state.factors), state.offsets, state.level,
                                     state.scale);
          },
      .residuals_tucker =
          [](const SparseTensor& cells, const TuckerState& state) {
            return squared_residuals(sort_by_mode(cells, 0, Levels::small_first), state.core, state.factors,
                                     state.offsets, state.level, state.scale);
          },
      .cell_sums = sums_of_cells,
      .cell_gradients =
          [](const SparseTensor& cells, const ModelLayout& layout, const Standard& standard,
             std::span<const double> numbers, double clip) {
            return CellGradients(cells, layout, standard).sum(numbers, all_of(cells.size()), clip);
          },
      .slice_gradients =
          [](const SparseTensor& cells, const ModelLayout& layout, int mode, const Standard& standard,
             std::span<const double> numbers, double ridge, double clip) {
            const SliceGradients slices(cells, layout, mode, standard);
            return slices.sum(numbers, ridge, all_of(slices.slices()), clip);
          },
      .t_product = t_product,
  };
  return kKernels;
}

}  // namespace tulle
