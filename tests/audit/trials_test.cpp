#include "trials.hpp"

#include <tulle/base/error.hpp>
#include <tulle/base/threads.hpp>

#include <gtest/gtest.h>

#include <atomic>
#include <cmath>

namespace tulle::attacks {
namespace {

TEST(View, FillsShortTrialsWithZerosAndCutsLongOnes) {
  const View view({{1, 2, 3}, {4}, {NAN, INFINITY}});
  EXPECT_EQ(view.columns(), 3u);
  EXPECT_EQ(view.row(0)[2], 3);
  EXPECT_EQ(view.row(1)[1], 0);
  EXPECT_EQ(view.row(2)[0], 0);  // not finite
  EXPECT_EQ(View({std::vector<double>(1000, 1)}).columns(), 256u);
}

TEST(RunWithBits, RunsEachOnceWithStreamsThatFollowFromTheSeed) {
  const auto draw = [](int threads_used) {
    const int before = threads();
    set_threads(threads_used);
    std::vector<std::uint64_t> words(100);
    run_with_bits(words.size(), 5, [&](std::size_t i, RandomBits& bits) { words[i] += bits.word(); });
    set_threads(before);
    return words;
  };
  EXPECT_EQ(draw(1), draw(3));
}

TEST(RunWithBits, AFailureIsThrownWhenAllAreDone) {
  std::atomic<int> runs = 0;
  EXPECT_THROW(run_with_bits(64, 1,
                             [&](std::size_t i, RandomBits&) {
                               ++runs;
                               if (i == 3) fail("broken");
                             }),
               Error);
  EXPECT_GE(runs, 64 - 12);  // the rest of the block of 16 in which it failed is left out
}

// Fair coins choose the data set: within 5 standard deviations of a half (false alarms 6e-7).
TEST(RunTrials, ChoosesByFairCoins) {
  const Subject subject{.canary = "made up",
                        .account = [] { return Guarantee(); },
                        .run =
                            [](double secret, RandomBits&) {
                              return Observation{
                                  .output = {secret}, .releases = {1 - secret}, .log_ratio = secret};
                            }};
  const Trials trials = run_trials(subject, 10'000, 3);
  double seconds = 0;
  for (std::size_t i = 0; i < trials.size(); ++i) {
    seconds += trials.bits[i];
    EXPECT_EQ(trials.output.row(i)[0], trials.bits[i]);
    EXPECT_EQ(trials.releases.row(i)[0], 1 - trials.bits[i]);
    EXPECT_EQ(trials.log_ratios[i], trials.bits[i]);
  }
  EXPECT_NEAR(seconds, 5000, 5 * 50);
}

TEST(RunTrials, LogRatiosMustBeKnownInEveryTrial) {
  const Subject subject{.canary = "made up",
                        .account = [] { return Guarantee(); },
                        .run =
                            [](double secret, RandomBits&) {
                              Observation seen{.output = {secret}};
                              if (secret == 0) seen.log_ratio = 1;
                              return seen;
                            }};
  EXPECT_TRUE(run_trials(subject, 100, 1).log_ratios.empty());
}

}  // namespace
}  // namespace tulle::attacks
