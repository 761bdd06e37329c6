#include "method/private_run.hpp"

#include <tulle/base/threads.hpp>

#include <gtest/gtest.h>

namespace tulle {
namespace {

using testing::PrivateRun;

PrivateRun output(double epsilon = 1) {
  PrivateRun run{"output"};
  run.terms.budget.epsilon = epsilon;
  return run;
}

SparseTensor small_tensor() {
  return observe(generate_cp(Shape{10, 9, 8}, 2, 3).noisy, 0.6, 4);
}

TEST(Output, GivesWhatItPromises) {
  for (double delta : {0.0, 1e-6})
    for (ModelKind model : {ModelKind::cp, ModelKind::tucker}) {
      PrivateRun run = output();
      run.terms.budget.delta = delta;
      run.fit.model = model;
      const Guarantee guarantee = run(small_tensor()).guarantee;
      EXPECT_EQ(guarantee.status, Guarantee::Status::proven);
      EXPECT_LE(guarantee.used.epsilon, 1 + 1e-9);
      EXPECT_GT(guarantee.used.epsilon, 0.999);
      EXPECT_EQ(guarantee.used.delta, delta);
    }
}

// mechanisms: R = 1, all h = 1, n_i cells in row i: a value that moves by the width of the range moves the
// right-hand side of its row by the width, and no other; the noise is for just that.
TEST(Output, NoiseIsForOneValueOfOneRow) {
  SparseTensor tensor(Shape{3, 4}, Unlisted::missing);
  for (Index i = 0; i < 3; ++i)
    for (Index j = 0; j < 4; ++j) tensor.append(std::array<Index, 2>{i, j}, 0.5f);
  PrivateRun run{"factor"};
  run.terms.budget = {2, 0};
  run.fit.ranks = {1};
  const Guarantee guarantee = run(tensor).guarantee;
  ASSERT_EQ(guarantee.releases.size(), 2u);
  const Record& right = guarantee.releases[1];
  EXPECT_EQ(right.numbers, 3u);
  // Laplace noise of scale 2 / (0.98 epsilon) in standardised values, for derivatives of 1 or -1.
  EXPECT_NEAR(right.deviation, std::sqrt(2.0) * 2 / (0.98 * 2), 1e-4);
}

TEST(Output, LearnsWhenThereIsLittleNoise) {
  const Synthetic made = generate_cp(Shape{20, 20, 20}, 3, 11);
  PrivateRun run = output(1000);
  run.terms.budget.delta = 0;
  run.settings.set(setting::steps, 10);
  run.fit.ranks = {4};
  const Completion completion = run(observe(made.noisy, 0.5, 11));
  EXPECT_LT(testing::rmse(completion.model, made.truth), 0.7 * testing::deviation_of(made.truth));
}

// Where there is nothing to be seen for the noise, the last piece is zero and the model its level.
TEST(Output, FallsBackToTheMean) {
  const Synthetic made = generate_cp(Shape{20, 20, 20}, 3, 12);
  const Completion completion = output(0.5)(observe(made.noisy, 0.5, 12));
  EXPECT_LT(testing::rmse(completion.model, made.truth), 1.1 * testing::deviation_of(made.truth));
}

TEST(Output, DoesNotDependOnThreads) {
  const int before = threads();
  set_threads(1);
  const auto one = testing::cp(output()(small_tensor())).factors;
  set_threads(3);
  EXPECT_EQ(testing::cp(output()(small_tensor())).factors, one);
  set_threads(before);
}

PrivateRun printed(double epsilon) {
  PrivateRun run{"output"};
  run.terms.budget = {epsilon, 0};
  run.terms.calibration = Calibration::published;
  run.settings.set(setting::steps, 2);
  return run;
}

TEST(OutputAsPublished, TakesStepsOrIterations) {
  PrivateRun run = printed(1);
  run.fit.max_iterations = 50;
  EXPECT_NE(run.refusal(small_tensor()).find("give one of them"), std::string::npos);
}

// Flaw: A, B and the core are released as fitted, whatever epsilon and whatever the noise.
TEST(OutputAsPublished, ReleasesAllButOneFactorWithoutNoise) {
  PrivateRun run = printed(0.01);
  const auto first = testing::cp(run(small_tensor())).factors;
  run.terms.seed = 2;
  run.terms.budget.epsilon = 1000;
  const auto second = testing::cp(run(small_tensor())).factors;
  EXPECT_EQ(first[0], second[0]);
  EXPECT_EQ(first[1], second[1]);
  EXPECT_NE(first[2], second[2]);
  SparseTensor other = small_tensor();
  other.values()[0] += 0.01f;
  EXPECT_NE(testing::cp(run(other)).factors[0], first[0]);  // and they tell two neighbours apart for sure
}

// In sound form everything that depends on the data changes with the noise.
TEST(Output, ReleasesNothingWithoutNoise) {
  PrivateRun run = output(100);
  const auto first = testing::cp(run(small_tensor())).factors;
  run.terms.seed = 2;
  const auto second = testing::cp(run(small_tensor())).factors;
  for (int mode = 0; mode < 3; ++mode) EXPECT_NE(first[mode], second[mode]);
}

// Flaw: the scale of the noise is measured on the data, and so tells of them.
TEST(OutputAsPublished, NoiseFollowsTheData) {
  SparseTensor larger = small_tensor();
  for (float& value : larger.values()) value = 1;
  const auto deviation = [](const Completion& run) { return run.guarantee.releases.front().deviation; };
  EXPECT_NE(deviation(printed(1)(small_tensor())), deviation(printed(1)(larger)));
  PrivateRun sound = output();
  EXPECT_EQ(deviation(sound(small_tensor())), deviation(sound(larger)));
}

TEST(Output, SaysWhatIsWrong) {
  PrivateRun run = output();
  run.settings.set(setting::steps, 0);
  EXPECT_NE(run.refusal(small_tensor()).find("steps 0"), std::string::npos);
  run = output();
  run.terms.unit = Unit::user;
  EXPECT_NE(run.refusal(small_tensor()).find("does not protect unit user"), std::string::npos);
}

}  // namespace
}  // namespace tulle
