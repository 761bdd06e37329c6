#include "tensor/kernels/reference.hpp"
#include "tensor/samples.hpp"

#include <tulle/base/error.hpp>
#include <tulle/base/threads.hpp>
#include <tulle/tensor/kernels/mttkrp.hpp>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace tulle {
namespace {

std::vector<Matrix> random_factors(const Shape& shape, int rank, std::uint64_t seed) {
  std::vector<Matrix> factors;
  for (Index size : shape.dimensions())
    factors.push_back(samples::matrix(size, static_cast<std::size_t>(rank), seed + factors.size()));
  return factors;
}

RC_GTEST_PROP(Mttkrp, SweepAgreesWhileTheFactorsChange, ()) {
  const Shape shape = samples::any_shape(5, 6);
  const int order = shape.order();
  const std::uint64_t seed = samples::any_seed();
  const DenseTensor tensor = samples::dense(shape, seed);
  auto factors = random_factors(shape, 2, seed);
  DenseSweep sweep(tensor);
  Matrix result;
  for (int round = 0; round < 2; ++round)
    for (int mode = 0; mode < order; ++mode) {
      sweep.mttkrp(factors, mode, result);
      RC_ASSERT(samples::largest_difference(result, reference::mttkrp(tensor, factors, mode)) < 1e-10);
      factors[mode] = samples::matrix(shape[mode], 2, seed + 17 * round + mode + 1);
    }
}

// Sides of 4096 positions and more are cut, short sides are summed up in pieces; ranks with and without
// padding. Sums of up to 4900 products of numbers of size 1: rounding stays below 1e-10.
TEST(Mttkrp, SweepAgreesOnTensorsThatAreCutIntoPieces) {
  for (const Shape& shape : {Shape{70, 70, 9}, Shape{9, 70, 70}, Shape{4200, 5}, Shape{8, 9, 70, 10}}) {
    const DenseTensor tensor = samples::dense(shape, 1);
    DenseSweep sweep(tensor);
    Matrix result;
    for (int rank : {5, 5, 12}) {
      const auto factors = random_factors(shape, rank, 2);
      for (int mode = 0; mode < shape.order(); ++mode) {
        sweep.mttkrp(factors, mode, result);
        const Matrix expected = reference::mttkrp(tensor, factors, mode);
        EXPECT_LT(samples::largest_difference(result, expected), 1e-10) << shape.text() << " " << mode;
        EXPECT_LT(samples::largest_difference(mttkrp(tensor, factors, mode), expected), 1e-10);
      }
    }
  }
}

TEST(Mttkrp, DoesNotDependOnTheThreads) {
  const Shape shape{3, 400, 300};
  const SparseTensor tensor = samples::sparse(shape, 0.33, 3);
  const auto factors = random_factors(shape, 5, 4);
  const int before = threads();
  set_threads(1);
  std::vector<Matrix> alone;
  for (int mode = 0; mode < 3; ++mode) alone.push_back(mttkrp(tensor, factors, mode));
  for (int count : {2, 3}) {
    set_threads(count);
    for (int mode = 0; mode < 3; ++mode) EXPECT_EQ(mttkrp(tensor, factors, mode), alone[mode]);
  }
  set_threads(before);
}

TEST(Mttkrp, RefusesFactorsOfOtherSizes) {
  SparseTensor tensor(Shape{3, 2}, Unlisted::zero);
  tensor.append(std::array<Index, 2>{1, 0}, 2);
  const auto message = [&](const std::vector<Matrix>& factors, int mode) -> std::string {
    try {
      mttkrp(tensor, factors, mode);
    } catch (const Error& error) {
      return error.what();
    }
    return "";
  };
  const Matrix first = Matrix::Zero(3, 4), second = Matrix::Zero(2, 4);
  EXPECT_EQ(message({first, second}, 0), "");
  EXPECT_EQ(message({first}, 0), "1 factors for a 3x2 tensor; give one per mode");
  EXPECT_EQ(message({first, first}, 0), "factor 2 is 3x4, but mode 2 of the 3x2 tensor needs 2x4");
  EXPECT_EQ(message({first, Matrix::Zero(2, 3)}, 0),
            "factor 2 is 2x3, but mode 2 of the 3x2 tensor needs 2x4");
  EXPECT_EQ(message({first, second}, 2), "a 3x2 tensor has no mode 3");
}

}  // namespace
}  // namespace tulle
