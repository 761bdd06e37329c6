#include "completion/user/private_biases.hpp"

#include <tulle/base/random.hpp>

#include <gtest/gtest.h>

#include <vector>

namespace tulle {
namespace {

// Exact counts and sums give the plain means; counts lost in noise give nothing but the common trend.
TEST(PrivateBiases, TrustTheSumsAsFarAsTheNoiseAllows) {
  std::vector<double> sums, counts;
  Vector truth(200);
  Random random(5);
  for (int j = 0; j < 200; ++j) {
    counts.push_back(10 + j);
    truth[j] = 0.3 * random.normal();
    sums.push_back(counts.back() * truth[j]);
  }
  double mean = 0, total = 0;
  for (int j = 0; j < 200; ++j) mean += counts[j] * truth[j], total += counts[j];
  const PositionPosteriors exact = position_posteriors({sums, counts, 1e-3, 1e-3, 1e-3});
  for (int j = 0; j < 200; ++j) EXPECT_NEAR(exact.offsets[j], truth[j] - mean / total, 0.01);
  for (int j = 1; j < 200; ++j) EXPECT_GT(exact.popularity[j], exact.popularity[j - 1]);
  const PositionPosteriors lost = position_posteriors({sums, counts, 1e4, 1e4, 1});
  EXPECT_LT(lost.offsets.cwiseAbs().maxCoeff(), 0.02);
}

// What many users have seen is liked more: a trend in log W that noisy positions follow.
TEST(PrivateBiases, FollowATrendInPopularity) {
  std::vector<double> sums, counts;
  Random random(6);
  for (int j = 0; j < 400; ++j) {
    const double count = 1 + 999.0 * (j % 2);
    counts.push_back(count + random.normal());
    sums.push_back(count * (j % 2 == 0 ? -0.6 : 0.2) + 5 * random.normal());
  }
  const PositionPosteriors found = position_posteriors({sums, counts, 5, 1, 1});
  double rare = 0, common = 0;
  for (int j = 0; j < 400; ++j) (j % 2 == 0 ? rare : common) += found.offsets[j] / 200;
  EXPECT_LT(rare, common - 0.2);
  EXPECT_NEAR(common, 0, 0.02);  // offsets are 0 on the average over cells
}

}  // namespace
}  // namespace tulle
