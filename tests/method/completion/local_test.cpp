#include "method/private_run.hpp"

#include <tulle/base/error.hpp>
#include <tulle/data/generate.hpp>
#include <tulle/data/metrics.hpp>
#include <tulle/method/private_completion.hpp>
#include <tulle/privacy/margin.hpp>

#include <gtest/gtest.h>

namespace tulle {
namespace {

Terms terms_for(double epsilon, Unit unit, std::uint64_t seed = 1) {
  Terms terms;
  terms.budget = {epsilon, 0};
  terms.unit = unit;
  terms.range = {0, 1};
  terms.seed = seed;
  return terms;
}

Completion run_local(const SparseTensor& observed, const Terms& terms, const Settings& settings = {},
                     FitOptions fit = {.ranks = {0}}) {
  return complete_privately(find_method("local"), observed, testing::on_shape(terms, observed.shape()),
                            settings, fit);
}

const Synthetic& sample() {
  static const Synthetic data = generate_cp(Shape{16, 15, 14}, 2, 2, 10);
  return data;
}

SparseTensor observed() {
  return observe(sample().noisy, 0.6, 2);
}

TEST(Local, EveryEntryIsSentOnItsOwn) {
  const Completion fit = run_local(observed(), terms_for(1, Unit::entry));
  ASSERT_EQ(fit.guarantee.releases.size(), 1u) << "nothing else may reach the server";
  EXPECT_EQ(fit.guarantee.releases[0].numbers, observed().size());
  EXPECT_EQ(fit.guarantee.releases[0].event, Event::pure(with_margin({1, 0}).epsilon));
  EXPECT_EQ(fit.guarantee.used.delta, 0);
}

TEST(Local, TheServerFindsTheSignal) {
  Terms terms = terms_for(12, Unit::entry);
  const Model fit = run_local(observed(), terms, {}, {}).model, mean = run_local(observed(), terms).model;
  const DenseTensor found = reconstruct(fit), level = reconstruct(mean);
  EXPECT_LT(rmse(sample().truth.values(), found.values()),
            0.5 * rmse(sample().truth.values(), level.values()));
}

// s entries at epsilon / s each; by default epsilon / 2.5 of them.
TEST(Local, UsersShareEpsilonAmongWhatTheySend) {
  const auto sent = [](double epsilon, std::optional<int> entries) {
    Settings settings;
    settings.set(setting::noise, NoiseKind::laplace);
    if (entries) settings.set(setting::entries_per_user, *entries);
    return run_local(observed(), terms_for(epsilon, Unit::user), settings).guarantee.releases.at(0);
  };
  EXPECT_EQ(sent(1, {}).numbers, 16u);
  EXPECT_EQ(sent(10, {}).numbers, 64u);
  EXPECT_NEAR(sent(10, {}).deviation, std::sqrt(2) * 4 / 10, 1e-4);
  EXPECT_NEAR(sent(1, 3).deviation, std::sqrt(2) * 3, 1e-3);
  EXPECT_NEAR(run_local(observed(), terms_for(1, Unit::user)).guarantee.used.epsilon, 1, 1e-9);
}

TEST(Local, HasFourNoises) {
  for (const auto& [noise, name] :
       {std::pair(NoiseKind::laplace, "Laplace"), std::pair(NoiseKind::staircase, "staircase"),
        std::pair(NoiseKind::duchi, "Duchi"), std::pair(NoiseKind::piecewise, "piecewise")})
    EXPECT_EQ(run_local(observed(), terms_for(2, Unit::entry), Settings().set(setting::noise, noise))
                  .guarantee.releases[0]
                  .noise,
              name);
  EXPECT_THROW(
      run_local(observed(), terms_for(2, Unit::entry), Settings().set(setting::noise, NoiseKind::gaussian)),
      UsageError);
}

// ---- the flaw of the published form: values are sent as they are with probability p ----

int times_read_back(Calibration calibration, float value) {
  const SparseTensor only(Cells(Shape{1, 1, 1}, {{0}, {0}, {0}}), {value}, Unlisted::missing);
  const FitOptions fit{.ranks = {1}, .ridge = 0.0, .max_iterations = 3000};
  int count = 0;
  for (std::uint64_t seed = 1; seed <= 100; ++seed) {
    Terms terms = terms_for(1, Unit::user, seed);
    terms.calibration = calibration;
    Settings settings;
    if (calibration == Calibration::published) settings.set(setting::learning_rate, 0.1);
    const DenseTensor all = reconstruct(run_local(only, terms, settings, fit).model);
    if (std::abs(all.values()[0] - value) < 1e-4) ++count;
  }
  return count;
}

// One user and epsilon 1: p = e / (e + 2) = 0.576, of 100 runs 58 +- 25 (5 standard deviations; seeds are
// fixed).
TEST(LocalAsPublished, SendsValuesAsTheyAre) {
  EXPECT_NEAR(times_read_back(Calibration::published, 0.37F), 58, 25);
  EXPECT_EQ(times_read_back(Calibration::sound, 0.37F), 0);
}

// Two users who do not send the truth send what only a function of the truth can be: the same, in every run.
TEST(LocalAsPublished, AddsNoNoiseToTheOthers) {
  const SparseTensor only(Cells(Shape{1, 1, 1}, {{0}, {0}, {0}}), {0.37F}, Unlisted::missing);
  std::vector<double> seen;
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    Terms terms = terms_for(1, Unit::user, seed);
    terms.calibration = Calibration::published;
    const FitOptions fit{.ranks = {1}, .ridge = 0.0, .max_iterations = 3000};
    const DenseTensor all =
        reconstruct(run_local(only, terms, Settings().set(setting::learning_rate, 0.1), fit).model);
    seen.push_back(all.values()[0]);
  }
  const double disguised = 0.37 + std::exp(-0.37) / 2;
  for (double value : seen) EXPECT_LT(std::min(std::abs(value - 0.37), std::abs(value - disguised)), 1e-4);
  EXPECT_EQ(run_local(only, terms_for(1, Unit::user)).guarantee.status, Guarantee::Status::proven);
}

}  // namespace
}  // namespace tulle
