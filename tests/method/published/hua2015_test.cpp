#include "published/hua2015.hpp"

#include "method/private_run.hpp"
#include "model_request.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace tulle {
namespace {

using ::testing::HasSubstr;
using testing::PrivateRun;

PrivateRun hua(double epsilon = 1) {
  PrivateRun run{"hua2015"};
  run.terms.calibration = Calibration::published;
  run.terms.budget = {epsilon, 0};
  return run;
}

// (x - u v)^2 over the cells, with the linear terms replaced, plus the ridge: its derivative by every number
// of every item is 0.
TEST(Hua2015, ItemsMinimiseThePerturbedObjective) {
  const SparseTensor observed = testing::small_ratings();
  const ModelLayout layout = ModelLayout::cp(observed.shape(), 2);
  const ItemFit fit{observed, layout, 0, {0.5, 2}};
  const std::vector<double> parameters = random_numbers(layout, 1, 7);
  std::vector<double> terms = fit.linear_terms(parameters);
  for (std::size_t i = 0; i < terms.size(); ++i) terms[i] += 0.1 * static_cast<double>(i % 7);
  const std::vector<double> items = fit.minimiser(parameters, terms, 0.3);
  for (std::size_t j = 0; j < 20; ++j)
    for (std::size_t k = 0; k < 2; ++k) {
      double slope = 2 * 0.3 * items[2 * j + k] - terms[2 * j + k];
      for (std::size_t entry = 0; entry < observed.size(); ++entry) {
        if (observed.column(1)[entry] != j) continue;
        const double* const user = parameters.data() + 2 * observed.column(0)[entry];
        slope += 2 * (user[0] * items[2 * j] + user[1] * items[2 * j + 1]) * user[k];
      }
      EXPECT_NEAR(slope, 0, 1e-10);
    }
}

// One user, one item, u = 0.5, x = 3 in units of 2 above 1: 2 x u = 1, v = 0.5 / (0.25 + 0.25) = 1.
TEST(Hua2015, ItemOfOneCell) {
  SparseTensor one(Shape{1, 1}, Unlisted::missing);
  one.append(std::array<Index, 2>{0, 0}, 3);
  const ModelLayout layout = ModelLayout::cp(one.shape(), 1);
  const ItemFit fit{one, layout, 0, {1, 2}};
  const std::vector<double> parameters = {0.5, 9};
  EXPECT_EQ(fit.linear_terms(parameters), std::vector<double>{1});
  EXPECT_NEAR(fit.minimiser(parameters, std::vector<double>{1}, 0.25)[0], 1, 1e-12);
}

TEST(Hua2015, KeepsUsersRowsAndTheirLength) {
  const Completion completion = hua()(testing::small_ratings());
  EXPECT_EQ(completion.guarantee.status, Guarantee::Status::claimed);
  EXPECT_TRUE(completion.guarantee.joint);
  EXPECT_THAT(completion.guarantee.remark, HasSubstr("without noise"));
  ASSERT_EQ(completion.guarantee.releases.size(), 1u);
  EXPECT_NEAR(completion.guarantee.releases[0].sensitivity->value(), 2 * std::sqrt(2.0), 1e-6);
  EXPECT_EQ(testing::cp(completion).factors[0].squaredNorm(), 0);
  const auto& whole = std::get<Cp>(open_for_the_data_owner(*completion.with_user_rows));
  EXPECT_GT(whole.factors[0].squaredNorm(), 0);
  EXPECT_EQ(whole.factors[1], testing::cp(completion).factors[1]);
}

TEST(Hua2015, FitsWhereThereIsNextToNoNoise) {
  const Synthetic made = generate_cp(Shape{30, 20}, 1, 3, 100);  // and a constant: rank 2
  PrivateRun run = hua(1e6);
  run.settings.set(setting::steps, 400);
  run.fit.ridge = 0.01;
  const Completion completion = run(observe(made.noisy, 0.9, 4));
  EXPECT_LT(testing::rmse(open_for_the_data_owner(*completion.with_user_rows), made.truth),
            0.4 * testing::deviation_of(made.truth));
}

TEST(Hua2015, HasNoSoundFormAndNoTensors) {
  PrivateRun run = hua();
  EXPECT_THAT(run.refusal(testing::small_tensor()), HasSubstr("for matrices"));
  run.terms.calibration = Calibration::sound;
  EXPECT_THAT(run.refusal(testing::small_ratings()), HasSubstr("run it as published"));
}

}  // namespace
}  // namespace tulle
