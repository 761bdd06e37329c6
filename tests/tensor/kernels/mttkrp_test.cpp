#include "tensor/naive.hpp"

#include <tulle/base/error.hpp>
#include <tulle/base/threads.hpp>
#include <tulle/tensor/kernels/mttkrp.hpp>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace tulle {
namespace {

using testing::densify;
using testing::expect_near;
using testing::naive_mttkrp;
using testing::random_factors;
using testing::random_sparse;

Shape small_shape(int order) {
  const std::uint64_t sizes[] = {4, 3, 5, 2, 3, 2, 2, 3};
  return Shape(std::span(sizes, order));
}

TEST(Mttkrp, EveryOrderAndModeAgreesWithTheDefinition) {
  for (int order = kMinOrder; order <= kMaxOrder; ++order) {
    const Shape shape = small_shape(order);
    const SparseTensor sparse = random_sparse(shape, 300, order, Unlisted::zero);
    const DenseTensor dense = densify(sparse);
    const auto factors = random_factors(shape, 3, order);
    for (int mode = 0; mode < order; ++mode) {
      const Matrix expected = naive_mttkrp(dense, factors, mode);
      expect_near(mttkrp(dense, factors, mode), expected, 1e-12);
      expect_near(mttkrp(sparse, factors, mode), expected, 1e-12);
    }
  }
}

// Ranks on both sides of every block width of the kernels.
TEST(Mttkrp, EveryRankAgreesWithTheDefinition) {
  const Shape shape{6, 7, 5};
  const SparseTensor sparse = random_sparse(shape, 100, 1, Unlisted::zero);
  const DenseTensor dense = densify(sparse);
  for (int rank = 1; rank <= 41; ++rank) {
    const auto factors = random_factors(shape, rank, rank);
    expect_near(mttkrp(sparse, factors, 1), naive_mttkrp(dense, factors, 1), 1e-12);
  }
}

RC_GTEST_PROP(Mttkrp, SweepAgreesWhileTheFactorsChange, ()) {
  const int order = *rc::gen::inRange(2, 6);
  std::vector<std::uint64_t> sizes;
  for (int mode = 0; mode < order; ++mode) sizes.push_back(*rc::gen::inRange(1, 7));
  const Shape shape(sizes);
  const auto seed = *rc::gen::arbitrary<std::uint32_t>();
  const DenseTensor tensor = densify(random_sparse(shape, 500, seed, Unlisted::zero));
  auto factors = random_factors(shape, 2, seed);
  DenseSweep sweep(tensor);
  Matrix result;
  for (int round = 0; round < 2; ++round)
    for (int mode = 0; mode < order; ++mode) {
      sweep.mttkrp(factors, mode, result);
      expect_near(result, naive_mttkrp(tensor, factors, mode), 1e-11);
      factors[mode] = random_factors(shape, 2, seed + 17 * round + mode + 1)[mode];
    }
}

TEST(Mttkrp, DoesNotDependOnTheThreads) {
  const Shape shape{3, 400, 300};
  const SparseTensor tensor = random_sparse(shape, 120'000, 3, Unlisted::zero, true);
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

TEST(Mttkrp, RowsWithoutEntriesAreZero) {
  SparseTensor tensor(Shape{3, 2}, Unlisted::zero);
  tensor.append(std::array<Index, 2>{1, 0}, 2);
  const auto factors = random_factors(tensor.shape(), 2, 1);
  const Matrix result = mttkrp(tensor, factors, 0);
  EXPECT_EQ(result.row(0).norm() + result.row(2).norm(), 0);
  EXPECT_EQ(result.row(1), 2 * factors[1].row(0));
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
