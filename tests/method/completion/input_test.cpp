#include <tulle/base/error.hpp>
#include <tulle/data/generate.hpp>
#include <tulle/data/metrics.hpp>
#include <tulle/method/private_completion.hpp>
#include <tulle/privacy/account/calibrate.hpp>

#include <gtest/gtest.h>

namespace tulle {
namespace {

struct InputCase {
  double epsilon = 1, delta = 0;
  Unit unit = Unit::entry;
  std::optional<Relation> relation = {};
  Range range = {1, 5};
  Calibration calibration = Calibration::sound;
  Settings settings = {};
  FitOptions fit = {.ranks = {1}};
};

Completion run_input(const SparseTensor& observed, const InputCase& setting) {
  Terms terms;
  terms.budget = {setting.epsilon, setting.delta};
  terms.unit = setting.unit;
  terms.relation = setting.relation;
  terms.range = setting.range;
  terms.calibration = setting.calibration;
  terms.seed = 1;
  terms.shape = PublicShape{observed.shape()};
  return complete_privately(find_method("input"), observed, terms, setting.settings, setting.fit);
}

double deviation(const SparseTensor& observed, const InputCase& setting) {
  return run_input(observed, setting).guarantee.releases.at(0).deviation;
}

// Ratings of 1 .. 5, four of each of six users.
SparseTensor ratings() {
  SparseTensor tensor(Shape{6, 5}, Unlisted::missing);
  for (Index user = 0; user < 6; ++user)
    for (Index film = 0; film < 4; ++film)
      tensor.append(std::array{user, (user + film) % 5}, static_cast<float>(1 + (user * film) % 5));
  return tensor;
}

TEST(Input, NoiseIsCalibratedToThePublicRange) {
  const SparseTensor data = ratings();
  EXPECT_NEAR(deviation(data, {.settings = Settings().set(setting::noise, NoiseKind::laplace)}),
              std::sqrt(2) * 4, 1e-4);
  EXPECT_NEAR(
      std::pow(deviation(data, {.settings = Settings().set(setting::noise, NoiseKind::staircase)}), 2),
      16 * 1.9181035, 1e-3);
  EXPECT_NEAR(
      std::pow(deviation(data, {.settings = Settings().set(setting::noise, NoiseKind::discrete_laplace)}), 2),
      31.833853, 1e-4);
  EXPECT_NEAR(
      deviation(data, {.delta = 1e-5, .settings = Settings().set(setting::noise, NoiseKind::gaussian)}),
      4 * 3.730632, 1e-3);
}

TEST(Input, UsersHaveAtMostSoManyEntries) {
  const SparseTensor data = ratings();
  const auto noisy = [&](NoiseKind noise, int most) {
    return deviation(
        data, {.delta = 1e-5,
               .unit = Unit::user,
               .settings = Settings().set(setting::noise, noise).set(setting::entries_per_user, most)});
  };
  EXPECT_NEAR(noisy(NoiseKind::laplace, 2), std::sqrt(2) * 2 * 4, 1e-3);
  EXPECT_NEAR(noisy(NoiseKind::gaussian, 2), 3.730632 * std::sqrt(2) * 4, 1e-2);
  EXPECT_NEAR(noisy(NoiseKind::laplace, 9), std::sqrt(2) * 4 * 4, 1e-3) << "nobody has more than 4";
  const Completion fit = run_input(
      data,
      {.unit = Unit::user,
       .settings = Settings().set(setting::noise, NoiseKind::laplace).set(setting::entries_per_user, 2)});
  EXPECT_EQ(fit.guarantee.releases[0].numbers, 12u);
  EXPECT_EQ(fit.guarantee.releases[0].what, "entries of every user, 2 or fewer of each");
  EXPECT_EQ(fit.guarantee.unit, Unit::user);
  EXPECT_NEAR(fit.guarantee.used.epsilon, 1, 1e-9);
}

TEST(Input, AlmostWithoutNoiseReturnsTheData) {
  const DenseTensor level(Shape{5, 5, 5}, std::vector<double>(125, 3.0));
  for (const auto relation : {Relation::replace, Relation::add_remove})
    for (ModelKind model : {ModelKind::cp, ModelKind::tucker, ModelKind::tubal}) {
      FitOptions fitting{.model = model, .ranks = {1}};
      const bool by_als =
          model == ModelKind::cp || (model == ModelKind::tucker && relation == Relation::replace);
      if (by_als) fitting.ridge = 1e-6;
      const Completion fit = run_input(
          observe(level, 1, 1), {.epsilon = 1000, .relation = relation, .range = {0, 5}, .fit = fitting});
      const DenseTensor all = reconstruct(fit.model);
      EXPECT_LT(rmse(level.values(), all.values()), 0.02) << name(relation) << ", " << name(model);
    }
}

// Under add-remove every cell has noise, and half the width is enough of it: cells are released as distances
// from the middle of the range.
TEST(Input, PrivatePositionsNeedNoiseOnEveryCell) {
  const Completion fit = run_input(
      ratings(),
      {.relation = Relation::add_remove, .settings = Settings().set(setting::noise, NoiseKind::laplace)});
  ASSERT_EQ(fit.guarantee.releases.size(), 2u);
  EXPECT_EQ(fit.guarantee.releases[0].numbers, 30u);
  EXPECT_NEAR(fit.guarantee.releases[0].deviation, std::sqrt(2) * 2 / 0.95, 1e-3);
  EXPECT_EQ(fit.guarantee.releases[1].numbers, 1u);
  EXPECT_NEAR(fit.guarantee.used.epsilon, 1, 1e-9);
}

TEST(Input, RefusesWhatItCannotDo) {
  SparseTensor huge(Shape{100'000, 100'000}, Unlisted::missing);
  huge.append(std::array<Index, 2>{0, 0}, 1);
  EXPECT_THROW(run_input(huge, {.relation = Relation::add_remove}), UsageError);
  EXPECT_THROW(run_input(ratings(), {.settings = Settings().set(setting::entries_per_user, 2)}), UsageError);
  EXPECT_THROW(
      run_input(ratings(),
                {.range = {0.5, 5}, .settings = Settings().set(setting::noise, NoiseKind::discrete_laplace)}),
      UsageError);
  EXPECT_THROW(run_input(ratings(), {.settings = Settings().set(setting::noise, NoiseKind::gaussian)}),
               UsageError);
  EXPECT_THROW(run_input(ratings(), {.settings = Settings().set(setting::learning_rate, 0.1)}), UsageError);
}

// ---- the flaw of the published form: the noise is scaled to the range of the data ----

SparseTensor one_value(float value) {
  return {Cells(Shape{1, 1, 1}, {{0}, {0}, {0}}), {value}, Unlisted::missing};
}

// Neighbours that differ in one rating, the only one that is not a 3 or a 4.
TEST(InputAsPublished, TellsNeighboursApartByTheNoiseItself) {
  SparseTensor with(Shape{4, 4}, Unlisted::missing);
  for (Index i = 0; i < 4; ++i) with.append(std::array{i, i}, i % 2 == 0 ? 3.0F : 4.0F);
  SparseTensor without = with;
  with.values()[0] = 1;
  const InputCase published{.calibration = Calibration::published,
                            .settings = Settings().set(setting::noise, NoiseKind::laplace)};
  EXPECT_NEAR(deviation(with, published) / deviation(without, published), 3, 1e-6);
  const InputCase sound{.settings = Settings().set(setting::noise, NoiseKind::laplace)};
  EXPECT_EQ(deviation(with, sound), deviation(without, sound));
  const Guarantee guarantee = run_input(with, published).guarantee;
  EXPECT_EQ(guarantee.status, Guarantee::Status::claimed);
  EXPECT_FALSE(guarantee.remark.empty());
}

// A tensor of one cell has no range of its own, gets no noise, and is read back.
TEST(InputAsPublished, GivesTheOnlyValueAway) {
  const InputCase published{.calibration = Calibration::published,
                            .settings = Settings().set(setting::learning_rate, 0.01),
                            .fit = {.ranks = {1}, .ridge = 0.0, .max_iterations = 2000}};
  for (float value : {1.5F, 4.5F}) {
    EXPECT_NEAR(reconstruct(run_input(one_value(value), published).model).values()[0], value, 1e-4);
    EXPECT_GT(std::abs(reconstruct(run_input(one_value(value), {.epsilon = 0.1}).model).values()[0] - value),
              0.1)
        << "40 wide noise";
  }
}

}  // namespace
}  // namespace tulle
