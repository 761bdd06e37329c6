#include "method/private_run.hpp"

#include <tulle/data/coupling.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

namespace tulle {
namespace {

using ::testing::HasSubstr;
using testing::PrivateRun;

PrivateRun dp_sgld(Calibration calibration = Calibration::sound) {
  PrivateRun run{"dp-sgld"};
  run.terms.unit = Unit::user;
  run.terms.calibration = calibration;
  run.terms.scope.mode = "1";
  return run;
}

// Two groups of users, who like different halves of the items. With hardly any noise most of that is found.
TEST(DpSgld, FindsTheSharedFactors) {
  const Shape shape{200, 8, 3};
  DenseTensor truth(shape);
  SparseTensor observed(shape, Unlisted::missing);
  for (Index user = 0; user < 200; ++user)
    for (Index item = 0; item < 8; ++item)
      for (Index time = 0; time < 3; ++time) {
        const double value = (user % 2 == 0) == (item < 4) ? 0.9 : 0.1;
        truth.values()[(user * 8 + item) * 3 + time] = value;
        if ((user + item + time) % 3 != 0)
          observed.append(std::array<Index, 3>{user, item, time}, static_cast<float>(value));
      }
  PrivateRun run = dp_sgld();
  run.terms.budget = {1e5, 1e-6};
  const Completion completion = run(std::move(observed));
  EXPECT_LT(testing::rmse(open_for_the_data_owner(*completion.with_user_rows), truth),
            0.5 * testing::deviation_of(truth));
}

TEST(DpSgld, ProtectsUsersJointly) {
  const Completion completion = dp_sgld()(observe(generate_cp(Shape{50, 6, 5}, 2, 3).noisy, 0.5, 4));
  EXPECT_EQ(completion.guarantee.status, Guarantee::Status::proven);
  EXPECT_TRUE(completion.guarantee.joint);
  EXPECT_LE(completion.guarantee.used.epsilon, 1);
  EXPECT_THAT(completion.remarks.back(), HasSubstr("near their random start")) << "so few users";
  EXPECT_EQ(testing::cp(completion).factors[0].rows(), 1) << "one row for any user";
  EXPECT_EQ(testing::cp(completion).factors[0].squaredNorm(), 0);
}

// 300 users of two groups, each of whom shows in one relation which group she is of, and in the other one
// likes one half of 8 items; half of the items have a cell of hers there. `features` says which half is
// which.
struct TwoRelations {
  std::shared_ptr<const Coupling> coupling;
  SparseTensor observed{Shape{1, 1}, Unlisted::missing}, rest = observed;

  explicit TwoRelations(bool features) {
    Coupling made{.sizes = {1, 8, 4}, .relations = {{"likes", {0, 1}}, {"signs", {0, 2}}}};
    if (features) {
      PublicTable table{"features", SparseTensor(Shape{8, 3}, Unlisted::missing), {1, PublicTable::kOwn}};
      for (Index item = 0; item < 8; ++item)
        for (Index own = 0; own < 3; ++own) table.cells.append(std::array{item, own}, item < 4 ? 1.0F : 0.0F);
      made.tables.push_back(std::move(table));
    }
    SparseTensor likes(Shape{300, 8}, Unlisted::missing), hidden = likes;
    SparseTensor signs(Shape{300, 4}, Unlisted::missing);
    for (Index user = 0; user < 300; ++user) {
      for (Index item = 0; item < 8; ++item)
        ((user / 2 + item) % 8 == 0 ? likes : hidden)
            .append(std::array{user, item}, (user % 2 == 0) == (item < 4) ? 1.0F : 0.0F);
      for (Index sign = 0; sign < 4; ++sign)
        signs.append(std::array{user, sign}, user % 2 == 0 ? 1.0F : 0.0F);
    }
    observed = rest = SparseTensor(made.shape(0, 300), Unlisted::missing);
    append_stacked(observed, made, 0, likes);
    append_stacked(observed, made, 1, signs);
    append_stacked(rest, made, 0, hidden);
    coupling = std::make_shared<const Coupling>(std::move(made));
  }

  double rmse(double epsilon, std::uint64_t seed) const {
    PrivateRun run = dp_sgld();
    run.terms.budget = {epsilon, 1e-6};
    run.fit = {.ranks = {2}, .coupling = coupling, .seed = seed};
    const Completion completion = run(observed);
    EXPECT_EQ(completion.guarantee.status, Guarantee::Status::proven);
    const std::vector<double> predicted =
        predict(open_for_the_data_owner(*completion.with_user_rows), rest.cells());
    double squares = 0;
    for (std::size_t i = 0; i < predicted.size(); ++i)
      squares += std::pow(predicted[i] - rest.values()[i], 2);
    return std::sqrt(squares / static_cast<double>(predicted.size()));
  }
};

// One cell of likes says nothing of the others without the signs; a constant has an error of 0.5.
TEST(DpSgld, RelationsOfTheSameUsersInformEachOther) {
  EXPECT_LT(TwoRelations(false).rmse(1e5, 1), 0.35);
}

// With little budget items are hardly learnt; features put the halves apart, at no cost.
TEST(DpSgld, PublicTablesHelpWhereTheBudgetIsSmall) {
  double without = 0, with = 0;
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    without += TwoRelations(false).rmse(1, seed) / 5;
    with += TwoRelations(true).rmse(1, seed) / 5;
  }
  EXPECT_LT(with, without - 0.02);
}

TEST(DpSgld, CouplesInItsSoundFormAlone) {
  PrivateRun run = dp_sgld(Calibration::published);
  const TwoRelations data(true);
  run.fit.coupling = data.coupling;
  EXPECT_THROW(run(data.observed), UsageError);
  PrivateRun gradient{"gradient"};
  gradient.terms.unit = Unit::user;
  gradient.fit.coupling = data.coupling;
  EXPECT_THROW(gradient(data.observed), UsageError);
}

// Poisson samples are cheaper, which the planner turns into less noise.
TEST(DpSgld, SamplesAreAccounted) {
  const SparseTensor data = observe(generate_cp(Shape{50, 6}, 2, 3).noisy, 0.5, 4);
  const auto multiplier = [&](double rate) {
    PrivateRun run = dp_sgld();
    run.settings.set(setting::sampling_rate, rate);
    const Record step = run(data).guarantee.releases.back();
    return step.deviation / step.sensitivity->value();
  };
  EXPECT_LT(multiplier(0.1), 0.5 * multiplier(1));
}

TEST(DpSgld, RulesAreOfThePublishedForm) {
  PrivateRun run = dp_sgld();
  run.settings.set(setting::sgld_rule, SgldRule::zcdp);
  EXPECT_THAT(run.refusal(testing::small_tensor()), HasSubstr("published form"));
  run.terms.unit = Unit::entry;
  run.terms.scope.mode = "";
  EXPECT_THAT(run.refusal(testing::small_tensor()), HasSubstr("does not protect unit entry"));
}

}  // namespace
}  // namespace tulle
