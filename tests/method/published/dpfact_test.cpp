#include "method/private_run.hpp"

#include <gtest/gtest.h>

namespace tulle {
namespace {

using testing::PrivateRun;

SparseTensor data() {
  return observe(generate_cp(Shape{10, 9, 8}, 2, 3).noisy, 0.6, 4);
}

PrivateRun dpfact() {
  PrivateRun run{"dpfact"};
  run.terms.calibration = Calibration::published;
  run.settings.set(setting::steps, 5);
  return run;
}

TEST(DpFact, KeepsUsersAtTheirSites) {
  const Completion completion = dpfact()(data());
  EXPECT_EQ(completion.guarantee.status, Guarantee::Status::claimed);
  EXPECT_TRUE(completion.guarantee.joint);
  EXPECT_EQ(testing::cp(completion).factors[0].squaredNorm(), 0);
  ASSERT_TRUE(completion.with_user_rows);
  EXPECT_GT(std::get<Cp>(open_for_the_data_owner(*completion.with_user_rows)).factors[0].squaredNorm(), 0);
  EXPECT_EQ(completion.guarantee.releases.size(), 5u * 5 * 2);  // epochs, sites, shared modes
}

TEST(DpFact, FindsTheLevelWhenThereIsLittleNoise) {
  const Synthetic made = generate_cp(Shape{10, 9, 8}, 1, 3, 100);
  PrivateRun run = dpfact();
  run.terms.budget = {1e6, 1e-6};
  run.settings.set(setting::steps, 50);
  run.settings.set(setting::learning_rate, 0.1);
  const Completion completion = run(observe(made.noisy, 0.9, 4));
  // It starts at more than three times as much.
  EXPECT_LT(testing::rmse(open_for_the_data_owner(*completion.with_user_rows), made.truth),
            1.1 * testing::deviation_of(made.truth));
}

TEST(DpFact, HasNoSoundForm) {
  PrivateRun run = dpfact();
  run.terms.calibration = Calibration::sound;
  EXPECT_NE(run.refusal(data()).find("run it as published"), std::string::npos);
}

}  // namespace
}  // namespace tulle
