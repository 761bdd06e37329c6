#include <tulle/audit/bounds.hpp>
#include <tulle/base/error.hpp>
#include <tulle/base/random.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <utility>

namespace tulle {
namespace {

// scipy.stats.beta.ppf(alpha, k, n - k + 1)
TEST(Proportion, LowerBoundsAreThoseOfClopperAndPearson) {
  EXPECT_NEAR(proportion_lower(5, 10, 0.05), 0.22244110100812578, 1e-12);
  EXPECT_NEAR(proportion_lower(10, 10, 0.001), std::pow(0.001, 0.1), 1e-12);
  EXPECT_NEAR(proportion_lower(700'000, 1'000'000, 0.001), 0.6985820404384606, 1e-9);
  EXPECT_EQ(proportion_lower(0, 10, 0.05), 0);
  EXPECT_NEAR(proportion_upper(0, 10, 0.05), 1 - std::pow(0.05, 0.1), 1e-12);
  EXPECT_EQ(proportion_upper(10, 10, 0.05), 1);
}

// By definition the tail at the lower bound is alpha, and never above it: P(Binomial(n, p) >= k), summed in
// logarithms from the largest term.
TEST(Proportion, TheTailAtTheLowerBoundIsAlpha) {
  for (const auto& [successes, trials] : {std::pair{3, 50}, {60, 200}, {1900, 2000}, {5000, 10'000}})
    for (const double alpha : {1e-9, 1e-3, 0.3}) {
      const double p =
          proportion_lower(static_cast<std::uint64_t>(successes), static_cast<std::uint64_t>(trials), alpha);
      double tail = 0;
      for (int k = trials; k >= successes; --k)
        tail += std::exp(std::lgamma(trials + 1) - std::lgamma(k + 1) - std::lgamma(trials - k + 1) +
                         k * std::log(p) + (trials - k) * std::log1p(-p));
      EXPECT_NEAR(tail, alpha, 1e-9 * alpha) << successes << " of " << trials;
    }
}

// n guesses, all right: p >= alpha^(1/n).
TEST(EpsilonFromGuesses, IsTheLogOddsOfBeingRight) {
  const double p = std::pow(0.001, 1e-3);
  EXPECT_NEAR(epsilon_from_guesses({1000, 1000, 1000}, 0, 0.001), std::log(p / (1 - p)), 1e-9);
  EXPECT_EQ(epsilon_from_guesses({1000, 1000, 500}, 0, 0.001), 0);
  EXPECT_EQ(epsilon_from_guesses({1000, 0, 0}, 0, 0.001), 0);
}

TEST(EpsilonFromGuesses, ForgivesWhatDeltaExplains) {
  const Guesses few{100'000, 10, 10};
  EXPECT_GT(epsilon_from_guesses(few, 0, 0.5), 2);
  EXPECT_EQ(epsilon_from_guesses(few, 1e-4, 0.5), 0);
}

TEST(EpsilonFromRates, TakesTheBetterOfBothDirections) {
  const Rates one_way{10'000, 0, 10'000, 100}, other_way{10'000, 9'900, 10'000, 10'000};
  EXPECT_NEAR(epsilon_from_rates(one_way, 0, 0.01), epsilon_from_rates(other_way, 0, 0.01), 1e-9);
  EXPECT_GT(epsilon_from_rates(one_way, 0, 0.01), 2);
  EXPECT_LT(epsilon_from_rates(one_way, 0.005, 0.01), epsilon_from_rates(one_way, 0, 0.01));
  EXPECT_EQ(epsilon_from_rates(one_way, 0.02, 0.01), 0);
}

// Phi(1/2) = 0.6914625: mu = 1, whose epsilon at 1e-5 is 4.377178.
TEST(EpsilonFromGaussianFit, ComesNearTheTruthFromBelow) {
  const Guesses guesses{100'000'000, 100'000'000, 69'146'250};
  const double epsilon = epsilon_from_gaussian_fit(guesses, 1e-5, 0.001);
  EXPECT_LT(epsilon, 4.377178);
  EXPECT_GT(epsilon, 4.37);
  EXPECT_THROW(epsilon_from_gaussian_fit({100, 50, 50}, 1e-5, 0.001), Error);
}

// p-values of the authors' own code (Steinke, Nasr and Jagielski 2023, appendix D).
TEST(EpsilonFromOneRun, AgreesWithGuessesWithoutDelta) {
  const Guesses guesses{1000, 100, 90};
  EXPECT_NEAR(epsilon_from_one_run(guesses, 0, 0.01), epsilon_from_guesses(guesses, 0, 0.01), 1e-9);
  EXPECT_NEAR(epsilon_from_one_run(guesses, 0, 0.01), 1.4413893924445633, 1e-9);
  EXPECT_NEAR(epsilon_from_one_run(guesses, 1e-5, 0.01), 1.4273118535016127, 1e-9);
}

// Randomised response at epsilon 1 is as bad as allowed: the bound may exceed the truth once in 1 / alpha.
TEST(EpsilonFromGuesses, IsAboveTheTruthNoMoreOftenThanStated) {
  constexpr double kAlpha = 0.05;
  const double truth = 1, p = 1 / (1 + std::exp(-truth));
  Random random(1);
  int above = 0;
  for (int audit = 0; audit < 2000; ++audit) {
    Guesses guesses{200, 200, 0};
    for (int guess = 0; guess < 200; ++guess) guesses.right += random.chance(p) ? 1 : 0;
    above += epsilon_from_guesses(guesses, 0, kAlpha) > truth ? 1 : 0;
  }
  // 100 expected at most, deviation 9.7: 150 has a probability below 1e-6.
  EXPECT_LE(above, 150);
  EXPECT_GE(above, 30);
}

}  // namespace
}  // namespace tulle
