// Every table of kernels against their definitions, over orders, sizes, ranks, modes and layouts. A device is
// tested by adding its table at the end.
#include "tensor/kernels/reference.hpp"
#include "tensor/samples.hpp"

#include <gtest/gtest.h>

namespace tulle {
namespace {

class KernelConformance : public ::testing::TestWithParam<const Kernels*> {
 protected:
  const Kernels& kernels() const { return *GetParam(); }
  const Kernels& reference() const { return reference::kernels(); }
};

// All orders up to 5 and the largest, with modes of size 1 in every place.
const Shape kShapes[] = {Shape{4, 3},       Shape{1, 5},          Shape{1, 1},
                         Shape{4, 3, 5},    Shape{6, 1, 3},       Shape{1, 2, 1},
                         Shape{3, 2, 4, 2}, Shape{2, 3, 1, 2, 3}, Shape{2, 1, 2, 2, 3, 1, 2, 2}};

// Ranks on both sides of every width of a vector register.
constexpr int kRanks[] = {1, 3, 4, 5, 8, 17};

// No cell, one cell, some of the cells (rows stay empty), all of them, and some listed twice.
std::vector<SparseTensor> lists_of(const Shape& shape) {
  SparseTensor one(shape, Unlisted::missing);
  const auto last = reference::cell_at(shape, shape.cells() - 1);
  one.append(std::span(last).first(static_cast<std::size_t>(shape.order())), 2);
  std::vector<SparseTensor> lists = {SparseTensor(shape, Unlisted::missing), one,
                                     samples::sparse(shape, 0.3, 1, Unlisted::missing),
                                     samples::sparse(shape, 1, 2, Unlisted::missing)};
  SparseTensor twice = samples::sparse(shape, 0.5, 3, Unlisted::missing);
  for (std::size_t e = 0, count = twice.size(); e < count; e += 2) {
    const auto cell = twice.cells().cell(e);
    twice.append(std::span(cell).first(static_cast<std::size_t>(shape.order())), 0.5F);
  }
  lists.push_back(std::move(twice));
  return lists;
}

// Two rows of more than 2^16 entries, which are cut into pieces in every layout, and one of a few.
SparseTensor with_long_rows() {
  const SparseTensor dense = samples::sparse(Shape{3, 300, 250}, 0.95, 4, Unlisted::missing);
  std::vector<std::size_t> kept;
  for (std::size_t e = 0; e < dense.size(); ++e)
    if (dense.column(0)[e] < 2 || e % 1000 == 0) kept.push_back(e);
  return dense.select(kept);
}

std::vector<Matrix> factors_of(const Shape& shape, const std::vector<int>& ranks, std::uint64_t seed) {
  std::vector<Matrix> factors;
  for (int mode = 0; mode < shape.order(); ++mode)
    factors.push_back(samples::matrix(shape[mode], static_cast<std::size_t>(ranks[mode]), seed + mode));
  return factors;
}

std::vector<Matrix> factors_of(const Shape& shape, int rank, std::uint64_t seed) {
  return factors_of(shape, std::vector<int>(static_cast<std::size_t>(shape.order()), rank), seed);
}

std::vector<int> mixed_ranks(const Shape& shape) {  // 2, 3, 1, 2, 3, ..
  std::vector<int> ranks;
  for (int mode = 0; mode < shape.order(); ++mode) ranks.push_back(1 + (mode + 1) % 3);
  return ranks;
}

std::vector<Vector> offsets_of(const Shape& shape, std::uint64_t seed) {
  std::vector<Vector> offsets;
  for (const Matrix& column : factors_of(shape, 1, seed)) offsets.emplace_back(column.col(0));
  return offsets;
}

std::vector<double> point_of(const ModelLayout& layout, std::uint64_t seed) {
  const Matrix numbers = samples::matrix(layout.size(), 1, seed);
  return {numbers.data(), numbers.data() + numbers.size()};
}

void expect_near(std::span<const double> found, std::span<const double> expected, double tolerance) {
  double largest = 0;
  for (double value : expected) largest = std::max(largest, std::abs(value));
  EXPECT_LE(samples::largest_difference(found, expected), tolerance * (1 + largest));
}

void expect_near(const Matrix& found, const Matrix& expected, double tolerance) {
  ASSERT_EQ(found.rows(), expected.rows());
  ASSERT_EQ(found.cols(), expected.cols());
  expect_near(std::span(found.data(), static_cast<std::size_t>(found.size())),
              std::span(expected.data(), static_cast<std::size_t>(expected.size())), tolerance);
}

void expect_near(const DenseTensor& found, const DenseTensor& expected, double tolerance) {
  ASSERT_EQ(found.shape(), expected.shape());
  expect_near(found.values(), expected.values(), tolerance);
}

constexpr double kRounding = 1e-12;  // relative to the largest number of an answer

TEST_P(KernelConformance, MttkrpOfDenseTensors) {
  for (const Shape& shape : kShapes)
    for (int rank : kRanks) {
      const DenseTensor tensor = samples::dense(shape, 1);
      const auto factors = factors_of(shape, rank, 2);
      for (int mode = 0; mode < shape.order(); ++mode)
        expect_near(kernels().mttkrp_dense(tensor, factors, mode),
                    reference().mttkrp_dense(tensor, factors, mode), kRounding);
    }
}

TEST_P(KernelConformance, MttkrpOfSparseTensors) {
  for (const Shape& shape : kShapes)
    for (int rank : kRanks) {
      const auto factors = factors_of(shape, rank, 2);
      for (const SparseTensor& tensor : lists_of(shape))
        for (int mode = 0; mode < shape.order(); ++mode)
          expect_near(kernels().mttkrp_sparse(tensor, factors, mode),
                      reference().mttkrp_sparse(tensor, factors, mode), kRounding);
    }
}

TEST_P(KernelConformance, TensorTimesMatrix) {
  for (const Shape& shape : kShapes)
    for (const std::size_t size : {1, 2, 6}) {
      const DenseTensor tensor = samples::dense(shape, 1);
      for (int mode = 0; mode < shape.order(); ++mode) {
        const Matrix matrix = samples::matrix(size, shape[mode], 2);
        const Matrix turned = matrix.transpose();
        expect_near(kernels().ttm(tensor, mode, matrix, Apply::expand),
                    reference().ttm(tensor, mode, matrix, Apply::expand), kRounding);
        expect_near(kernels().ttm(tensor, mode, turned, Apply::project),
                    reference().ttm(tensor, mode, turned, Apply::project), kRounding);
      }
    }
}

TEST_P(KernelConformance, SparseProjectionsOfAllModesButOne) {
  for (const Shape& shape : kShapes)
    for (const auto& matrices : {factors_of(shape, mixed_ranks(shape), 1), factors_of(shape, 1, 2)})
      for (const SparseTensor& tensor : lists_of(shape))
        for (int mode = 0; mode < shape.order(); ++mode)
          expect_near(kernels().project_all_but(tensor, matrices, mode),
                      reference().project_all_but(tensor, matrices, mode), kRounding);
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

TEST_P(KernelConformance, NormalEquationsOfRows) {
  for (const Shape& shape : kShapes)
    for (int rank : kRanks) {
      const auto factors = factors_of(shape, rank, 1);
      const auto offsets = offsets_of(shape, 2);
      auto variances = factors_of(shape, rank, 3);
      for (Matrix& matrix : variances) matrix = matrix.cwiseAbs();
      const CpState state{factors, offsets};
      for (const SparseTensor& tensor : lists_of(shape))
        for (int mode = 0; mode < shape.order(); ++mode)
          for (const auto& uncertain : {std::span<const Matrix>(), std::span<const Matrix>(variances)})
            expect_same_equations(NormalEquations(rank),
                                  kernels().normal_equations(tensor, state, uncertain, mode),
                                  reference().normal_equations(tensor, state, uncertain, mode));
    }
}

TEST_P(KernelConformance, LongRows) {
  const SparseTensor tensor = with_long_rows();
  const auto factors = factors_of(tensor.shape(), 3, 1);
  const auto offsets = offsets_of(tensor.shape(), 2);
  const CpState state{factors, offsets};
  for (int mode = 0; mode < 2; ++mode) {
    expect_near(kernels().mttkrp_sparse(tensor, factors, mode),
                reference().mttkrp_sparse(tensor, factors, mode), kRounding);
    expect_near(kernels().project_all_but(tensor, factors, mode),
                reference().project_all_but(tensor, factors, mode), kRounding);
    expect_same_equations(NormalEquations(3), kernels().normal_equations(tensor, state, {}, mode),
                          reference().normal_equations(tensor, state, {}, mode));
  }
}

TEST_P(KernelConformance, SquaredResiduals) {
  for (const Shape& shape : kShapes) {
    const auto offsets = offsets_of(shape, 1);
    const auto tucker_factors = factors_of(shape, mixed_ranks(shape), 2);
    const auto ranks = mixed_ranks(shape);
    const DenseTensor core = samples::dense(Shape(std::vector<std::uint64_t>(ranks.begin(), ranks.end())), 3);
    for (const SparseTensor& cells : lists_of(shape)) {
      for (int rank : kRanks) {
        const auto factors = factors_of(shape, rank, 4);
        const CpState cp{factors, offsets, 0.3, 1.7};
        const double expected = reference().residuals_cp(cells, cp);
        EXPECT_NEAR(kernels().residuals_cp(cells, cp), expected, kRounding * (1 + expected));
      }
      for (const auto& used : {std::span<const Vector>(), std::span<const Vector>(offsets)}) {
        const TuckerState tucker{core, tucker_factors, used, 0.3, 1.7};
        const double expected = reference().residuals_tucker(cells, tucker);
        EXPECT_NEAR(kernels().residuals_tucker(cells, tucker), expected, kRounding * (1 + expected));
      }
    }
  }
}

// Sizes on both sides of a tile, and few rows with many columns, which are cut among threads.
TEST_P(KernelConformance, SumsOverTheCellsOfAMatrix) {
  const std::pair<std::size_t, std::size_t> sizes[] = {{1, 1},    {24, 128}, {25, 129}, {3, 600},
                                                       {2, 9000}, {500, 7},  {384, 130}};
  for (const auto& [rows, columns] : sizes)
    for (int rank : kRanks) {
      const Matrix x = samples::matrix(rows, columns, 1);
      const Matrix t = samples::matrix(rows, static_cast<std::size_t>(rank), 2).cwiseAbs().array() + 0.1;
      const Matrix o = samples::matrix(columns, static_cast<std::size_t>(rank), 3).cwiseAbs().array() + 0.1;
      for (double p : {0.0, 1.0, 1.5})
        expect_near(kernels().cell_sums(x, t, o, p), reference().cell_sums(x, t, o, p), kRounding);
    }
}

std::vector<ModelLayout> layouts_of(const Shape& shape) {
  std::vector<ModelLayout> layouts = {ModelLayout::tucker(shape, mixed_ranks(shape))};
  for (int rank : {1, 4, 9}) layouts.push_back(ModelLayout::cp(shape, rank));
  return layouts;
}

constexpr Standard kStandard{0.2, 1.5};
constexpr double kClips[] = {0.1, 3.0, 1e3};  // most are clipped, some are, hardly any is

// Of CP, single gradients may be computed in floats, and only their sum in doubles; the sums are rounded to a
// grid that follows from the clip (base/sum_grid.hpp), and what is clipped is shortened for it.
TEST_P(KernelConformance, ClippedGradientsOfCells) {
  for (const Shape& shape : kShapes)
    for (const ModelLayout& layout : layouts_of(shape)) {
      const auto numbers = point_of(layout, 1);
      for (const SparseTensor& cells : lists_of(shape))
        for (double clip : kClips) {
          const ClippedSum found = kernels().cell_gradients(cells, layout, kStandard, numbers, clip);
          const ClippedSum expected = reference().cell_gradients(cells, layout, kStandard, numbers, clip);
          EXPECT_EQ(found.whole, expected.whole);
          EXPECT_EQ(found.clipped, expected.clipped);
          expect_near(found.numbers, expected.numbers, layout.has_core() ? 1e-8 : 4e-6);
        }
    }
}

TEST_P(KernelConformance, ClippedGradientsOfSlices) {
  for (const Shape& shape : kShapes)
    for (const ModelLayout& layout : layouts_of(shape)) {
      const auto numbers = point_of(layout, 1);
      const SparseTensor cells = samples::sparse(shape, 0.4, 2, Unlisted::missing);
      for (int mode = 0; mode < shape.order(); ++mode)
        for (double clip : kClips) {
          const ClippedSum found =
              kernels().slice_gradients(cells, layout, mode, kStandard, numbers, 0.3, clip);
          const ClippedSum expected =
              reference().slice_gradients(cells, layout, mode, kStandard, numbers, 0.3, clip);
          EXPECT_EQ(found.whole, expected.whole);
          EXPECT_EQ(found.clipped, expected.clipped);
          // Every number of a slice is rounded to a grid of clip x 2^-23 or finer, so that sums of 2^27
          // slices are exact; what is clipped is shortened by the length of that rounding.
          expect_near(found.numbers, expected.numbers,
                      1e-8 + shape[mode] * (1 + std::sqrt(layout.size())) * clip * 0x1p-23);
        }
    }
}

TEST_P(KernelConformance, ProductsOfTubalTensors) {
  for (const Shape& tubes : {Shape{1, 1}, Shape{2, 1}, Shape{5, 1}, Shape{3, 4}, Shape{1, 67}, Shape{6, 7}})
    for (const std::size_t inner : {1, 3}) {
      const DenseTensor a = samples::dense(Shape{2, inner, tubes[0], tubes[1]}, 1);
      const DenseTensor b = samples::dense(Shape{inner, 4, tubes[0], tubes[1]}, 2);
      expect_near(kernels().t_product(a, b), reference().t_product(a, b), kRounding);
    }
  const DenseTensor a = samples::dense(Shape{3, 2, 8}, 3), b = samples::dense(Shape{2, 3, 8}, 4);
  expect_near(kernels().t_product(a, b), reference().t_product(a, b), kRounding);
}

INSTANTIATE_TEST_SUITE_P(Cpu, KernelConformance, ::testing::Values(&cpu_kernels()),
                         [](const auto& tested) { return std::string(tested.param->name); });

}  // namespace
}  // namespace tulle
