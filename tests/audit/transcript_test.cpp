#include "transcript.hpp"

#include <tulle/base/random.hpp>

#include <gtest/gtest.h>

#include <cmath>

namespace tulle::attacks {
namespace {

constexpr Unit kUnit = Unit::user;
constexpr Relation kRelation = Relation::add_remove;

AdditiveNoise gaussian(double sigma = 2) {
  return AdditiveNoise::gaussian(Sensitivity::l2(1, kUnit, kRelation), sigma, 1);
}

TEST(Transcript, ListsReleasesAndTheFirstUnitsOfBatches) {
  const Transcript transcript{{{1, 2}, {3}}, {{0, 2, 9}}};
  EXPECT_EQ(transcript.numbers(), (std::vector<double>{1, 2, 3, 1, 0, 1, 0}));
}

TEST(Recorder, LeavesTheWatchedUnitOutOfBatches) {
  Recorder recorder(2);
  std::vector<std::uint64_t> units = {0, 2, 5};
  recorder.sampled(units);
  EXPECT_EQ(units.size(), 3u);
  EXPECT_EQ(recorder.transcript().batches.at(0), (std::vector<std::uint64_t>{0, 5}));
}

// ln of a normal density up to a constant: -(x - a)^2 / (2 sigma^2); with the unit at rate q, the mixture.
TEST(Recorder, AddsUpLogLikelihoods) {
  std::vector<double> values = {3};
  Recorder plain(std::nullopt), mixed(2);
  plain.released(gaussian(), {{{1.0}}, 1}, values);
  mixed.released(gaussian(), {{{1.0}, {2.0}}, 0.25}, values);
  const double density = mixed.log_likelihood() - plain.log_likelihood();
  const auto at = [](double centre) { return std::exp(-(3 - centre) * (3 - centre) / 8); };
  EXPECT_NEAR(density, std::log((0.75 * at(1) + 0.25 * at(2)) / at(1)), 1e-5);
  EXPECT_EQ(plain.transcript().releases, (std::vector<std::vector<double>>{{3}}));
}

// Answers with what was recorded, and ends after the last release.
TEST(Player, AnswersAsRecordedAndWeighsItsOwnAnswers) {
  Recorder recorder(std::nullopt);
  std::vector<double> values = {3};
  recorder.released(gaussian(), {{{1.0}}, 1}, values);
  Player player(recorder.transcript(), std::nullopt);
  std::vector<double> asked = {2};
  EXPECT_TRUE(player.answers());
  EXPECT_THROW(player.released(gaussian(), {{{2.0}}, 1}, asked), Player::Over);
  EXPECT_EQ(asked, values);
  // (3 - 1)^2 / 8 against (3 - 2)^2 / 8.
  EXPECT_NEAR(player.log_likelihood() - recorder.log_likelihood(), 4 / 8.0 - 1 / 8.0, 1e-5);
}

TEST(Player, ARunThatDoesSomethingElseIsImpossible) {
  const Transcript transcript{{{1}, {2}}, {{0}}};
  Player longer(transcript, std::nullopt);
  std::vector<double> two = {0, 0};
  EXPECT_THROW(longer.released(gaussian(), {{{0.0, 0.0}}, 1}, two), Player::Over);
  EXPECT_EQ(longer.log_likelihood(), -INFINITY);
  Player shorter(transcript, std::nullopt);
  std::vector<double> one = {0};
  shorter.released(gaussian(), {{{0.0}}, 1}, one);
  EXPECT_EQ(shorter.log_likelihood(), -INFINITY);  // the second release did not come
  Player sampler(transcript, std::nullopt);
  std::vector<std::uint64_t> units = {7};
  sampler.sampled(units);
  EXPECT_EQ(units, (std::vector<std::uint64_t>{0}));
  EXPECT_THROW(sampler.sampled(units), Player::Over);
}

// Two runs that release secret + noise: the log ratio of N(1, 2) to N(0, 2) at x is (2 x - 1) / 8.
TEST(Observe, GivesTheLogLikelihoodRatioOfTheTwoDataSets) {
  RandomBits bits = RandomBits::seeded(1);
  for (const double secret : {0.0, 1.0}) {
    Observation seen;
    const auto run = [](double value, Curator& curator) {
      return curator
          .release(Protected<double>(value), gaussian(), "a number",
                   [](double exact) { return std::vector{exact}; })
          .values[0];
    };
    const auto open = [](RandomBits stream) {
      return Curator::with_budget({10, 1e-6}, kUnit, kRelation, std::move(stream));
    };
    const double released = observe(run, open, secret, bits, {}, {}, seen);
    EXPECT_EQ(seen.releases, (std::vector<double>{released}));
    ASSERT_TRUE(seen.log_ratio);
    EXPECT_NEAR(*seen.log_ratio, (2 * released - 1) / 8, 1e-5);
  }
}

// A batch that stays with the data: all units join, and the second data set has one more. The log ratio of
// N(2, 2) to N(1, 2) at x is (2 x - 3) / 8, whichever of the two was run.
TEST(Observe, TheWatchedUnitIsInBatchesThatStayWithTheData) {
  const auto run = [](double secret, Curator& curator) {
    const auto joined = curator.map(
        Protected<double>(secret), curator.sample(PoissonSampler(1), secret >= 0.5 ? 2 : 1),
        [](double, const std::vector<std::uint64_t>& units) { return static_cast<double>(units.size()); });
    return curator.release(joined, gaussian(), "a number", [](double exact) { return std::vector{exact}; })
        .values[0];
  };
  const auto open = [](RandomBits stream) {
    return Curator::with_budget({10, 1e-6}, kUnit, kRelation, std::move(stream));
  };
  RandomBits bits = RandomBits::seeded(1);
  for (const double secret : {0.0, 1.0}) {
    Observation seen;
    const double released = observe(run, open, secret, bits, 1, 1, seen);
    EXPECT_NEAR(*seen.log_ratio, (2 * released - 3) / 8, 1e-5) << secret;
  }
}

// Numbers that stay with the data, a hundred times the noise, hide which of 0 and 10 was released: an
// attacker who knew them would be right in 99 of 100 runs, one who guesses at them in 52. Of 400 runs three
// quarters have a probability below 1e-15 then.
TEST(Observe, TheAttackerDoesNotKnowRandomNumbersThatStayWithTheData) {
  const auto run = [](double secret, Curator& curator) {
    const auto hidden = curator.map_with_seed(
        Protected<double>(secret),
        [](double value, std::uint64_t seed) { return 10 * value + 100 * Random(seed).normal(); });
    return curator.release(hidden, gaussian(), "a number", [](double exact) { return std::vector{exact}; })
        .values[0];
  };
  const auto open = [](RandomBits stream) {
    return Curator::with_budget({10, 1e-6}, kUnit, kRelation, std::move(stream));
  };
  RandomBits bits = RandomBits::seeded(1);
  int right = 0;
  for (int trial = 0; trial < 400; ++trial) {
    const double secret = trial % 2;
    Observation seen;
    observe(run, open, secret, bits, {}, {}, seen);
    right += (*seen.log_ratio > 0) == (secret > 0) ? 1 : 0;
  }
  EXPECT_LT(right, 300);
}

}  // namespace
}  // namespace tulle::attacks
