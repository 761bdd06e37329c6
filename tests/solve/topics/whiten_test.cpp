#include <tulle/base/error.hpp>
#include <tulle/base/random.hpp>
#include <tulle/solve/topics/whiten.hpp>

#include <gtest/gtest.h>

namespace tulle {
namespace {

TEST(Whiten, MakesTheSecondMomentTheIdentity) {
  Random random(4);
  Matrix factor(6, 3);
  for (double& value : factor.reshaped()) value = random.normal();
  const Matrix second = factor * factor.transpose();
  const Whitening whitening = whiten(second, 3, 1e-12);
  EXPECT_TRUE((whitening.whiten.transpose() * second * whitening.whiten).isIdentity(1e-10));
  EXPECT_TRUE((whitening.unwhiten * whitening.unwhiten.transpose()).isApprox(second, 1e-10));
}

TEST(Whiten, EigenvaluesBelowTheEdgeBlowNothingUp) {
  const Matrix second = Vector((Vector(3) << 1, 1e-9, -0.5).finished()).asDiagonal();
  const Whitening whitening = whiten(second, 3, 0.01);
  EXPECT_TRUE(whitening.whiten.allFinite());
  EXPECT_NEAR(whitening.whiten.colwise().norm().maxCoeff(), 10, 1e-9);
  EXPECT_NEAR(whitening.eigenvalues[2], -0.5, 1e-12);
  EXPECT_THROW(whiten(second, 4, 0.01), UsageError);
  EXPECT_THROW(whiten(second, 3, 0), Error);
}

}  // namespace
}  // namespace tulle
