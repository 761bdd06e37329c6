#include <tulle/base/error.hpp>
#include <tulle/model/posterior.hpp>

#include <gtest/gtest.h>

namespace tulle {
namespace {

// y[u] = T[u]
Coupled one_factor(std::vector<double> values) {
  Coupled model;
  model.axes = {{"u", "user", static_cast<Index>(values.size())}};
  model.factors = {{"T", {0}, std::move(values)}};
  model.products = {{"y", {0}, {0}}};
  return model;
}

const Cells kBoth(Shape{2, 1}, {{0, 1}, {0, 0}});

TEST(Posterior, OfSamplesPredictsTheAverageOfTheirPredictions) {
  CoupledPosterior posterior;
  posterior.mean = one_factor({2, 4});
  posterior.samples = {one_factor({1, 5}), one_factor({3, 3})};
  EXPECT_EQ(posterior.predict(0, kBoth), (std::vector<double>{2, 4}));
  const auto intervals = posterior.intervals(0, kBoth, 0.5, 0, 1);
  EXPECT_DOUBLE_EQ(intervals[0].low, 1.5);
  EXPECT_DOUBLE_EQ(intervals[0].high, 2.5);
}

TEST(Posterior, OfMomentsPredictsTheMeans) {
  CoupledPosterior posterior{one_factor({2, 4}), {{1, 1}}, {}};
  EXPECT_EQ(posterior.predict(0, kBoth), (std::vector<double>{2, 4}));
}

// Gamma(1) with mean 2 is exponential: the quantiles 0.05 and 0.95 are -2 log 0.95 and -2 log 0.05. Among
// 20,000 draws a quantile q is off by s = sqrt(q (1 - q) / 20,000) in probability; six of them are 2e-9.
TEST(Posterior, IntervalsOfMomentsHoldTheirProbability) {
  const CoupledPosterior posterior{one_factor({2, 4}), {{1, 1}}, {}};
  const auto interval = posterior.intervals(0, Cells(Shape{2, 1}, {{0}, {0}}), 0.9, 20'000, 3)[0];
  const double s = std::sqrt(0.05 * 0.95 / 20'000);
  EXPECT_GT(interval.low, -2 * std::log(0.95 + 6 * s));
  EXPECT_LT(interval.low, -2 * std::log(0.95 - 6 * s));
  EXPECT_GT(interval.high, -2 * std::log(0.05 + 6 * s));
  EXPECT_LT(interval.high, -2 * std::log(0.05 - 6 * s));
}

TEST(Posterior, RefusesIntervalsThatMeanNothing) {
  const CoupledPosterior posterior{one_factor({2, 4}), {{1, 1}}, {}};
  EXPECT_THROW(posterior.intervals(0, kBoth, 1, 10, 1), UsageError);
  EXPECT_THROW(posterior.intervals(0, kBoth, 0.9, 1, 1), UsageError);
  EXPECT_THROW((CoupledPosterior{one_factor({2, 4}), {}, {}}.intervals(0, kBoth, 0.9, 10, 1)), UsageError);
}

// More cells than are worked on at once have the intervals of each by itself.
TEST(Posterior, IntervalsOfManyCellsAreThoseOfEach) {
  constexpr std::size_t kCells = 9000;
  const CoupledPosterior posterior{one_factor({2, 4}), {{1, 3}}, {}};
  std::vector<Index> users(kCells);
  for (std::size_t i = 0; i < kCells; ++i) users[i] = i % 3 == 0 ? 1 : 0;
  const Cells cells(Shape{2, 1}, {users, std::vector<Index>(kCells)});
  const auto each = posterior.intervals(0, kBoth, 0.9, 4000, 1);
  const auto many = posterior.intervals(0, cells, 0.9, 4000, 1);
  ASSERT_EQ(many.size(), kCells);
  for (std::size_t i = 0; i < kCells; ++i) {
    EXPECT_EQ(many[i].low, each[users[i]].low);
    EXPECT_EQ(many[i].high, each[users[i]].high);
  }
}

}  // namespace
}  // namespace tulle
