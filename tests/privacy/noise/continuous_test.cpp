#include "privacy/noise/statistics.hpp"

#include <tulle/base/error.hpp>
#include <tulle/base/threads.hpp>
#include <tulle/privacy/noise/continuous.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <numbers>

namespace tulle {
namespace {

using ::testing::HasSubstr;
using ::testing::ThrowsMessage;

template <class Noise>
std::vector<double> draw_doubles(const Noise& noise, std::uint64_t seed, std::size_t count = 1'000'000) {
  auto bits = RandomBits::seeded(seed);
  std::vector<double> values(count);
  noise.fill(values, bits);
  return values;
}

// density against the slope of cdf, and variance against the integral of x^2 density.
template <class Noise>
void expect_density(const Noise& noise) {
  const double deviation = std::sqrt(noise.variance()), step = deviation / 997;
  double mass = 0, second = 0;
  for (int i = -60'000; i < 60'000; ++i) {
    const double x = (i + 0.5) * step, mid = noise.cdf(x + step / 2) - noise.cdf(x - step / 2);
    mass += mid;
    second += mid * (x * x + step * step / 12);
  }
  EXPECT_NEAR(mass, 1, 1e-9);
  EXPECT_NEAR(second, noise.variance(), 1e-5 * noise.variance());
  for (const double x : {-3.3, -1.01, -0.27, 0.13, 0.55, 2.2, 5.1}) {
    const double h = 1e-5 * deviation, at = x * deviation;
    EXPECT_NEAR((noise.cdf(at + h) - noise.cdf(at - h)) / (2 * h), noise.density(at), 1e-4 / deviation);
  }
  EXPECT_NEAR(noise.cdf(0), 0.5, 1e-15);
}

TEST(Continuous, MomentsAndDensitiesAgree) {
  expect_density(Laplace::with_scale(2.5));
  expect_density(Gaussian::with_sigma(0.3));
  expect_density(Staircase::optimal(1, 2));
  expect_density(Staircase::optimal(4, 1));
  expect_density(Staircase::with_gamma(0.5, 3, 1));
}

TEST(Laplace, Fill) {
  const auto noise = Laplace::with_scale(3);
  const auto values = draw_doubles(noise, 1);
  testing::expect_mean(values, 0, 18);
  testing::expect_second_moment(values, 18, 24 * 81);
  testing::expect_distribution(values, [&](double x) { return noise.cdf(x); });
}

TEST(Gaussian, Fill) {
  const auto noise = Gaussian::with_sigma(2);
  const auto values = draw_doubles(noise, 2, 2'000'000);
  testing::expect_mean(values, 0, 4);
  testing::expect_second_moment(values, 4, 3 * 16);
  testing::expect_distribution(values, [&](double x) { return noise.cdf(x); });
  for (const double bound : {6.0, 8.0, 9.0}) {  // tails on both sides
    const double expected = 2e6 * noise.cdf(-bound), deviation = 6 * std::sqrt(expected);
    EXPECT_NEAR(std::count_if(values.begin(), values.end(), [&](double x) { return x < -bound; }), expected,
                deviation);
    EXPECT_NEAR(std::count_if(values.begin(), values.end(), [&](double x) { return x > bound; }), expected,
                deviation);
  }
}

// The two numbers that share a radius, and neighbours, are uncorrelated; so are their squares.
TEST(Gaussian, FillIsUncorrelated) {
  const auto values = draw_doubles(Gaussian::with_sigma(1), 3);
  for (const std::size_t distance : {1, 2, 510, 1020}) {
    std::vector<double> products, square_products;
    for (std::size_t i = 0; i + distance < values.size(); ++i) {
      const double x = values[i], y = values[i + distance];
      products.push_back(x * y);
      square_products.push_back((x * x - 1) * (y * y - 1));
    }
    testing::expect_mean(products, 0, 1);
    testing::expect_mean(square_products, 0, 4);
  }
}

TEST(Continuous, FillDoesNotDependOnThreads) {
  const int before = threads();
  std::vector<std::vector<double>> results;
  for (const int count : {1, 2, 3}) {
    set_threads(count);
    results.push_back(draw_doubles(Gaussian::with_sigma(1), 6, 300'001));
  }
  set_threads(before);
  EXPECT_EQ(results[0], results[1]);
  EXPECT_EQ(results[0], results[2]);
  EXPECT_EQ(draw_doubles(Gaussian::with_sigma(1), 6, 10),
            std::vector<double>(results[0].begin(), results[0].begin() + 10));
}

TEST(Staircase, Oracles) {
  struct Oracle {
    double epsilon, gamma, variance;
  };
  for (const auto& [epsilon, gamma, variance] : {Oracle{1, .4167374, 1.9181035},
                                                 {3, .2599065, .1526736},
                                                 {5, .1444822, .0297110},
                                                 {10, .0282708, .00084721}}) {
    const auto noise = Staircase::optimal(epsilon, 1);
    EXPECT_NEAR(noise.gamma(), gamma, 6e-8);
    EXPECT_NEAR(noise.variance(), variance, 6e-8);
    EXPECT_LT(noise.variance(), Laplace::with_scale(1 / epsilon).variance());
    EXPECT_NEAR(Staircase::optimal(epsilon, 3).variance(), 9 * noise.variance(), 1e-12);
    // The closed form for the optimal gamma.
    const double b = std::exp(-epsilon);
    EXPECT_NEAR(noise.variance(), (std::cbrt(b * b * (1 + b) * (1 + b) / 4) + b) / ((1 - b) * (1 - b)),
                1e-12);
    for (const double other : {0.9 * gamma, 1.1 * gamma})
      EXPECT_GT(Staircase::with_gamma(epsilon, 1, other).variance(), noise.variance());
  }
  EXPECT_NEAR(Staircase::optimal(1e-9, 1).gamma(), 0.5, 1e-8);
  EXPECT_NEAR(Staircase::optimal(1e-6, 1).variance() / 2e12, 1, 1e-6);  // Laplace in the limit
}

TEST(GammaNorm, Moments) {
  const auto noise = GammaNorm::with_scale(5, 0.5);
  EXPECT_DOUBLE_EQ(noise.mean_norm(), 2.5);
  EXPECT_DOUBLE_EQ(noise.variance_norm(), 1.25);
  EXPECT_DOUBLE_EQ(noise.mean_squared_norm(), 7.5);
  EXPECT_DOUBLE_EQ(noise.coordinate_variance(), 1.5);
  auto bits = RandomBits::seeded(7);
  std::vector<double> norms, firsts, last_squares;
  for (int i = 0; i < 5'000; ++i) {
    std::vector<double> x(5);
    noise.fill(x, bits);
    double square = 0;
    for (const double coordinate : x) square += coordinate * coordinate;
    norms.push_back(std::sqrt(square));
    firsts.push_back(x[0]);
    last_squares.push_back(x[4] * x[4]);
  }
  testing::expect_mean(norms, 2.5, 1.25);
  testing::expect_mean(firsts, 0, 1.5);
  // E x^4 = E r^4 * 3/(d(d+2)), and E r^4 = scale^4 d(d+1)(d+2)(d+3).
  testing::expect_mean(last_squares, 1.5, 3 * 0.0625 * 6 * 8 - 1.5 * 1.5);
  // Gamma(5) norms: P(r <= x) = 1 - e^-x sum_{i<5} x^i/i!.
  testing::expect_distribution(norms, [](double r) {
    const double x = r / 0.5;
    return 1 - std::exp(-x) * (1 + x * (1 + x / 2 * (1 + x / 3 * (1 + x / 4))));
  });
}

TEST(GammaNorm, InOneDimensionIsLaplace) {
  const auto noise = GammaNorm::with_scale(1, 2);
  const auto laplace = Laplace::with_scale(2);
  EXPECT_DOUBLE_EQ(noise.coordinate_variance(), laplace.variance());
  for (const double x : {-3.0, 0.0, 0.4})
    EXPECT_NEAR(std::exp(noise.log_density(std::vector<double>{x})), laplace.density(x), 1e-15);
  auto bits = RandomBits::seeded(8);
  std::vector<double> values(5'000);
  for (double& value : values) noise.fill({&value, 1}, bits);
  testing::expect_distribution(values, [&](double x) { return laplace.cdf(x); });
}

// d = 2: the integral of the density over a fine square lattice.
TEST(GammaNorm, DensityIntegratesToOne) {
  const auto noise = GammaNorm::with_scale(2, 1);
  double sum = 0;
  const double step = 0.1;
  for (int i = -250; i < 250; ++i)
    for (int j = -250; j < 250; ++j)
      sum +=
          std::exp(noise.log_density(std::vector<double>{(i + 0.5) * step, (j + 0.5) * step})) * step * step;
  EXPECT_NEAR(sum, 1, 1e-3);
}

TEST(Continuous, RefusesBadParameters) {
  const auto refuses = [](auto make, const char* message) {
    EXPECT_THAT(make, ThrowsMessage<UsageError>(HasSubstr(message)));
  };
  refuses([] { Laplace::with_scale(0); }, "Laplace noise: scale 0 must be positive and finite");
  refuses([] { Gaussian::with_sigma(NAN); }, "Gaussian noise: sigma nan must be positive and finite");
  refuses([] { Gaussian::with_sigma(HUGE_VAL); }, "Gaussian noise: sigma inf must be positive and finite");
  refuses([] { Staircase::optimal(-1, 1); }, "staircase noise: epsilon -1 must be positive and finite");
  refuses([] { Staircase::optimal(1, 0); }, "staircase noise: sensitivity 0 must be positive and finite");
  refuses([] { Staircase::optimal(1000, 1); },
          "staircase noise: epsilon 1000 is so large that no noise is left");
  refuses([] { Staircase::with_gamma(1, 1, 1.5); }, "staircase noise: gamma 1.5 must be between 0 and 1");
  refuses([] { GammaNorm::with_scale(0, 1); }, "gamma-norm noise: dimension 0 must be between 1 and");
  refuses([] { GammaNorm::with_scale(3, -1); }, "gamma-norm noise: scale -1 must be positive and finite");
  auto bits = RandomBits::seeded(9);
  std::vector<double> four(4);
  refuses([&] { GammaNorm::with_scale(3, 1).fill(four, bits); },
          "gamma-norm noise: 4 coordinates, but the dimension is 3");
}

}  // namespace
}  // namespace tulle
