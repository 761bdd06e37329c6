#include "lapack.hpp"

#include <tulle/base/error.hpp>
#include <tulle/base/random.hpp>

#include <Eigen/Core>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <utility>

namespace tulle::lapack {
namespace {

constexpr double kRounding = 1e-12;

template <class T>
using Columns = Eigen::Matrix<T, Eigen::Dynamic, Eigen::Dynamic>;

void draw(Random& random, double& number) {
  number = random.normal();
}
void draw(Random& random, Complex& number) {
  number = {random.normal(), random.normal()};
}

template <class T>
Columns<T> random_matrix(int rows, int columns) {
  Random random(static_cast<std::uint64_t>(rows) * 1000 + static_cast<std::uint64_t>(columns));
  Columns<T> a(rows, columns);
  for (T& number : a.reshaped()) draw(random, number);
  return a;
}

template <class T>
Columns<T> hermitian(int n) {
  const Columns<T> a = random_matrix<T>(n, n);
  return a + a.adjoint();
}

// Only the lower triangle may be read.
template <class T>
Columns<T> lower_alone(Columns<T> a) {
  a.template triangularView<Eigen::StrictlyUpper>().setConstant(NAN);
  return a;
}

template <class T>
class Lapack : public testing::Test {};
using Scalars = testing::Types<double, Complex>;
TYPED_TEST_SUITE(Lapack, Scalars);

TYPED_TEST(Lapack, TellsWhetherAMatrixIsPositiveDefinite) {
  constexpr int kSize = 20;
  const Columns<TypeParam> a = random_matrix<TypeParam>(kSize, kSize);
  const Columns<TypeParam> identity = Columns<TypeParam>::Identity(kSize, kSize);
  Columns<TypeParam> positive = lower_alone<TypeParam>(a * a.adjoint() + identity);
  Columns<TypeParam> negative = lower_alone<TypeParam>(a * a.adjoint() - 1e3 * identity);
  Columns<TypeParam> unknown = identity;
  unknown(kSize - 1, 3) = NAN;
  EXPECT_TRUE(is_positive_definite(kSize, positive.data()));
  EXPECT_FALSE(is_positive_definite(kSize, negative.data()));
  EXPECT_FALSE(is_positive_definite(kSize, unknown.data()));
}

TYPED_TEST(Lapack, FindsEigenpairs) {
  constexpr int kSize = 70;  // of more than one block
  const Columns<TypeParam> a = hermitian<TypeParam>(kSize);
  Columns<TypeParam> vectors = lower_alone(a);
  Eigen::VectorXd values(kSize);
  eigen(kSize, vectors.data(), values.data());
  EXPECT_TRUE(std::is_sorted(values.begin(), values.end()));
  EXPECT_LT((a * vectors - vectors * values.asDiagonal()).norm(), kRounding * a.norm());
  EXPECT_LT((vectors.adjoint() * vectors - Columns<TypeParam>::Identity(kSize, kSize)).norm(),
            kRounding * kSize);
}

TYPED_TEST(Lapack, FindsTheLargestEigenpairsFromATridiagonalForm) {
  constexpr int kSize = 70, kCount = 3;
  const Columns<TypeParam> a = hermitian<TypeParam>(kSize);
  Columns<TypeParam> reduced = lower_alone(a), tau(kSize, 1);
  Eigen::VectorXd diagonal(kSize), below(kSize), values(kCount);
  tridiagonalise(kSize, reduced.data(), diagonal.data(), below.data(), tau.data());
  Eigen::VectorXd all = diagonal, rest = below;
  tridiagonal_eigenvalues(kSize, all.data(), rest.data());
  Eigen::MatrixXd tridiagonal_vectors(kSize, kCount);
  ASSERT_TRUE(largest_eigenpairs(kSize, kCount, diagonal.data(), below.data(), values.data(),
                                 tridiagonal_vectors.data()));
  EXPECT_LT((values - all.tail(kCount)).norm(), kRounding * a.norm());
  Columns<TypeParam> vectors = tridiagonal_vectors.cast<TypeParam>();
  apply_reflectors(kSize, kCount, reduced.data(), tau.data(), vectors.data());
  EXPECT_LT((a * vectors - vectors * values.asDiagonal()).norm(), kRounding * a.norm());
}

TYPED_TEST(Lapack, OrthonormalisesWhateverTheRank) {
  Columns<TypeParam> a = random_matrix<TypeParam>(40, 5);
  a.col(3) = a.col(1);
  Columns<TypeParam> q = a;
  orthonormalise(40, 5, q.data());
  EXPECT_LT((q.adjoint() * q - Columns<TypeParam>::Identity(5, 5)).norm(), kRounding);
  EXPECT_LT((q * (q.adjoint() * a) - a).norm(), kRounding * a.norm())
      << "its columns span those of the matrix";
}

TYPED_TEST(Lapack, DecomposesIntoSingularValues) {
  for (const auto& [rows, columns] :
       {std::pair{60, 45}, std::pair{45, 60}, std::pair{7, 7}, std::pair{90, 2}}) {
    const int rank = std::min(rows, columns);
    const Columns<TypeParam> a = random_matrix<TypeParam>(rows, columns);
    Columns<TypeParam> overwritten = a, u(rows, rank), vh(rank, columns);
    Eigen::VectorXd values(rank), alone(rank);
    svd('S', rows, columns, overwritten.data(), values.data(), u.data(), vh.data());
    EXPECT_LT((u * values.asDiagonal() * vh - a).norm(), kRounding * a.norm()) << rows << " x " << columns;
    overwritten = a;
    TypeParam unused;
    svd('N', rows, columns, overwritten.data(), alone.data(), &unused, &unused);
    EXPECT_LT((alone - values).norm(), kRounding * values.norm());
  }
}

TYPED_TEST(Lapack, RefusesNaN) {
  Columns<TypeParam> a = hermitian<TypeParam>(6), other(6, 6);
  a(4, 2) = NAN;
  Eigen::VectorXd values(6), below(6);
  EXPECT_THROW(eigen(6, a.data(), values.data()), Error);
  EXPECT_THROW(tridiagonalise(6, a.data(), values.data(), below.data(), other.data()), Error);
  EXPECT_THROW(orthonormalise(6, 6, a.data()), Error);
  other = random_matrix<TypeParam>(6, 6);
  other(2, 1) = INFINITY;
  EXPECT_THROW(orthonormalise(6, 6, other.data()), Error) << "infinities become NaN";
  EXPECT_THROW(svd('S', 6, 6, a.data(), values.data(), other.data(), other.data()), Error);
}

TEST(LargestEigenpairs, AreThoseOfTheWholeDecomposition) {
  constexpr int kSize = 50, kCount = 4;
  const Eigen::MatrixXd a = hermitian<double>(kSize);
  Eigen::MatrixXd overwritten = lower_alone<double>(a), all = a, vectors(kSize, kCount);
  Eigen::VectorXd values(kCount), of_all(kSize);
  eigen(kSize, all.data(), of_all.data());
  ASSERT_TRUE(largest_eigenpairs(kSize, kCount, overwritten.data(), values.data(), vectors.data()));
  EXPECT_LT((values - of_all.tail(kCount)).norm(), kRounding * a.norm());
  EXPECT_LT((a * vectors - vectors * values.asDiagonal()).norm(), kRounding * a.norm());
}

TEST(LargestEigenpairs, AreNotFoundWithNaN) {
  Eigen::MatrixXd a = hermitian<double>(5), vectors(5, 2);
  a(3, 1) = NAN;
  Eigen::VectorXd values(2), diagonal = Eigen::VectorXd::Constant(5, NAN), below = Eigen::VectorXd::Ones(5);
  EXPECT_FALSE(largest_eigenpairs(5, 2, a.data(), values.data(), vectors.data()));
  EXPECT_FALSE(largest_eigenpairs(5, 2, diagonal.data(), below.data(), values.data(), vectors.data()));
  EXPECT_THROW(tridiagonal_eigenvalues(5, diagonal.data(), below.data()), Error);
}

}  // namespace
}  // namespace tulle::lapack
