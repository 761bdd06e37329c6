// Kernels against their definitions, over orders, sizes, ranks, modes and layouts.
#include "tensor/kernels/conformance.hpp"

#include <tulle/tensor/kernels/cell_sums.hpp>
#include <tulle/tensor/kernels/mttkrp.hpp>
#include <tulle/tensor/kernels/residuals.hpp>
#include <tulle/tensor/tubal/tproduct.hpp>

namespace tulle {
namespace {

using namespace conformance;

std::vector<Panel> panels_of(std::span<const Matrix> matrices) {
  return {matrices.begin(), matrices.end()};
}

TEST(KernelConformance, TensorTimesMatrix) {
  for (const Shape& shape : kShapes)
    for (const std::size_t size : {1, 2, 6}) {
      const DenseTensor tensor = samples::dense(shape, 1);
      for (int mode = 0; mode < shape.order(); ++mode) {
        const Matrix matrix = samples::matrix(size, shape[mode], 2);
        const Matrix turned = matrix.transpose();
        expect_near(ttm(tensor, mode, matrix, Apply::expand),
                    reference::ttm(tensor, mode, matrix, Apply::expand), kRounding);
        expect_near(ttm(tensor, mode, turned, Apply::project),
                    reference::ttm(tensor, mode, turned, Apply::project), kRounding);
      }
    }
}

TEST(KernelConformance, SparseProjectionsOfAllModesButOne) {
  for (const Shape& shape : kShapes)
    for (const auto& matrices : {factors_of(shape, mixed_ranks(shape), 1), factors_of(shape, 1, 2)})
      for (const SparseTensor& tensor : lists_of(shape))
        for (int mode = 0; mode < shape.order(); ++mode)
          expect_near(project_all_but(tensor, matrices, mode),
                      reference::project_all_but(tensor, matrices, mode), kRounding);
}

// Only what the layout of the sums declares: no padding, and nothing below the diagonal.
void expect_same_equations(const NormalEquations& layout, const Matrix& found, const Matrix& expected) {
  ASSERT_EQ(found.rows(), expected.rows());
  const auto declared = [&](const Matrix& rows) {
    std::vector<double> numbers;
    for (Eigen::Index i = 0; i < rows.rows(); ++i) {
      const double* const sums = &rows(i, 0);
      for (int r = 0; r < layout.rank; ++r) {
        for (int s = r; s < layout.rank; ++s) numbers.push_back(layout.gram(sums)[r * layout.stride + s]);
        numbers.insert(numbers.end(),
                       {layout.right(sums)[r], layout.total(sums)[r], layout.variance(sums)[r]});
      }
      numbers.insert(numbers.end(),
                     {layout.value_total(sums), layout.value_square(sums), layout.count(sums)});
    }
    return numbers;
  };
  expect_near(declared(found), declared(expected), kRounding);
}

// A row of sums for each position of the mode.
Matrix equations_of_rows(const SparseTensor& tensor, std::span<const Matrix> factors,
                         std::span<const Vector> offsets, std::span<const Matrix> variances, int mode) {
  const NormalEquations equations(static_cast<int>(factors[0].cols()));
  const SortedEntries entries = sort_by_mode(tensor, mode, Levels::large_first);
  Matrix result =
      Matrix::Zero(static_cast<Eigen::Index>(entries.all_rows), static_cast<Eigen::Index>(equations.size()));
  normal_equations(entries, panels_of(factors), panels_of(variances), offsets,
                   [&](std::size_t row, const double* sums) {
                     std::copy_n(sums, equations.size(), &result(entries.rows[row], 0));
                   });
  return result;
}

TEST(KernelConformance, NormalEquationsOfRows) {
  for (const Shape& shape : kShapes)
    for (int rank : kRanks) {
      const auto factors = factors_of(shape, rank, 1);
      const auto offsets = offsets_of(shape, 2);
      auto variances = factors_of(shape, rank, 3);
      for (Matrix& matrix : variances) matrix = matrix.cwiseAbs();
      for (const SparseTensor& tensor : lists_of(shape))
        for (int mode = 0; mode < shape.order(); ++mode)
          for (const auto& uncertain : {std::span<const Matrix>(), std::span<const Matrix>(variances)})
            expect_same_equations(NormalEquations(rank),
                                  equations_of_rows(tensor, factors, offsets, uncertain, mode),
                                  reference::normal_equations(tensor, factors, offsets, uncertain, mode));
    }
}

TEST(KernelConformance, LongRows) {
  const SparseTensor tensor = with_long_rows();
  const auto factors = factors_of(tensor.shape(), 3, 1);
  const auto offsets = offsets_of(tensor.shape(), 2);
  for (int mode = 0; mode < 2; ++mode) {
    expect_near(mttkrp(tensor, factors, mode), reference::mttkrp(tensor, factors, mode), kRounding);
    expect_near(project_all_but(tensor, factors, mode), reference::project_all_but(tensor, factors, mode),
                kRounding);
    expect_same_equations(NormalEquations(3), equations_of_rows(tensor, factors, offsets, {}, mode),
                          reference::normal_equations(tensor, factors, offsets, {}, mode));
  }
}

TEST(KernelConformance, SquaredResiduals) {
  for (const Shape& shape : kShapes) {
    const auto offsets = offsets_of(shape, 1);
    const auto tucker_factors = factors_of(shape, mixed_ranks(shape), 2);
    const auto ranks = mixed_ranks(shape);
    const DenseTensor core = samples::dense(Shape(std::vector<std::uint64_t>(ranks.begin(), ranks.end())), 3);
    for (const SparseTensor& cells : lists_of(shape)) {
      for (int rank : kRanks) {
        const auto factors = factors_of(shape, rank, 4);
        const double expected = reference::squared_residuals(cells, factors, offsets, 0.3, 1.7);
        EXPECT_NEAR(squared_residuals(cells, panels_of(factors), offsets, 0.3, 1.7), expected,
                    kRounding * (1 + expected));
      }
      for (const auto& used : {std::span<const Vector>(), std::span<const Vector>(offsets)}) {
        const double expected = reference::squared_residuals(cells, core, tucker_factors, used, 0.3, 1.7);
        EXPECT_NEAR(squared_residuals(sort_by_mode(cells, 0, Levels::small_first), core, tucker_factors, used,
                                      0.3, 1.7),
                    expected, kRounding * (1 + expected));
      }
    }
  }
}

Matrix cell_sums(const Matrix& x, const Matrix& t, const Matrix& o, double p) {
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

// Sizes on both sides of a tile, and few rows with many columns, which are cut among threads.
TEST(KernelConformance, SumsOverTheCellsOfAMatrix) {
  const std::pair<std::size_t, std::size_t> sizes[] = {{1, 1},    {24, 128}, {25, 129}, {3, 600},
                                                       {2, 9000}, {500, 7},  {384, 130}};
  for (const auto& [rows, columns] : sizes)
    for (int rank : kRanks) {
      const Matrix x = samples::matrix(rows, columns, 1);
      const Matrix t = samples::matrix(rows, static_cast<std::size_t>(rank), 2).cwiseAbs().array() + 0.1;
      const Matrix o = samples::matrix(columns, static_cast<std::size_t>(rank), 3).cwiseAbs().array() + 0.1;
      for (double p : {0.0, 1.0, 1.5})
        expect_near(cell_sums(x, t, o, p), reference::cell_sums(x, t, o, p), kRounding);
    }
}

TEST(KernelConformance, ProductsOfTubalTensors) {
  for (const Shape& tubes : {Shape{1, 1}, Shape{2, 1}, Shape{5, 1}, Shape{3, 4}, Shape{1, 67}, Shape{6, 7}})
    for (const std::size_t inner : {1, 3}) {
      const DenseTensor a = samples::dense(Shape{2, inner, tubes[0], tubes[1]}, 1);
      const DenseTensor b = samples::dense(Shape{inner, 4, tubes[0], tubes[1]}, 2);
      expect_near(t_product(a, b), reference::t_product(a, b), kRounding);
    }
  const DenseTensor a = samples::dense(Shape{3, 2, 8}, 3), b = samples::dense(Shape{2, 3, 8}, 4);
  expect_near(t_product(a, b), reference::t_product(a, b), kRounding);
}

}  // namespace
}  // namespace tulle
