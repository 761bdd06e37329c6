#include "topics/mixture_steps.hpp"

#include "method/topics/samples.hpp"
#include "topics/mixture.hpp"

#include <rapidcheck/gtest.h>

namespace tulle {
namespace {

using namespace testing;

Topics corners(double variance) {
  return {Matrix::Identity(4, 3), Vector::Constant(3, 1.0 / 3), variance};
}

Noisy without_noise(std::vector<double> values) {
  return {std::move(values), 0};
}

// One component: all rows belong to it, and ways longer than the reach are shortened.
TEST(MixtureSteps, SumShortenedWaysFromTheMean) {
  const Topics one{Matrix::Zero(2, 1), Vector::Ones(1), 1};
  const StepBounds bounds{.reach = 2, .membership = 3};
  const Matrix rows{{1, 0}, {0, -5}, {3, 4}};
  const auto sums = step_sums(rows, one, bounds);
  ASSERT_EQ(sums.size(), 3u);
  EXPECT_NEAR(sums[0], 1 + 2 * 0.6, 1e-12);
  EXPECT_NEAR(sums[1], -2 + 2 * 0.8, 1e-12);
  EXPECT_NEAR(sums[2], 3 * 3, 1e-12);
}

TEST(MixtureSteps, LeadToTheMeansAndShares) {
  const Matrix means = Matrix::Identity(4, 3);
  const Samples samples = made_up_mixture(means, 0.2, 20000, 3);
  Topics mixture = corners(0.04);
  mixture.topics.array() += 0.1;
  mixture.weights = Vector{{0.6, 0.2, 0.2}};
  for (int step = 0; step < 20; ++step) {
    const StepBounds bounds = step_bounds(mixture);
    mixture = after_step(mixture, bounds, without_noise(step_sums(samples.rows, mixture, bounds)), 20000);
  }
  // A mean of 6,700 rows has a deviation of 0.0025 in each coordinate; shares one of 0.0034.
  EXPECT_LT((mixture.topics.colwise().norm().array() - 1).abs().maxCoeff(), 0.02);
  EXPECT_LT((mixture.topics - means).cwiseAbs().maxCoeff(), 0.015);
  EXPECT_LT((mixture.weights.array() - 1.0 / 3).abs().maxCoeff(), 0.02);
}

TEST(MixtureSteps, HardlyFollowSumsThatAreNoise) {
  const Topics before = corners(0.04);
  const std::vector<double> sums(15, 5.0);  // of length 10 for each mean, where noise has one of 20
  const Topics after = after_step(before, step_bounds(before), {sums, 10}, 1000);
  EXPECT_EQ(after.topics, before.topics);
}

// What the noise is for, with rows near and far and components that overlap.
RC_GTEST_PROP(MixtureSteps, AReplacedRowMovesNoMoreThanPromised, ()) {
  const auto number = [] { return *rc::gen::inRange(-1000, 1000) / 1000.0; };
  const auto row = [&] { return Eigen::RowVectorXd{{number(), number(), number(), number()}}; };
  Topics mixture = corners(*rc::gen::element(1e-4, 0.01, 1.0));
  for (double& cell : mixture.topics.reshaped()) cell = number();
  const StepBounds bounds = step_bounds(mixture);
  const TopicRequest request{
      .words = 4, .documents = 1, .options = {.topics = 3}, .data = Protected(Matrix())};
  const auto one = step_sums(row(), mixture, bounds), other = step_sums(row(), mixture, bounds);
  double squares = 0;
  for (std::size_t i = 0; i < one.size(); ++i) squares += (one[i] - other[i]) * (one[i] - other[i]);
  RC_ASSERT(std::sqrt(squares) <= replaced_step(request, bounds));
}

}  // namespace
}  // namespace tulle
