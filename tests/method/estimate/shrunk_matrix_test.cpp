#include "estimate/shrunk_matrix.hpp"

#include <tulle/base/random.hpp>

#include <gtest/gtest.h>

#include <cmath>

namespace tulle {
namespace {

Matrix noise(Eigen::Index rows, Eigen::Index columns, double deviation, std::uint64_t seed) {
  Random random(seed);
  Matrix matrix(rows, columns);
  for (double& number : matrix.reshaped<Eigen::RowMajor>()) number = deviation * random.normal();
  return matrix;
}

Matrix one_component(Eigen::Index rows, Eigen::Index columns) {
  return noise(rows, 1, 1, 1) * noise(columns, 1, 1, 2).transpose();
}

TEST(ShrunkMatrix, WithoutNoiseNothingIsLost) {
  for (const auto& [rows, columns] : {std::pair(30, 20), std::pair(20, 30), std::pair(30, 1)}) {
    const Matrix matrix = one_component(rows, columns);
    EXPECT_LT((shrink_to_signal(matrix, 0).product() - matrix).norm(), 1e-6 * matrix.norm());
  }
}

TEST(ShrunkMatrix, NoiseAloneIsNothing) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    EXPECT_EQ(shrink_to_signal(noise(100, 60, 0.3, seed), 0.3).rank(), 0);
    EXPECT_EQ(shrink_to_signal(Matrix::Zero(5, 4), 0.3).rank(), 0);
  }
}

// Gavish and Donoho 2017, equation 7, for a square matrix: a singular value y > 2 becomes sqrt(y^2 - 4), in
// units of deviation x sqrt(n).
TEST(ShrunkMatrix, ShrinksAsTheFormulaSays) {
  Matrix matrix = Matrix::Zero(4, 4);
  matrix(0, 0) = 6;  // 3 units
  matrix(1, 1) = 4;  // 2 units: no more than noise
  const ShrunkMatrix shrunk = shrink_to_signal(matrix, 1);
  ASSERT_EQ(shrunk.rank(), 1);
  EXPECT_NEAR(shrunk.values[0], 2 * std::sqrt(5.0), 1e-9);
  EXPECT_NEAR(shrunk.product()(0, 0), 2 * std::sqrt(5.0), 1e-9);
}

TEST(ShrunkMatrix, IsNearerToTheSignalThanWhatItIsGiven) {
  const Matrix signal = one_component(80, 50), noisy = signal + noise(80, 50, 1, 3);
  const ShrunkMatrix shrunk = shrink_to_signal(noisy, 1);
  EXPECT_EQ(shrunk.rank(), 1);
  EXPECT_LT((shrunk.product() - signal).norm(), 0.35 * (noisy - signal).norm());
  const ShrunkMatrix turned = shrink_to_signal(noisy.transpose(), 1);
  EXPECT_LT((turned.product().transpose() - shrunk.product()).norm(), 1e-8 * signal.norm());
}

}  // namespace
}  // namespace tulle
