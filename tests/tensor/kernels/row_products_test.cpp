#include <tulle/base/random.hpp>
#include <tulle/base/threads.hpp>
#include <tulle/tensor/kernels/row_products.hpp>

#include <gtest/gtest.h>

namespace tulle {
namespace {

FloatMatrix random_floats(Eigen::Index rows, Eigen::Index columns, std::uint64_t seed) {
  Random random(seed);
  FloatMatrix matrix(rows, columns);
  for (float& value : matrix.reshaped()) value = static_cast<float>(random.normal());
  return matrix;
}

FloatMatrix product(const FloatMatrix& left, const PackedColumns& right) {
  FloatMatrix result(left.rows(), right.columns());
  row_products(left, right, result);
  return result;
}

TEST(RowProducts, AreThoseOfTheDefinition) {
  for (Eigen::Index rows : {1, 3, 4, 67})
    for (Eigen::Index columns : {1, 10, 16, 17, 40}) {
      const FloatMatrix left = random_floats(rows, 23, 1), right = random_floats(23, columns, 2);
      const FloatMatrix expected = (left.cast<double>() * right.cast<double>()).cast<float>();
      EXPECT_LT((product(left, PackedColumns(right)) - expected).cwiseAbs().maxCoeff(), 1e-5f);
      const FloatMatrix other_way = right.transpose();
      EXPECT_EQ(product(left, PackedColumns::transposed(other_way)), product(left, PackedColumns(right)));
    }
}

TEST(RowProducts, DependOnTheirOwnRowAlone) {
  const FloatMatrix left = random_floats(131, 100, 3), right = random_floats(100, 37, 4);
  const PackedColumns packed(right);
  const FloatMatrix all = product(left, packed);
  for (Eigen::Index first : {1, 2, 3, 5, 64, 129, 130})
    EXPECT_EQ(product(left.bottomRows(131 - first), packed), all.bottomRows(131 - first)) << first;
}

TEST(RowProducts, DoNotDependOnTheNumberOfThreads) {
  const FloatMatrix left = random_floats(300, 400, 5), right = random_floats(400, 100, 6);
  const FloatMatrix many = product(left, PackedColumns(right));
  const OneThread one;
  EXPECT_EQ(product(left, PackedColumns(right)), many);
}

// 2^22 rows of the largest numbers, as one: the sums are as large as they may be, and still exact.
TEST(ExactProducts, AreTheSameInAnyOrder) {
  Random random(7);
  const auto whole = [&](Eigen::Index rows, Eigen::Index columns) {
    WholeMatrix matrix(rows, columns);
    for (double& value : matrix.reshaped()) value = static_cast<double>(random.below(1 << 16)) - kMostWhole;
    return matrix;
  };
  const WholeMatrix left = whole(500, 7), right = whole(500, 5);
  WholeMatrix at_once =
      WholeMatrix::Constant(7, 5, static_cast<double>(kMostRows - 500) * kMostWhole * kMostWhole);
  WholeMatrix by_row = at_once;
  add_exact_products(left, right, at_once);
  for (Eigen::Index row = 499; row >= 0; --row) add_exact_products(left.row(row), right.row(row), by_row);
  EXPECT_EQ(at_once, by_row);
}

}  // namespace
}  // namespace tulle
