#include "method/private_run.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

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

// Poisson samples are cheaper, which the planner turns into less noise.
TEST(DpSgld, SamplesAreAccounted) {
  const SparseTensor data = observe(generate_cp(Shape{50, 6}, 2, 3).noisy, 0.5, 4);
  const auto multiplier = [&](double rate) {
    PrivateRun run = dp_sgld();
    run.settings.set(setting::sampling_rate, rate);
    const Record& step = run(data).guarantee.releases.back();
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
