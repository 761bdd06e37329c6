#include "start.hpp"

#include "tensor/samples.hpp"

#include <tulle/base/error.hpp>

#include <gtest/gtest.h>

namespace tulle {
namespace {

TEST(RandomFactors, HaveTheirColumnsAndAStreamForEveryMode) {
  const auto factors = random_factors({5, 5, 7}, {2, 2, 3}, 1);
  ASSERT_EQ(factors.size(), 3u);
  EXPECT_EQ(factors[2].rows(), 7);
  EXPECT_EQ(factors[2].cols(), 3);
  EXPECT_NE(factors[0], factors[1]);
  EXPECT_EQ(factors[0], random_factors({5, 9}, {2, 1}, 1)[0]) << "the other modes do not matter";
  EXPECT_NE(factors[0], random_factors({5, 9}, {2, 1}, 2)[0]);
}

TEST(RandomOrthonormal, HasOrthonormalColumnsThatSpanTheRandomOnes) {
  const auto drawn = random_factors({6, 4}, {3, 4}, 5), factors = random_orthonormal({6, 4}, {3, 4}, 5);
  for (int mode = 0; mode < 2; ++mode) {
    const Matrix& q = factors[mode];
    EXPECT_TRUE((q.transpose() * q).isIdentity(1e-12));
    EXPECT_TRUE((q * (q.transpose() * drawn[mode])).isApprox(drawn[mode], 1e-12));
  }
}

// A sketch of a factor times anything of full rank spans what the factor spans, with any surplus of columns.
TEST(SpectralFactors, SpanWhatTheSketchesSpan) {
  const Shape shape{8, 9};
  const std::vector<Matrix> planted = {samples::matrix(8, 2, 1), samples::matrix(9, 3, 2)};
  const auto factors = spectral_factors(shape, {2, 3}, [&](int mode) -> Matrix {
    const auto rank = static_cast<int>(planted[mode].cols());
    return planted[mode] * samples::matrix(planted[mode].cols(), sketch_width(rank), 3 + mode);
  });
  for (int mode = 0; mode < 2; ++mode) {
    const Matrix& q = factors[mode];
    ASSERT_EQ(q.cols(), planted[mode].cols());
    EXPECT_LT((q * (q.transpose() * planted[mode]) - planted[mode]).norm(), 1e-6 * planted[mode].norm());
  }
}

TEST(SpectralFactors, AreAtMostAsManyAsTheModeHasPositions) {
  const auto factors =
      spectral_factors({2, 30}, {5, 5}, [](int mode) { return samples::matrix(mode == 0 ? 2 : 30, 20, 1); });
  EXPECT_EQ(factors[0].cols(), 2);
  EXPECT_EQ(factors[1].cols(), 5);
}

TEST(CheckRank, AcceptsOneAndMore) {
  EXPECT_NO_THROW(check_rank(1));
  EXPECT_THROW(check_rank(0), UsageError);
}

}  // namespace
}  // namespace tulle
