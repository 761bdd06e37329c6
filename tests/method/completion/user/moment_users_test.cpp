#include "completion/user/moment_users.hpp"

#include "method/private_run.hpp"

#include <tulle/base/random.hpp>
#include <tulle/base/threads.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <cmath>

namespace tulle {
namespace {

Terms terms_of(double epsilon, int user_mode = 0) {
  return {.budget = {epsilon, 1e-6},
          .unit = Unit::user,
          .relation = {},
          .user_mode = user_mode,
          .range = {0, 1},
          .seed = 1};
}

Completion run(const SparseTensor& observed, double epsilon, const FitOptions& fit = {}) {
  return complete_privately(find_method("als"), observed,
                            testing::on_shape(terms_of(epsilon), observed.shape()), {}, fit);
}

// Users whose values differ along one direction, beside their levels and the means of positions.
struct Made {
  SparseTensor observed, hidden;
};

Made made_users(const Shape& shape, Index users) {
  Random random(3);
  Made made{{shape, Unlisted::missing}, {shape, Unlisted::missing}};
  for (Index user = 0; user < users; ++user) {
    const double level = 0.06 * random.normal(), along = 0.12 * random.normal();
    for (std::size_t at = 0; at < shape.cells() / shape[0]; ++at) {
      std::vector<Index> cell{user};
      std::size_t rest = at;
      for (int mode = 1; mode < shape.order(); ++mode)
        cell.push_back(rest % shape[mode]), rest /= shape[mode];
      const double mean = 0.3 + 0.4 * ((at * 7) % 5) / 4.0, direction = at % 2 == 0 ? 1 : -1;
      const double value = mean + level + along * direction + 0.05 * random.normal();
      (random.chance(0.3) ? made.hidden : made.observed)
          .append(cell, static_cast<float>(std::clamp(value, 0.0, 1.0)));
    }
  }
  return made;
}

double error_on(const Model& model, const SparseTensor& truth) {
  const std::vector<double> predicted = predict(model, truth.cells());
  double square = 0;
  for (std::size_t cell = 0; cell < truth.size(); ++cell)
    square += std::pow(predicted[cell] - truth.values()[cell], 2);
  return std::sqrt(square / static_cast<double>(truth.size()));
}

TEST(MomentUsers, FindWhatSetsUsersApart) {
  for (const Shape& shape : {Shape{600, 12}, Shape{600, 4, 3}, Shape{600, 2, 3, 2}}) {
    const Made made = made_users(shape, 600);
    const Completion completion = run(made.observed, 20);
    EXPECT_LT(error_on(open_for_the_data_owner(*completion.with_user_rows), made.hidden), 0.07)
        << shape.text();
  }
}

TEST(MomentUsers, SpendTheirBudgetAndNoMore) {
  const Completion completion = run(made_users({60, 5}, 60).observed, 5);
  EXPECT_NEAR(completion.guarantee.used.epsilon, 5, 1e-6);
  EXPECT_LE(completion.guarantee.used.epsilon, 5 + 1e-9);
  EXPECT_EQ(completion.guarantee.releases.size(), 3u);
}

// Six users: how their values vary together would be noise, so that means get its budget.
TEST(MomentUsers, OfFewUsersReleaseMeansAgain) {
  const Completion completion = run(made_users({6, 12}, 6).observed, 1);
  EXPECT_NEAR(completion.guarantee.used.epsilon, 1, 1e-6);
  ASSERT_EQ(completion.measured->releases.size(), 2u);
  EXPECT_EQ(completion.measured->releases[1].events.size(), 2u);
  EXPECT_THAT(completion.remarks.front(), ::testing::HasSubstr("alone"));
  const Completion refitted = refit(*completion.measured, {});
  EXPECT_EQ(std::get<Cp>(refitted.model).biases.offsets[1], std::get<Cp>(completion.model).biases.offsets[1]);
}

TEST(MomentUsers, ThePublishedModelHoldsNothingOfSingleUsers) {
  const Completion completion = run(made_users({60, 12}, 60).observed, 300);
  const Cp& shared = std::get<Cp>(completion.model);
  EXPECT_TRUE(shared.factors[0].isZero(0));
  EXPECT_TRUE(shared.biases.offsets[0].isZero(0));
  const Cp& full = std::get<Cp>(open_for_the_data_owner(*completion.with_user_rows));
  EXPECT_FALSE(full.biases.offsets[0].isZero(1e-6));
  EXPECT_EQ(full.factors[1], shared.factors[1]);
}

TEST(MomentUsers, DoNotDependOnThreadsOrBlocks) {
  const Made made = made_users({200, 12}, 200);
  const auto levels = [&](const FitOptions& fit) {
    return std::get<Cp>(run(made.observed, 5, fit).model).biases.offsets[1];
  };
  const Vector expected = levels({});
  set_threads(2);
  EXPECT_EQ(levels({}), expected);
  set_threads(1);
  EXPECT_EQ(levels({.block_size = 7}), expected);
}

TEST(MomentUsers, AreRefittedWithFewerDirectionsAtNoCost) {
  const Completion completion = run(made_users({600, 12}, 600).observed, 20);
  const Completion refitted = refit(*completion.measured, {.ranks = {0}});
  EXPECT_EQ(std::get<Cp>(refitted.model).rank(), 0);
  EXPECT_EQ(std::get<Cp>(refitted.model).biases.offsets[1], std::get<Cp>(completion.model).biases.offsets[1]);
}

// All users have the even positions, and one half of them the odd ones.
TEST(MomentUsers, KnowWhichPositionsUsersHaveTogether) {
  SparseTensor observed({300, 8}, Unlisted::missing);
  for (Index user = 0; user < 300; ++user)
    for (Index at = 0; at < 8; ++at)
      if (at % 2 == 0 || user % 2 == 0) observed.append(std::array<Index, 2>{user, at}, 0.5f);
  const Completion completion = run(observed, 20);
  ASSERT_TRUE(completion.interest);
  EXPECT_GT(completion.interest->popularity[0], 1.5 * completion.interest->popularity[1]);
  const Vector scores = completion.interest->scores(std::array<Index, 2>{1, 3});
  const Vector of_others = completion.interest->scores(std::array<Index, 2>{2, 4});
  EXPECT_GT(scores[5] - scores[6], of_others[5] - of_others[6]);
}

}  // namespace
}  // namespace tulle
