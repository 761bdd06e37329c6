#include "published/liu2015.hpp"

#include "method/private_run.hpp"
#include "model_request.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <numeric>

namespace tulle {
namespace {

using ::testing::HasSubstr;
using testing::PrivateRun;

PrivateRun liu(double epsilon = 1) {
  PrivateRun run{"liu2015"};
  run.terms.calibration = Calibration::published;
  run.terms.budget = {epsilon, 0};
  run.terms.unit = Unit::user;
  run.terms.scope.mode = "1";
  run.settings.set(setting::steps, 5);
  return run;
}

double log_posterior(const TemperedPosterior& posterior, const SparseTensor& observed,
                     const Standard& standard, const ModelLayout& layout,
                     const std::vector<double>& parameters) {
  double sum = 0;
  for (std::size_t entry = 0; entry < observed.size(); ++entry) {
    const double* const u = parameters.data() + layout.row(0, observed.column(0)[entry]);
    const double* const v = parameters.data() + layout.row(1, observed.column(1)[entry]);
    const double value = (observed.values()[entry] - standard.level) / standard.scale;
    const double error = value - u[0] * v[0] - u[1] * v[1];
    sum -= posterior.temper * error * error;
  }
  for (double parameter : parameters) sum -= posterior.ridge / 2 * parameter * parameter;
  return sum;
}

TEST(Liu2015, SlopeIsTheDerivativeOfTheTemperedPosterior) {
  const SparseTensor observed = testing::small_ratings();
  const ModelLayout layout = ModelLayout::cp(observed.shape(), 2);
  const TemperedPosterior posterior{0.3, 2};
  const Standard standard{0.4, 1.5};
  std::vector<double> parameters = random_numbers(layout, 1, 5);
  std::vector<std::uint64_t> all(observed.size());
  std::iota(all.begin(), all.end(), std::uint64_t{0});
  constexpr double kStep = 1e-5;
  for (int mode : {0, 1}) {
    const std::vector<double> slope = posterior.slope(observed, standard, layout, parameters, mode, all, 1);
    for (std::size_t i : {0, 3, 17}) {
      double& moved = parameters[layout.start(mode) + i];
      const double before = moved;
      moved = before + kStep;
      const double above = log_posterior(posterior, observed, standard, layout, parameters);
      moved = before - kStep;
      const double below = log_posterior(posterior, observed, standard, layout, parameters);
      moved = before;
      EXPECT_NEAR(slope[i], (above - below) / (2 * kStep), 1e-6 * (1 + std::abs(slope[i])));
    }
  }
}

// x = 2 in units of 1, u = 3, v = 0.5, error 0.5: 2 temper error u / rate - ridge v = 2 x 0.1 x 0.5 x 3 / 0.5
// - 0.5 = 0.1.
TEST(Liu2015, SlopeOfOneCell) {
  SparseTensor one(Shape{1, 1}, Unlisted::missing);
  one.append(std::array<Index, 2>{0, 0}, 2);
  const std::vector<std::uint64_t> first = {0};
  EXPECT_NEAR((TemperedPosterior{0.1, 1}.slope(one, {0, 1}, ModelLayout::cp(one.shape(), 1),
                                               std::vector<double>{3, 0.5}, 1, first, 0.5)[0]),
              0.1, 1e-12);
}

TEST(Liu2015, NoiseIsThatOfLangevinSteps) {
  PrivateRun run = liu();
  run.settings.set(setting::learning_rate, 0.04);
  const Completion completion = run(testing::small_ratings());
  EXPECT_EQ(completion.guarantee.status, Guarantee::Status::claimed);
  EXPECT_TRUE(completion.guarantee.joint);
  ASSERT_EQ(completion.guarantee.releases.size(), 5u);
  for (const Record& record : completion.guarantee.releases) EXPECT_NEAR(record.deviation, 0.2, 1e-5);
  EXPECT_EQ(testing::cp(completion).factors[0].squaredNorm(), 0);
  EXPECT_EQ(std::get<Cp>(open_for_the_data_owner(*completion.with_user_rows)).factors[0].rows(), 30);
}

// Without data (an epsilon that tempers the likelihood away) the samples are those of the prior, of variance
// 1 / ridge: 40 numbers, 6 standard errors.
TEST(Liu2015, SamplesThePriorWhereTheLikelihoodIsTemperedAway) {
  PrivateRun run = liu(1e-3);
  run.fit.ridge = 4;
  run.settings.set(setting::steps, 400).set(setting::learning_rate, 0.02);
  const Completion completion = run(testing::small_ratings());
  const Matrix& items = testing::cp(completion).factors[1];
  const double numbers = static_cast<double>(items.size());
  EXPECT_NEAR(items.squaredNorm() / numbers, 0.25, 6 * 0.25 * std::sqrt(2 / numbers));
}

TEST(Liu2015, FitsWhereTheLikelihoodIsNotTempered) {
  const Synthetic made = generate_cp(Shape{30, 20}, 1, 3, 100);
  PrivateRun run = liu(1e6);
  run.fit.ranks = {1};
  run.fit.ridge = 1;
  run.settings.set(setting::steps, 300).set(setting::sampling_rate, 1).set(setting::learning_rate, 1e-4);
  const Completion completion = run(observe(made.noisy, 0.9, 4));
  EXPECT_LT(testing::rmse(open_for_the_data_owner(*completion.with_user_rows), made.truth),
            0.5 * testing::deviation_of(made.truth));
}

// The seed of the fit is in every report: neither where users' rows start nor their noise may follow from it.
TEST(Liu2015, UsersRowsDoNotFollowFromTheSeedOfTheFit) {
  PrivateRun run = liu();
  run.terms.seed.reset();
  const SparseTensor observed = observe(generate_cp(Shape{1000, 20}, 1, 3, 100).noisy, 0.9, 4);
  const auto rows = [&] {
    return std::get<Cp>(open_for_the_data_owner(*run(observed).with_user_rows)).factors[0];
  };
  const Matrix one = rows(), other = rows();
  // Of 1000 independent squares or more: off by a third with a probability below 1e-9.
  EXPECT_NEAR((one - other).squaredNorm() / (one.squaredNorm() + other.squaredNorm()), 1, 0.33);
}

TEST(Liu2015, HasNoSoundFormAndNoTensors) {
  PrivateRun run = liu();
  EXPECT_THAT(run.refusal(testing::small_tensor()), HasSubstr("for matrices"));
  run.terms.calibration = Calibration::sound;
  EXPECT_THAT(run.refusal(testing::small_ratings()), HasSubstr("run it as published"));
}

}  // namespace
}  // namespace tulle
