#include "tensor/samples.hpp"

#include <tulle/base/error.hpp>
#include <tulle/base/threads.hpp>
#include <tulle/tensor/kernels/ttm.hpp>
#include <tulle/tensor/unfold.hpp>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace tulle {
namespace {

// The definition: Y_(n) = M X_(n).
DenseTensor by_definition(const DenseTensor& tensor, int mode, const Matrix& matrix) {
  return fold(matrix * unfold(tensor, mode), mode, tensor.shape().with(mode, matrix.rows()));
}

std::vector<Matrix> any_projections(const Shape& shape, std::uint64_t seed) {
  std::vector<Matrix> matrices;
  for (int mode = 0; mode < shape.order(); ++mode)
    matrices.push_back(samples::matrix(shape[mode], *rc::gen::inRange(1, 4), seed + 1 + mode));
  return matrices;
}

// Sizes beyond one panel, with a remainder.
TEST(Ttm, DenseOfManyPanels) {
  const DenseTensor tensor = samples::dense(Shape{37, 70, 301}, 1);
  for (int mode = 0; mode < 3; ++mode) {
    const Matrix matrix = samples::matrix(5, tensor.shape()[mode], 2);
    EXPECT_LT(samples::largest_difference(ttm(tensor, mode, matrix, Apply::expand).values(),
                                          by_definition(tensor, mode, matrix).values()),
              1e-11);
  }
}

// Few columns and many are multiplied in different ways.
TEST(Ttm, ProjectionsOnFewAndManyColumns) {
  const DenseTensor tensor = samples::dense(Shape{20, 30, 600}, 1);
  for (int mode = 0; mode < 3; ++mode)
    for (Eigen::Index columns : {1, 10, 16, 17, 25}) {
      const auto size = static_cast<Eigen::Index>(tensor.shape()[mode]);
      const Matrix matrix = samples::matrix(size, columns, 2);
      const Matrix projected = unfold(ttm(tensor, mode, matrix, Apply::project), mode);
      EXPECT_TRUE(projected.isApprox(matrix.transpose() * unfold(tensor, mode), 1e-12));
    }
}

RC_GTEST_PROP(Ttm, ChainMultipliesEveryMode, ()) {
  const Shape shape = samples::any_shape(5, 5);
  const DenseTensor tensor = samples::dense(shape, samples::any_seed());
  const auto matrices = any_projections(shape, samples::any_seed());
  DenseTensor expected = tensor;
  for (int mode = 0; mode < shape.order(); ++mode)
    expected = by_definition(expected, mode, matrices[mode].transpose());
  const DenseTensor result = ttm_chain(tensor, matrices, Apply::project);
  RC_ASSERT(result.shape() == expected.shape());
  RC_ASSERT(samples::largest_difference(result.values(), expected.values()) < 1e-10);
}

RC_GTEST_PROP(Ttm, SparseFibersAreThoseOfTheDenseProduct, ()) {
  const Shape shape = samples::any_shape(5, 5);
  const SparseTensor tensor = samples::sparse(shape, 0.3, samples::any_seed());
  const int mode = *rc::gen::inRange(0, shape.order());
  const Matrix matrix = samples::matrix(shape[mode], *rc::gen::inRange(1, 4), samples::any_seed());
  DenseTensor left = ttm(samples::filled(tensor), mode, matrix, Apply::project);
  for (const bool project : {true, false}) {
    const Fibers fibers = project ? ttm(tensor, mode, matrix, Apply::project)
                                  : ttm(tensor, mode, Matrix(matrix.transpose()), Apply::expand);
    DenseTensor rest = left;  // what the fibers leave over must be zero
    for (std::size_t fiber = 0; fiber < fibers.cells.size(); ++fiber) {
      auto cell = fibers.cells.cell(fiber);
      for (Index column = 0; column < matrix.cols(); ++column) {
        cell[mode] = column;
        rest[cell] -= fibers.values(fiber, column);
      }
    }
    for (double value : rest.values()) RC_ASSERT(std::abs(value) < 1e-12);
  }
}

TEST(Ttm, DoesNotDependOnThreads) {
  const int before = threads();
  const DenseTensor dense = samples::dense(Shape{40, 50, 60}, 1);
  const SparseTensor sparse = samples::sparse(Shape{3, 200, 100}, 0.9, 2);
  const Matrix matrix = samples::matrix(50, 7, 3);
  const std::vector<Matrix> matrices = {samples::matrix(3, 2, 1), samples::matrix(200, 3, 2),
                                        samples::matrix(100, 2, 3)};
  set_threads(1);
  const DenseTensor product = ttm(dense, 1, matrix, Apply::project);
  const Matrix projected = project_all_but(sparse, matrices, 0);
  for (int count : {2, 3}) {
    set_threads(count);
    EXPECT_EQ(ttm(dense, 1, matrix, Apply::project), product);
    EXPECT_EQ(project_all_but(sparse, matrices, 0), projected);
  }
  set_threads(before);
}

TEST(Ttm, RefusesAMatrixOfTheWrongSize) {
  const DenseTensor tensor(Shape{2, 3, 4});
  try {
    ttm(tensor, 1, Matrix(2, 4), Apply::expand);
    FAIL();
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(), "a 2x4 matrix does not fit mode 2 of a 2x3x4 tensor");
  }
  EXPECT_THROW(ttm(tensor, 3, Matrix(2, 4), Apply::expand), Error);
  EXPECT_THROW(ttm_chain(tensor, std::vector<Matrix>(2), Apply::expand), Error);
}

}  // namespace
}  // namespace tulle
