#include "../../data/small_study.hpp"
#include "random_study.hpp"

#include <tulle/base/error.hpp>
#include <tulle/solve/coupled/least_squares.hpp>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace tulle {
namespace {

Control als_sweeps(int count, std::uint64_t seed = 1) {
  return {.max_iterations = count, .tolerance = 0, .seed = seed, .observer = {}};
}

// Any product of factors, negative data, zeros in closed form, with and without priors.
RC_GTEST_PROP(LeastSquares, TheObjectiveNeverIncreases, (std::uint64_t seed)) {
  Random random(seed);
  Study study = random_study(random, {.powers = {0}});
  for (Table& table : study.tables) {
    table.power = 0;
    for (float& value : table.data.values()) value -= 2;
  }
  study.normal_priors.resize(study.priors.size());
  for (auto& prior : study.normal_priors)
    if (random.chance(0.5)) prior = NormalPrior{0.1 + random.uniform()};
  const auto fit = fit_least_squares(study, {}, als_sweeps(8, seed));
  for (std::size_t i = 1; i < fit.history.size(); ++i) {
    const double before = fit.history[i - 1].objective, after = fit.history[i].objective;
    RC_ASSERT(after <= before + 1e-8 * (1 + std::abs(before)));
  }
}

TEST(LeastSquares, FindsAMatrixOfItsRankExactly) {
  SparseTensor data(Shape{6, 5}, Unlisted::missing);
  for (Index i = 0; i < 6; ++i)
    for (Index j = 0; j < 5; ++j)
      data.append(std::array{i, j}, static_cast<float>(i) - 2.0f * static_cast<float>(j) + 1.0f);
  const auto fit = fit_least_squares(matrix_study(data, 0, 2), {}, als_sweeps(100));
  EXPECT_NEAR(fit.history.back().objective, 0, 1e-9);
}

// With X = x, one cell: the minimum of (x - u p)^2 / 2 + u^2 / 2v over u is x p / (p^2 + 1 / v).
TEST(LeastSquares, APriorShrinks) {
  Study study = matrix_study(SparseTensor(Cells(Shape{1, 1}, {{0}, {0}}), {-6}, Unlisted::missing), 0, 1);
  study.normal_priors = {NormalPrior{2}, std::nullopt};
  Coupled start = study.model;
  start.factors[0].values = {1};
  start.factors[1].values = {2};
  const auto fit = fit_least_squares(study, {.start = &start}, als_sweeps(1));
  EXPECT_NEAR(fit.model.factors[0].values[0], -12 / 4.5, 1e-9);
  EXPECT_NEAR(fit.model.factors[1].values[0], -6 / (-12 / 4.5), 1e-9);
}

TEST(LeastSquares, IsForEuclideanTables) {
  EXPECT_THROW(fit_least_squares(matrix_study(small_counts(Unlisted::missing), 1, 1), {}, als_sweeps(1)),
               Error);
  Study study = matrix_study(small_counts(Unlisted::missing), 0, 1);
  study.priors[0] = GammaPrior{};
  EXPECT_THROW(fit_least_squares(study, {}, als_sweeps(1)), Error);
}

}  // namespace
}  // namespace tulle
