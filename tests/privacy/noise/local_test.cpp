#include "privacy/noise/statistics.hpp"

#include <tulle/base/error.hpp>
#include <tulle/privacy/noise/local.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace tulle {
namespace {

using ::testing::HasSubstr;
using ::testing::ThrowsMessage;

TEST(RandomisedResponse, HasItsProbabilities) {
  std::uint64_t seed = 1;
  for (const double epsilon : {0.2, 1.0, 3.0})
    for (const std::uint32_t choices : {2u, 3u, 10u}) {
      const auto response = RandomisedResponse::with_epsilon(epsilon, choices);
      EXPECT_NEAR(response.truth_probability(), std::exp(epsilon) / (std::exp(epsilon) + choices - 1), 1e-11);
      EXPECT_NEAR(response.truth_probability() + (choices - 1) * response.other_probability(), 1, 1e-15);
      auto bits = RandomBits::seeded(++seed);
      const std::uint32_t truth = choices / 2;
      std::vector<std::int64_t> answers(100'000);
      for (auto& answer : answers) answer = response.sample(truth, bits);
      testing::expect_frequencies(answers, [&](std::int64_t k) {
        if (k < 0 || k >= choices) return 0.0;
        return k == truth ? response.truth_probability() : response.other_probability();
      });
    }
}

TEST(RandomisedResponse, SharesAreUnbiased) {
  const auto response = RandomisedResponse::with_epsilon(1, 4);
  auto bits = RandomBits::seeded(20);
  const int people = 200'000;
  double answers = 0;
  for (int i = 0; i < people; ++i) answers += response.sample(i % 10 < 3 ? 2 : 0, bits) == 2 ? 1 : 0;
  EXPECT_NEAR(response.unbiased(answers / people), 0.3, 6 * std::sqrt(response.variance(0.3, people)));
  EXPECT_NEAR(response.unbiased(response.truth_probability()), 1, 1e-12);
  EXPECT_NEAR(response.unbiased(response.other_probability()), 0, 1e-12);
}

TEST(Duchi, Oracle) {
  EXPECT_NEAR(Duchi::with_epsilon(1).bound(), 2.1639534, 5e-8);
}

// P(+) = (x (e^epsilon - 1) + e^epsilon + 1) / (2 e^epsilon + 2).
TEST(Duchi, HasItsProbabilities) {
  std::uint64_t seed = 30;
  for (const double epsilon : {0.5, 1.0, 4.0})
    for (const double x : {-1.0, -0.3, 0.0, 0.77, 1.0}) {
      const auto duchi = Duchi::with_epsilon(epsilon);
      auto bits = RandomBits::seeded(++seed);
      std::vector<double> values(100'000);
      for (double& value : values) {
        value = duchi.sample(x, bits);
        ASSERT_EQ(std::fabs(value), duchi.bound());
      }
      testing::expect_mean(values, x, duchi.variance(x));
      const double e = std::exp(epsilon), plus = (x * (e - 1) + e + 1) / (2 * e + 2);
      const auto count =
          static_cast<double>(std::count_if(values.begin(), values.end(), [](double v) { return v > 0; }));
      EXPECT_NEAR(count / 1e5, plus, 6 * std::sqrt(plus * (1 - plus) / 1e5));
    }
}

TEST(Piecewise, Oracles) {
  const auto piecewise = Piecewise::with_epsilon(1);
  EXPECT_NEAR(piecewise.variance(0), 3.682103, 5e-7);
  EXPECT_NEAR(piecewise.variance(1), 5.223597, 5e-7);
  const double half = std::exp(0.5);
  EXPECT_NEAR(piecewise.bound(), (half + 1) / (half - 1), 1e-8);
}

// Against the density of Wang et al.: p on [l, l + C - 1], l = (C+1)/2 x - (C-1)/2, and p e^-epsilon
// elsewhere.
TEST(Piecewise, FollowsTheDensity) {
  std::uint64_t seed = 50;
  for (const double epsilon : {0.5, 1.0, 3.0, 8.0})
    for (const double x : {-1.0, 0.0, 0.4, 1.0}) {
      const auto piecewise = Piecewise::with_epsilon(epsilon);
      auto bits = RandomBits::seeded(++seed);
      std::vector<double> values(50'000);
      for (double& value : values) value = piecewise.sample(x, bits);
      const double h = std::exp(epsilon / 2), c = (h + 1) / (h - 1), left = (c + 1) / 2 * x - (c - 1) / 2;
      const double inside = h * (h - 1) / (2 * h + 2);
      testing::expect_distribution(values, [&](double v) {
        const double within = std::clamp(v - left, 0.0, c - 1);
        return inside * (within + std::exp(-epsilon) * (v + c - within));
      });
      testing::expect_mean(values, x, piecewise.variance(x));
    }
}

// Unbiased on its range, with the variance that it says; false alarms below 1e-6 (6 standard errors).
TEST(BoundedResponse, IsUnbiasedOnAnyRange) {
  std::uint64_t seed = 90;
  for (const auto& response : {BoundedResponse::duchi(1, 1, 5), BoundedResponse::piecewise(1, 1, 5),
                               BoundedResponse::piecewise(4, 1, 5)})
    for (const double value : {1.0, 2.5, 5.0}) {
      std::vector<double> answers(100'000, value);
      auto bits = RandomBits::seeded(++seed);
      release(answers, response, bits);
      double sum = 0, squares = 0;
      for (double answer : answers) {
        sum += answer - value;
        squares += (answer - value) * (answer - value);
      }
      const double count = static_cast<double>(answers.size()), variance = response.variance(value);
      EXPECT_NEAR(sum / count, 0, 6 * std::sqrt(variance / count));
      EXPECT_NEAR(squares / count / variance, 1, 0.03);
      EXPECT_LE(variance, response.worst_variance());
    }
  const auto response = BoundedResponse::piecewise(2, -1, 1);
  EXPECT_DOUBLE_EQ(response.average_variance(), Piecewise::with_epsilon(2).variance(std::sqrt(1.0 / 3)));
}

TEST(Local, RefusesBadParameters) {
  const auto refuses = [](auto make, const char* message) {
    EXPECT_THAT(make, ThrowsMessage<UsageError>(HasSubstr(message)));
  };
  auto bits = RandomBits::seeded(1);
  refuses([] { RandomisedResponse::with_epsilon(0); },
          "randomised response: epsilon 0 must be positive and finite");
  refuses([] { RandomisedResponse::with_epsilon(1, 1); },
          "randomised response: choices 1 must be between 2 and");
  refuses([&] { RandomisedResponse::with_epsilon(1, 3).sample(3, bits); },
          "randomised response: truth 3 must be between 0 and 2");
  refuses([] { Duchi::with_epsilon(-1); }, "Duchi's mechanism: epsilon -1 must be positive and finite");
  refuses([&] { Duchi::with_epsilon(1).sample(1.01, bits); },
          "Duchi's mechanism: x 1.01 must be between -1 and 1");
  refuses([] { Piecewise::with_epsilon(21); }, "piecewise mechanism: epsilon 21 must be between");
  refuses([&] { Piecewise::with_epsilon(1).sample(NAN, bits); },
          "piecewise mechanism: x nan must be between -1 and 1");
}

}  // namespace
}  // namespace tulle
