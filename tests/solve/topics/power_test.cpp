#include <tulle/solve/topics/power.hpp>
#include <tulle/solve/topics/whiten.hpp>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace tulle {
namespace {

Cube rank_one(const Vector& u) {
  Cube cube = Cube::Zero(u.size(), u.size() * u.size());
  deflate(cube, -1, u);
  return cube;
}

TEST(Power, ContractsAndDeflatesLikeTheDefinition) {
  Random random(1);
  Cube cube(3, 9);
  for (double& value : cube.reshaped()) value = random.normal();
  const Vector u = random_direction(3, random);
  EXPECT_NEAR(u.norm(), 1, 1e-15);
  const Vector got = contract(cube, u);
  for (int i = 0; i < 3; ++i) {
    double expected = 0;
    for (int j = 0; j < 3; ++j)
      for (int k = 0; k < 3; ++k) expected += cube(i, 3 * j + k) * u[j] * u[k];
    EXPECT_NEAR(got[i], expected, 1e-14);
  }
  Cube same = cube;
  deflate(same, 2, u);
  EXPECT_NEAR(same(1, 3 * 2 + 0), cube(1, 6) - 2 * u[1] * u[2] * u[0], 1e-15);
}

TEST(Power, SymmetrisingKeepsTheSymmetricPart) {
  Random random(2);
  Cube cube(3, 9);
  for (double& value : cube.reshaped()) value = random.normal();
  const Cube symmetric = symmetrised(cube);
  EXPECT_NEAR(symmetric(0, 5), symmetric(2, 1), 1e-15);
  EXPECT_NEAR(symmetric(0, 5), symmetric(1, 2 * 3 + 0), 1e-15);
  EXPECT_TRUE(symmetrised(symmetric).isApprox(symmetric, 1e-14));
  const Vector u = random_direction(3, random);
  EXPECT_NEAR(contract(symmetric, u).dot(u), contract(cube, u).dot(u), 1e-14);
}

// mechanisms 6.3: a_k = e_k and w = (0.8, 0.2) have lambda = 1 / sqrt(w).
TEST(Power, FindsTheTermsOfAnOrthogonalTensor) {
  const Vector weights = (Vector(2) << 0.8, 0.2).finished();
  Cube cube = Cube::Zero(2, 4);
  for (int k = 0; k < 2; ++k) cube += rank_one(Vector::Unit(2, k)) / std::sqrt(weights[k]);
  const RankOneTerms terms = decompose(cube, 2, {.seed = 3});
  EXPECT_NEAR(terms.values[0], 2.2360680, 1e-6);
  EXPECT_NEAR(terms.values[1], 1.1180340, 1e-6);
  EXPECT_NEAR(terms.vectors(1, 0), 1, 1e-9);
  EXPECT_NEAR(terms.vectors(0, 1), 1, 1e-9);
}

RC_GTEST_PROP(Power, RebuildsAnyOrthogonalTensor, ()) {
  const int size = *rc::gen::inRange(1, 6);
  Random random(*rc::gen::inRange<std::uint64_t>(0, 1000));
  Matrix basis(size, size);
  for (double& value : basis.reshaped()) value = random.normal();
  const Matrix q = whiten(basis * basis.transpose() + Matrix::Identity(size, size), size, 1e-9)
                       .whiten.colwise()
                       .normalized();
  Cube cube = Cube::Zero(size, size * size);
  for (int k = 0; k < size; ++k) cube += (1 + k) * rank_one(q.col(k));
  const RankOneTerms terms = decompose(cube, size, {.seed = 1});
  Cube back = Cube::Zero(size, size * size);
  for (int k = 0; k < size; ++k) back += terms.values[k] * rank_one(terms.vectors.col(k));
  RC_ASSERT((back - cube).norm() < 1e-6 * cube.norm());
}

TEST(Power, NothingComesOutOfNothing) {
  const RankOneTerms terms = decompose(Cube::Zero(3, 9), 3, {.seed = 1});
  EXPECT_TRUE(terms.vectors.allFinite());
  EXPECT_EQ(terms.values.norm(), 0);
}

}  // namespace
}  // namespace tulle
