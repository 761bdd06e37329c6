#include "method/counts/made_events.hpp"

#include <tulle/data/measurement.hpp>

#include <gtest/gtest.h>

#include <cmath>

namespace tulle {
namespace {

Release released_histogram(const Budget& budget) {
  const CountOutcome outcome =
      testing::count_job("histogram", budget, 1).run(testing::events_of({3, 4}, std::vector<float>(12, 7)));
  EXPECT_EQ(outcome.measured->releases.size(), 1u);
  return outcome.measured->releases.front();
}

TEST(HistogramOfCounts, ReleasesWholeNumbersOnce) {
  const Release table = released_histogram({0.5, 0});
  EXPECT_EQ(table.noise, "discrete Laplace");
  EXPECT_EQ(table.values.size(), 12u);
  for (const double value : table.values) EXPECT_EQ(value, std::floor(value));
  // 2 a / (1 - a)^2 with a = exp(-1/2)
  const double a = std::exp(-0.5);
  EXPECT_NEAR(table.deviation, std::sqrt(2 * a) / (1 - a), 1e-6);
}

// At delta 1e-6 and epsilon 1 one cell costs more Gaussian noise than Laplace noise.
TEST(HistogramOfCounts, TakesTheSmallerNoise) {
  EXPECT_EQ(released_histogram({1, 1e-6}).noise, "discrete Laplace");
  EXPECT_EQ(released_histogram({0.001, 0.1}).noise, "Gaussian");
}

}  // namespace
}  // namespace tulle
