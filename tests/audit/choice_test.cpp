#include "choice.hpp"

#include <tulle/base/random.hpp>

#include <gtest/gtest.h>

#include <cmath>

namespace tulle::attacks {
namespace {

struct Scores {
  std::vector<float> scores;
  std::vector<std::uint8_t> bits;
};

template <class Draw>
Scores drawn(std::size_t count, const Draw& draw) {
  Random random(1);
  Scores result;
  for (std::size_t i = 0; i < count; ++i) {
    result.bits.push_back(random.chance(0.5) ? 1 : 0);
    result.scores.push_back(static_cast<float>(draw(result.bits.back(), random)));
  }
  return result;
}

TEST(Rule, GuessesOutsideItsThresholds) {
  const Rule rule{Rule::Bound::guesses, -1, 1};
  const std::vector<float> scores = {-2, -1, 0, 1, 2};
  const std::vector<std::uint8_t> bits = {0, 1, 1, 1, 0};
  const Guesses guesses = rule.guess(scores, bits);
  EXPECT_EQ(guesses.trials, 5u);
  EXPECT_EQ(guesses.made, 4u);
  EXPECT_EQ(guesses.right, 2u);
}

// Each bound is that of bounds.hpp on what the rule counts.
TEST(Rule, BoundsEpsilonByItsBound) {
  const Scores from = drawn(1000, [](int bit, Random& random) { return bit + 0.5 * random.normal(); });
  const Claim claim{1e-5, true};
  const Guesses all = Rule{Rule::Bound::guesses, 0.5, 0.5}.guess(from.scores, from.bits);
  EXPECT_EQ((Rule{Rule::Bound::guesses, 0.5, 0.5}.epsilon(from.scores, from.bits, claim, 0.01)),
            epsilon_from_guesses(all, 1e-5, 0.01));
  EXPECT_EQ((Rule{Rule::Bound::gaussian_fit, 0.5, 0.5}.epsilon(from.scores, from.bits, claim, 0.01)),
            epsilon_from_gaussian_fit(all, 1e-5, 0.01));
  Rates rates;
  for (std::size_t i = 0; i < from.bits.size(); ++i) {
    const bool second = from.scores[i] >= 0.5f;
    ++(from.bits[i] == 1 ? rates.positives : rates.negatives);
    if (second) ++(from.bits[i] == 1 ? rates.true_positives : rates.false_positives);
  }
  EXPECT_EQ((Rule{Rule::Bound::rates, 0.5, 0.5}.epsilon(from.scores, from.bits, claim, 0.01)),
            epsilon_from_rates(rates, 1e-5, 0.01));
}

// Half of the scores are noise around 0, the others say the bit: the rule abstains on the noise.
TEST(ChooseRule, AbstainsWhereScoresSayNothing) {
  const Scores from = drawn(4000, [](int bit, Random& random) {
    return random.chance(0.5) ? 0.1 * random.normal() : (bit == 1 ? 5 : -5);
  });
  const Choice choice = choose_rule(from.scores, from.bits, {}, 0.001, 4000);
  EXPECT_GT(choice.expected, 3);
  const Guesses guesses = choice.rule.guess(from.scores, from.bits);
  EXPECT_LT(guesses.made, 2200u);
  EXPECT_EQ(guesses.right, guesses.made);
}

// The fit of a normal is offered only where the claim is Gaussian, and has the largest expected bound there.
TEST(ChooseRule, UsesTheGaussianFitWhereItApplies) {
  const Scores from = drawn(20'000, [](int bit, Random& random) { return bit + 2 * random.normal(); });
  EXPECT_EQ(choose_rule(from.scores, from.bits, {1e-5, true}, 0.001, 20'000).rule.bound,
            Rule::Bound::gaussian_fit);
  EXPECT_NE(choose_rule(from.scores, from.bits, {1e-5, false}, 0.001, 20'000).rule.bound,
            Rule::Bound::gaussian_fit);
}

TEST(ChooseRule, PromisesNothingOfNoise) {
  const Scores from = drawn(4000, [](int, Random& random) { return random.normal(); });
  EXPECT_LT(choose_rule(from.scores, from.bits, {}, 0.001, 4000).expected, 0.1);
  EXPECT_EQ(name(Rule::Bound::rates), "error rates");
}

}  // namespace
}  // namespace tulle::attacks
