#include "method/private_run.hpp"

#include <tulle/base/random.hpp>
#include <tulle/base/threads.hpp>
#include <tulle/data/metrics.hpp>
#include <tulle/tensor/kernels/ttm.hpp>
#include <tulle/tensor/tubal/tsvd.hpp>

#include <gtest/gtest.h>

#include <cmath>

namespace tulle {
namespace {

// Smooth in all modes, of values in [0, 1].
DenseTensor smooth(const Shape& shape) {
  DenseTensor tensor(shape);
  for (std::size_t place = 0; place < tensor.size(); ++place) {
    double x[4] = {};
    for (int mode = 0; mode < shape.order(); ++mode)
      x[mode] = static_cast<double>(place / shape.stride(mode) % shape[mode]) / shape[mode];
    tensor.values()[place] = 0.5 + 0.25 * std::sin(4 * x[0] + 2 * x[2]) + 0.25 * std::cos(5 * x[1] + x[3]);
  }
  return tensor;
}

testing::PrivateRun one_shot(double epsilon, double delta = 0) {
  testing::PrivateRun run{.method = "one-shot"};
  run.terms.budget = {epsilon, delta};
  run.fit = {.model = ModelKind::tubal, .seed = 1};
  return run;
}

bool blocks_were_released(const Completion& completion) {
  return completion.guarantee.releases.at(1).what.find("blocks") != std::string::npos;
}

TEST(OneShotTubal, ReleasesAlikeNeighboursTogether) {
  const DenseTensor truth = smooth({48, 40, 20});
  const SparseTensor data = observe(truth, 0.5, 1);
  double last = testing::deviation_of(truth);
  for (double epsilon : {0.3, 1.0, 5.0}) {
    const Completion fit = one_shot(epsilon)(data);
    EXPECT_TRUE(blocks_were_released(fit)) << epsilon;
    EXPECT_EQ(fit.guarantee.status, Guarantee::Status::proven);
    EXPECT_NEAR(fit.guarantee.used.epsilon, epsilon, 1e-9);
    const double error = testing::rmse(fit.model, truth);
    EXPECT_LT(error, 0.75 * last) << epsilon;
    last = error;
  }
  EXPECT_LT(last, 0.02);
}

TEST(OneShotTubal, TakesFourModesAndADelta) {
  const DenseTensor truth = smooth({24, 20, 8, 8});
  for (double delta : {0.0, 1e-6}) {
    const Completion fit = one_shot(1, delta)(observe(truth, 0.5, 1));
    EXPECT_EQ(shape(fit.model).text(), "24x20x8x8");
    EXPECT_LE(fit.guarantee.used.epsilon, 1 + 1e-9);
    EXPECT_LT(testing::rmse(fit.model, truth), 0.5 * testing::deviation_of(truth));
  }
}

// Positions of a tensor of random factors have no neighbours that are alike.
TEST(OneShotTubal, ReleasesEntriesWhereNeighboursDiffer) {
  DenseTensor truth = generate_tubal(Shape{30, 30, 4}, 1, 1).truth;
  double most = 0;
  for (double value : truth.values()) most = std::max(most, std::abs(value));
  testing::PrivateRun run = one_shot(18);
  run.terms.range = {-most, most};
  const SparseTensor data = observe(truth, 0.6, 1);
  const Completion fit = run(data);
  EXPECT_FALSE(blocks_were_released(fit));
  EXPECT_LT(testing::rmse(fit.model, truth), 0.1 * testing::deviation_of(truth));
  run.fit.ranks = {1};
  EXPECT_EQ(std::get<Tubal>(run(data).model).rank(), 1);
}

TEST(OneShotTubal, IsNeverMuchWorseThanTheMean) {
  const DenseTensor rough = generate_cp(Shape{20, 20, 10}, 3, 2, 10).noisy, even = smooth({20, 20, 10});
  for (const DenseTensor* truth : {&rough, &even})
    for (double epsilon : {0.1, 1.0, 3.0})
      for (std::uint64_t seed : {1, 2}) {
        testing::PrivateRun run = one_shot(epsilon);
        run.terms.seed = seed;
        const double error = testing::rmse(run(observe(*truth, 0.5, 1)).model, *truth);
        const double noise_of_mean = epsilon < 1 ? 0.02 : 0;  // of 2000 entries
        EXPECT_LT(error, 1.02 * testing::deviation_of(*truth) + noise_of_mean) << epsilon;
      }
}

TEST(OneShotTubal, NoiseDoesNotDependOnTheData) {
  const SparseTensor data = observe(smooth({24, 24, 12}), 0.5, 1);
  SparseTensor neighbour = data;
  neighbour.values()[0] = 1 - neighbour.values()[0];
  const testing::PrivateRun run = one_shot(5);
  const Guarantee before = run(data).guarantee, after = run(neighbour).guarantee;
  ASSERT_EQ(before.releases.size(), after.releases.size());
  for (std::size_t i = 0; i < before.releases.size(); ++i)
    EXPECT_EQ(before.releases[i].deviation, after.releases[i].deviation);
}

TEST(OneShotTubal, DoesNotDependOnThreads) {
  const SparseTensor data = observe(smooth({24, 20, 8}), 0.5, 1);
  const int before = threads();
  set_threads(1);
  const DenseTensor one = reconstruct(one_shot(2)(data).model);
  set_threads(2);
  const DenseTensor two = reconstruct(one_shot(2)(data).model);
  set_threads(before);
  EXPECT_LT(rmse(one.values(), two.values()), 1e-10);
}

TEST(OneShotTubal, RefusesBeforeItReleases) {
  testing::PrivateRun run = one_shot(1);
  SparseTensor matrix(Shape{3, 4}, Unlisted::missing);
  matrix.append(std::array<Index, 2>{0, 0}, 1);
  EXPECT_EQ(run.refusal(matrix),
            "a tubal model needs 3 modes or more, but this is a 3x4 matrix; use a cp model for matrices");
  run.fit.ranks = {2, 2};
  EXPECT_EQ(run.refusal(testing::small_tensor()), "tubal takes one rank, not 2");
  run.fit.ranks = {};
  run.fit.solver = Solver::sgd;
  EXPECT_EQ(run.refusal(testing::small_tensor()), "there is no solver 'sgd' for tubal here; there is: admm");
  run.fit.solver.reset();
  run.fit.biases = true;
  EXPECT_EQ(run.refusal(testing::small_tensor()),
            "method one-shot does not read FitOptions::biases; omit it");
  run.fit.biases = false;
  EXPECT_EQ(run.refusal(testing::small_tensor()), "no error") << "one cell: the mean";
}

}  // namespace
}  // namespace tulle
