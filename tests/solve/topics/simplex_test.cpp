#include <tulle/solve/topics/simplex.hpp>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace tulle {
namespace {

TEST(Simplex, DropsWhatIsNegative) {
  const Vector got = nearest_distribution((Vector(3) << 3, -1, 1).finished());
  EXPECT_NEAR(got[0], 0.75, 1e-15);
  EXPECT_EQ(got[1], 0);
  EXPECT_NEAR(nearest_distribution(Vector::Constant(4, -1))[2], 0.25, 1e-15);
}

RC_GTEST_PROP(Simplex, TheAnswerIsADistributionWhateverTheScale, (const std::vector<std::int16_t>& numbers)) {
  RC_PRE(!numbers.empty());
  Vector point(static_cast<Eigen::Index>(numbers.size()));
  for (Eigen::Index i = 0; i < point.size(); ++i) point[i] = numbers[static_cast<std::size_t>(i)];
  const Vector got = nearest_distribution(point);
  RC_ASSERT(got.minCoeff() >= 0);
  RC_ASSERT(std::abs(got.sum() - 1) < 1e-12);
  RC_ASSERT((nearest_distribution(8 * point) - got).cwiseAbs().maxCoeff() == 0);
}

}  // namespace
}  // namespace tulle
