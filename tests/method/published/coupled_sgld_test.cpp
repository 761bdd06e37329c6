#include "method/private_run.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace tulle {
namespace {

using ::testing::Contains;
using ::testing::HasSubstr;
using testing::PrivateRun;

PrivateRun published(SgldRule rule) {
  PrivateRun run{"dp-sgld"};
  run.terms.unit = Unit::user;
  run.terms.scope.mode = "1";
  run.terms.calibration = Calibration::published;
  run.settings.set(setting::sgld_rule, rule).set(setting::steps, 6).set(setting::sampling_rate, 0.5);
  return run;
}

SparseTensor ratings(Index users, const Shape& shape) {
  std::vector<std::uint64_t> sizes = {users};
  for (int mode = 1; mode < shape.order(); ++mode) sizes.push_back(shape[mode]);
  return observe(generate_cp(Shape(sizes), 1, 3).noisy, 0.5, 4);
}

// Every rule of the thesis runs, on a matrix (DP-CMF) and on a tensor (DP-CTF), and is labelled as claimed.
TEST(CoupledSgld, EveryRuleRuns) {
  for (const SgldRule rule : {SgldRule::li_decreasing, SgldRule::li_fixed, SgldRule::wang_noise,
                              SgldRule::wang_step, SgldRule::advanced, SgldRule::zcdp})
    for (const Shape& shape : {Shape{1, 6}, Shape{1, 5, 4}}) {
      const Completion completion = published(rule)(ratings(20, shape));
      const Guarantee& guarantee = completion.guarantee;
      EXPECT_EQ(guarantee.status, Guarantee::Status::claimed) << name(rule);
      EXPECT_THAT(guarantee.remark, HasSubstr("carry a cell into"));
      const auto shared = static_cast<std::size_t>(shape.order() - 1);
      EXPECT_EQ(guarantee.releases.size(), 1 + 6 * shared) << "cells, and a step per shared factor";
      EXPECT_EQ(testing::cp(completion).factors[0].rows(), 1);
      EXPECT_EQ(std::get<Cp>(open_for_the_data_owner(*completion.with_user_rows)).factors[0].rows(), 20);
      EXPECT_TRUE(testing::cp(completion).factors[1].allFinite());
    }
}

Matrix user_rows(const Completion& completion) {
  return std::get<Cp>(open_for_the_data_owner(*completion.with_user_rows)).factors[0];
}

// User level: a step of users' rows is clipped to G, and has the noise of a shared factor's (4.13, 4.14).
// With a G of nothing they stay where they start. At site level they follow the data freely.
TEST(CoupledSgld, UserLevelClipsTheStepsOfUsersRowsAndAddsNoise) {
  const SparseTensor data = ratings(2000, Shape{1, 5, 4});
  PrivateRun run = published(SgldRule::advanced);
  run.terms.budget.epsilon = 0.1;
  run.settings.set(setting::protection, Protection::all).set(setting::steps, 1);
  PrivateRun still = run;
  still.settings.set(setting::clip, 1e-12);
  const Matrix start = user_rows(still(data));
  still.settings.set(setting::steps, 6);
  EXPECT_LT((user_rows(still(data)) - start).norm(), 1e-6);

  const Completion moved = run(data);
  const Matrix move = user_rows(moved) - start;
  const Record& step = moved.guarantee.releases.back();
  EXPECT_LT(step.sensitivity->value(), 0.1 * step.deviation) << "the step itself is far below the noise";
  // 2000 squares or more: off by a fifth with a probability below 1e-9.
  EXPECT_NEAR(move.squaredNorm() / static_cast<double>(move.size()) / (step.deviation * step.deviation), 1,
              0.2);

  still.settings.set(setting::protection, Protection::shared);
  EXPECT_GT((user_rows(still(data)) - start).norm(), 1);
}

// Users' rows after one step whose noise is far beyond where they start. The step itself has a length of G
// eta at most over all rows, and so has a thousandth of the squares or less. Poisson parameters are reflected
// at 0, which leaves squares as they are.
TEST(CoupledSgld, EveryRulePutsTheNoiseOfASharedFactorOnUsersRows) {
  for (const SgldRule rule : {SgldRule::li_decreasing, SgldRule::li_fixed, SgldRule::wang_noise,
                              SgldRule::wang_step, SgldRule::advanced, SgldRule::zcdp})
    for (const Shape& shape : {Shape{1, 6}, Shape{1, 5, 4}}) {
      PrivateRun run = published(rule);
      run.terms.budget.epsilon = 1e-3;
      run.settings.set(setting::protection, Protection::all).set(setting::steps, 1);
      run.settings.set(setting::clip, rule == SgldRule::wang_step ? 1e-6 : 1e4);  // eta falls as 1 / G^2
      const Completion moved = run(ratings(2000, shape));
      const Matrix rows = user_rows(moved);
      const double deviation = moved.guarantee.releases.back().deviation;
      EXPECT_GT(deviation, 5) << name(rule) << ": rows start at about 1";
      // 4000 squares: off by a fifth with a probability below 1e-15. Rows start with a variance below 1.
      EXPECT_NEAR(rows.squaredNorm() / static_cast<double>(rows.size()) / (deviation * deviation), 1, 0.2)
          << name(rule) << ", order " << shape.order();
    }
}

// The seed of the fit is in every report. Noise that follows from it can be subtracted by whoever reads one.
TEST(CoupledSgld, NoiseOfUsersRowsDoesNotFollowFromTheSeedOfTheFit) {
  PrivateRun run = published(SgldRule::advanced);
  run.terms.budget.epsilon = 0.1;
  run.terms.seed.reset();
  run.settings.set(setting::protection, Protection::all).set(setting::steps, 1);
  const SparseTensor data = ratings(2000, Shape{1, 5, 4});
  const Matrix one = user_rows(run(data)), other = user_rows(run(data));
  // Twice the squares of each where they are independent: 4000 of them, off by a fifth with a probability
  // below 1e-9.
  EXPECT_NEAR((one - other).squaredNorm() / (one.squaredNorm() + other.squaredNorm()), 1, 0.2);
}

TEST(CoupledSgld, SettingsOfTheSoundFormAreRefused) {
  PrivateRun run = published(SgldRule::zcdp);
  run.settings.set(setting::entries_per_user, 3);
  EXPECT_THAT(run.refusal(ratings(20, Shape{1, 6})), HasSubstr("entries-per-user is for the sound form"));
}

// What users' rows are protected by is not on the record, since they are no release.
TEST(CoupledSgld, TheLevelIsSaid) {
  PrivateRun run = published(SgldRule::zcdp);
  EXPECT_THAT(run(ratings(20, Shape{1, 6})).remarks, Contains(HasSubstr("site level")));
  run.settings.set(setting::protection, Protection::all);
  EXPECT_THAT(run(ratings(20, Shape{1, 6})).remarks, Contains(HasSubstr("user level")));
}

double noise_of_a_step(const PrivateRun& run, Index users) {
  const Record step = run(ratings(users, Shape{1, 6})).guarantee.releases.back();
  return step.deviation / step.sensitivity->value();
}

// The S^2 of algorithm 1: the more cells a site has, the less noise, by as much. The sound form's noise does
// not depend on it.
TEST(CoupledSgld, NoiseFallsWithTheNumberOfCellsAsPublishedAlone) {
  const PrivateRun run = published(SgldRule::li_decreasing);
  EXPECT_NEAR(noise_of_a_step(run, 20) / noise_of_a_step(run, 200), 10, 0.5);
  PrivateRun sound = run;
  sound.terms.calibration = Calibration::sound;
  sound.settings.reset(setting::sgld_rule);
  sound.settings.reset(setting::sampling_rate);
  // The grid of the noise follows from the clipping norm: a rounding of 1e-6.
  EXPECT_NEAR(noise_of_a_step(sound, 20) / noise_of_a_step(sound, 200), 1, 1e-5);
}

// As on very many cells: an epsilon that leaves as little of the noise.
TEST(CoupledSgld, NoiseThatNumbersCannotHoldIsRefusedInItsOwnWords) {
  PrivateRun run = published(SgldRule::li_decreasing);
  run.terms.budget.epsilon = 1e8;
  EXPECT_THAT(run.refusal(ratings(20, Shape{1, 6})), HasSubstr("rule li-decreasing: on "));
}

TEST(CoupledSgld, MatricesAreCounts) {
  PrivateRun run = published(SgldRule::li_fixed);
  run.terms.range = {-1, 1};
  EXPECT_THAT(run.refusal(ratings(20, Shape{1, 6})), HasSubstr("range from 0"));
  run.terms.range = {0, 1};
  run.terms.budget.delta = 0;
  EXPECT_THAT(run.refusal(ratings(20, Shape{1, 6})), HasSubstr("delta above 0"));
}

}  // namespace
}  // namespace tulle
