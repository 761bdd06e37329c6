#include "estimate/user/released_directions.hpp"

#include <tulle/base/random.hpp>

#include <gtest/gtest.h>

#include <cmath>

namespace tulle {
namespace {

Matrix symmetric_noise(Eigen::Index size, double deviation, std::uint64_t seed) {
  Random random(seed);
  Matrix noise(size, size);
  for (Eigen::Index i = 0; i < size; ++i)
    for (Eigen::Index j = i; j < size; ++j) noise(i, j) = noise(j, i) = deviation * random.normal();
  return noise;
}

Matrix without_diagonal(Eigen::Index size) {
  return Matrix::Ones(size, size) - Matrix(Vector::Ones(size).asDiagonal());
}

TEST(ReleasedDirections, OfNoiseAloneAreNone) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    // The largest eigenvalue of noise is at the edge, give or take size^(-2/3) of it (Tracy and Widom).
    const Matrix noise = symmetric_noise(100, 0.9, seed);
    EXPECT_EQ(released_directions(noise, without_diagonal(100), 1).cols(), 0);
  }
}

TEST(ReleasedDirections, CompleteADiagonalThatIsNotKnown) {
  const Vector direction = Vector::LinSpaced(20, 0.5, 1.5);
  const Matrix truth = direction * direction.transpose();
  const Matrix found =
      released_directions(truth.cwiseProduct(without_diagonal(20)), without_diagonal(20), 0.02);
  ASSERT_EQ(found.cols(), 1);
  EXPECT_LT((found * found.transpose() - truth).norm(), 1e-3 * truth.norm());
}

TEST(ReleasedDirections, AreAsManyAsAreAskedForAtMost) {
  const Matrix truth = Vector::LinSpaced(6, 1, 2).asDiagonal();
  const Matrix found = released_directions(truth, Matrix::Ones(6, 6), 1e-9, 2);
  ASSERT_EQ(found.cols(), 2);
  EXPECT_NEAR(found.col(0).squaredNorm(), 2, 1e-6);
}

}  // namespace
}  // namespace tulle
