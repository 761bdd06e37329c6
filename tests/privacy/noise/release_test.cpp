#include "privacy/noise/statistics.hpp"

#include <tulle/base/error.hpp>
#include <tulle/base/threads.hpp>
#include <tulle/privacy/noise/release.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace tulle {
namespace {

using ::testing::HasSubstr;
using ::testing::ThrowsMessage;

TEST(Release, IsAMultipleOfTheCell) {
  auto bits = RandomBits::seeded(1);
  const auto grid = Grid::with_exponent(-7);
  std::vector<double> values(10'000, 1.0 / 3);
  release(values, GridNoise::in_cells(grid, DiscreteLaplace::with_scale(128)), bits);
  for (const double value : values) EXPECT_EQ(value, grid.value(grid.round(value)));
}

// Less the rounded value, what is left is the integer noise: nothing of the value is in its distribution.
TEST(Release, AddsTheNoiseItSays) {
  const auto noise = DiscreteGaussian::with_sigma2(30);
  for (const double value : {0.0, 1.0 / 3, -7.77}) {
    auto bits = RandomBits::seeded(2);
    const auto grid = Grid::with_exponent(-3);
    std::vector<double> values(100'000, value);
    release(values, GridNoise::in_cells(grid, noise), bits);
    std::vector<std::int64_t> drawn;
    for (const double released : values) drawn.push_back(grid.round(released) - grid.round(value));
    testing::expect_frequencies(drawn, [&](std::int64_t k) { return noise.pmf(k); });
  }
}

// Chosen grids are so fine that a release is the continuous mechanism: a Kolmogorov test sees no difference.
TEST(Release, FollowsTheContinuousNoise) {
  auto bits = RandomBits::seeded(3);
  const auto draw = [&](const GridNoise& noise) {
    std::vector<double> values(100'000);
    release(values, noise, bits);
    return values;
  };
  testing::expect_distribution(draw(GridNoise::laplace(2, 3)),
                               [](double x) { return Laplace::with_scale(1.5).cdf(x); });
  testing::expect_distribution(draw(GridNoise::gaussian(4, 0.5)),
                               [](double x) { return Gaussian::with_sigma(2).cdf(x); });
  testing::expect_distribution(draw(GridNoise::staircase(4, 3)),
                               [](double x) { return Staircase::optimal(4, 3).cdf(x); });
  const auto discrete =
      GridNoise::in_cells(Grid::with_exponent(-10), DiscreteGaussian::with_sigma_at_least(2048));
  testing::expect_distribution(draw(discrete), [](double x) { return Gaussian::with_sigma(2).cdf(x); });
}

// The scale covers the sensitivity in cells, rounding included, and hardly more.
TEST(Release, IsCalibratedUpwards) {
  for (const double epsilon : {0.01, 1.0, 7.0})
    for (const double sensitivity : {1e-6, 1.0, 12345.6})
      for (const std::int64_t coordinates : {1, 1000}) {
        const auto laplace = GridNoise::laplace(epsilon, sensitivity, coordinates);
        const double scale = std::get<RoundedLaplace>(laplace.noise()).scale();
        EXPECT_GE(scale * epsilon,
                  static_cast<double>(laplace.grid().l1_sensitivity(sensitivity, coordinates)));
        EXPECT_NEAR(laplace.deviation() * epsilon / sensitivity / std::sqrt(2), 1, 0x1p-20 / epsilon + 1e-9);
        const auto gaussian = GridNoise::gaussian(1 / epsilon, sensitivity, coordinates);
        const double sigma = std::get<RoundedGaussian>(gaussian.noise()).sigma();
        EXPECT_GE(sigma, gaussian.grid().l2_sensitivity(sensitivity, coordinates) / epsilon);
        EXPECT_NEAR(gaussian.deviation() * epsilon / sensitivity, 1, 0x1p-20 / epsilon + 1e-9);
        const auto staircase = GridNoise::staircase(epsilon, sensitivity);
        EXPECT_EQ(std::get<DiscreteStaircase>(staircase.noise()).sensitivity(),
                  staircase.grid().l1_sensitivity(sensitivity));
        EXPECT_NEAR(staircase.deviation() / std::sqrt(Staircase::optimal(epsilon, sensitivity).variance()), 1,
                    1e-4);
      }
}

TEST(IntegerNoise, IsAnyOfThem) {
  auto bits = RandomBits::seeded(1), same = RandomBits::seeded(1);
  const auto gaussian = DiscreteGaussian::with_sigma2(9);
  const IntegerNoise noise = gaussian;
  EXPECT_EQ(variance(noise), gaussian.variance());
  for (int i = 0; i < 10; ++i) EXPECT_EQ(sample(noise, bits), gaussian.sample(same));
}

TEST(Release, DoesNotDependOnThreads) {
  const int before = threads();
  const IntegerNoise noise = DiscreteLaplace::with_scale(1000);
  std::vector<std::vector<double>> results;
  std::vector<std::vector<std::int64_t>> counts;
  for (const int count : {1, 2, 3}) {
    set_threads(count);
    auto bits = RandomBits::seeded(4);
    std::vector<double> values(300'001, 0.5);
    release(values, GridNoise::in_cells(Grid::with_exponent(-4), noise), bits);
    results.push_back(values);
    std::vector<std::int64_t> integers(20'000, 7);
    release(integers, noise, bits);
    counts.push_back(integers);
  }
  set_threads(before);
  EXPECT_EQ(results[0], results[1]);
  EXPECT_EQ(results[0], results[2]);
  EXPECT_EQ(counts[0], counts[1]);
  EXPECT_EQ(counts[0], counts[2]);
}

TEST(Release, SaturatesInsteadOfOverflowing) {
  auto bits = RandomBits::seeded(5);
  const IntegerNoise noise = DiscreteLaplace::with_scale(Rational::kLimit);
  const auto largest = std::numeric_limits<std::int64_t>::max();
  for (int i = 0; i < 1000; ++i) {
    EXPECT_GT(release(largest, noise, bits), std::int64_t{1} << 61);
    EXPECT_LT(release(-largest - 1, noise, bits), -(std::int64_t{1} << 61));
    EXPECT_GT(release(1e300, GridNoise::in_cells(Grid::with_exponent(0), noise), bits), 0x1p61);
  }
}

TEST(Release, RefusesNansBeforeItDraws) {
  auto bits = RandomBits::seeded(6), same = RandomBits::seeded(6);
  std::vector<double> values{1, NAN};
  EXPECT_THAT([&] { release(values, GridNoise::laplace(1, 1), bits); },
              ThrowsMessage<Error>(HasSubstr("not a number")));
  EXPECT_EQ(values[0], 1);
  EXPECT_EQ(bits.word(), same.word());
}

TEST(Release, GammaNormNoiseOnAGrid) {
  const auto grid = Grid::with_exponent(-20);
  auto bits = RandomBits::seeded(7);
  const auto noise = GammaNorm::with_scale(3, 2);
  std::vector<double> norms;
  for (int i = 0; i < 3'000; ++i) {
    std::vector<double> values(3);
    release_approximately(values, grid, noise, bits);
    for (const double value : values) EXPECT_EQ(value, grid.value(grid.round(value)));
    norms.push_back(std::hypot(values[0], values[1], values[2]));
  }
  testing::expect_mean(norms, noise.mean_norm(), noise.variance_norm());
  std::vector<double> values(3);
  EXPECT_THAT([&] { release_approximately(values, grid, GammaNorm::with_scale(3, 1e20), bits); },
              ThrowsMessage<UsageError>(HasSubstr("gamma-norm noise: mean norm in cells")));
}

TEST(GridNoise, RefusesBadParameters) {
  const auto refuses = [](auto make, const char* message) {
    EXPECT_THAT(make, ThrowsMessage<UsageError>(HasSubstr(message)));
  };
  refuses([] { GridNoise::laplace(0, 1); }, "Laplace release: epsilon 0 must be positive and finite");
  refuses([] { GridNoise::laplace(1, -1); }, "Laplace release: sensitivity -1 must be positive and finite");
  refuses([] { GridNoise::gaussian(NAN, 1); },
          "Gaussian release: multiplier nan must be positive and finite");
  refuses([] { GridNoise::gaussian(1, 1, 0); }, "grid: coordinates 0 must be between 1 and");
  refuses([] { GridNoise::staircase(1, 0); }, "staircase release: sensitivity 0 must be positive and finite");
  refuses([] { GridNoise::staircase(50, 1); }, "discrete staircase noise: epsilon 50 must be between");
}

}  // namespace
}  // namespace tulle
