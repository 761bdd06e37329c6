#include <tulle/base/random.hpp>
#include <tulle/base/threads.hpp>
#include <tulle/tensor/kernels/row_products.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

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
      PackedColumns again(random_floats(columns, 23, 5));
      again.assign_transposed(other_way);
      EXPECT_EQ(product(left, again), product(left, PackedColumns(right)));
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

// The same matrix with four of five values zero, as images on an empty ground have them.
FloatMatrix mostly_zero(FloatMatrix matrix, std::uint64_t seed) {
  Random random(seed);
  for (float& value : matrix.reshaped())
    if (random.chance(0.8)) value = 0;
  return matrix;
}

// Zeros are left out where most values are zero: a row is the same either way.
TEST(RowProducts, DoNotDependOnHowManyValuesOfOtherRowsAreZero) {
  const FloatMatrix dense = random_floats(63, 300, 8), right = random_floats(300, 101, 9);
  FloatMatrix sparse = mostly_zero(random_floats(64, 300, 10), 11), mixed(64, 300);
  mixed << sparse.topRows(1), dense;
  const PackedColumns packed(right);
  EXPECT_EQ(product(sparse, packed).row(0), product(mixed, packed).row(0));
  const FloatMatrix expected = (sparse.cast<double>() * right.cast<double>()).cast<float>();
  EXPECT_LT((product(sparse, packed) - expected).cwiseAbs().maxCoeff(), 1e-4f);
}

FloatMatrix whole_floats(Eigen::Index rows, Eigen::Index columns, std::uint64_t seed) {
  Random random(seed);
  FloatMatrix matrix(rows, columns);
  for (float& value : matrix.reshaped())
    value = static_cast<float>(static_cast<double>(random.below(1 << 16)) - kMostWhole);
  return matrix;
}

// 2^22 rows of the largest numbers, as one: the sums are as large as they may be, and still exact. Sums of
// few columns, of many, and of columns that are mostly zero are computed in other ways.
TEST(ExactProducts, AreThoseOfTheDefinitionToTheLastBit) {
  for (Eigen::Index columns : {1, 5, 16, 17, 70})
    for (bool sparse : {false, true}) {
      FloatMatrix left = whole_floats(600, 101, 7);
      if (sparse) left = mostly_zero(std::move(left), 12);
      const FloatMatrix right = whole_floats(600, columns, 13);
      std::vector<double> scales(600);
      for (std::size_t row = 0; row < scales.size(); ++row)
        scales[row] = 1 / (1 + static_cast<double>(row % 7));
      const double start = static_cast<double>(kMostRows - 600) * kMostWhole * kMostWhole;
      WholeMatrix expected = WholeMatrix::Constant(101, columns, start), sums = expected;
      for (Eigen::Index row = 0; row < 600; ++row)
        for (Eigen::Index i = 0; i < 101; ++i)
          expected.row(i) +=
              std::rint(scales[static_cast<std::size_t>(row)] * left(row, i)) * right.row(row).cast<double>();
      add_exact_products({left, scales}, {right, std::vector<double>(600, 1.0)}, sums);
      EXPECT_EQ(sums, expected) << columns << " columns, " << (sparse ? "sparse" : "dense");
    }
}

}  // namespace
}  // namespace tulle
