#include "../../data/small_study.hpp"

#include <tulle/base/error.hpp>
#include <tulle/method/coupled.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <array>

namespace tulle {
namespace {

TEST(FitStudy, NamesItsInferences) {
  EXPECT_EQ(inference_names().size(), 9u);
  for (const std::string& text : inference_names()) EXPECT_EQ(name(inference_of(text)), text);
  EXPECT_THROW(inference_of("mcmc"), UsageError);
}

TEST(FitStudy, MoreStartsAreNoWorse) {
  const Study study = matrix_study(small_counts(Unlisted::zero), 1, 2);
  double before = std::numeric_limits<double>::infinity();
  for (int starts : {1, 2, 6}) {
    const CoupledFit fit = fit_study(study, {.starts = starts, .seed = 4});
    EXPECT_LE(fit.history.back().objective, before);
    before = fit.history.back().objective;
  }
}

TEST(FitStudy, VariationalInferenceKnowsShapes) {
  const Study study = matrix_study(small_counts(Unlisted::zero), 1, 2);
  EXPECT_EQ(fit_study(study, {.inference = Inference::vb}).posterior.shapes.size(), 2u);
  EXPECT_TRUE(fit_study(study, {}).posterior.shapes.empty());
}

TEST(FitStudy, SamplersReturnSamplesAndPointsNone) {
  constexpr std::array kOthers = {Inference::map, Inference::als, Inference::hals};  // of other studies
  const Study counts = matrix_study(small_counts(Unlisted::zero), 1, 2);
  for (const std::string& text : inference_names()) {
    const Inference inference = inference_of(text);
    if (std::ranges::find(kOthers, inference) != kOthers.end()) continue;
    const auto posterior =
        fit_study(counts, {.inference = inference, .max_iterations = 20, .samples = 5}).posterior;
    EXPECT_EQ(posterior.samples.size(), is_sampler(inference) ? 5u : 0u) << text;
  }
  const Study squares = matrix_study(small_counts(Unlisted::zero), 0, 2);
  for (Inference inference : {Inference::als, Inference::hals})
    EXPECT_TRUE(fit_study(squares, {.inference = inference}).converged);
}

TEST(FitStudy, SaysWhereZerosAreSampled) {
  SparseTensor data(Shape{1000, 1000}, Unlisted::zero);
  data.append(std::array<Index, 2>{3, 4}, 2);
  Study study = matrix_study(std::move(data), 1.5, 1);
  const auto remarks = fit_study(study, {.max_iterations = 1}).remarks;
  ASSERT_EQ(remarks.size(), 1u);
  EXPECT_EQ(remarks[0],
            "relation X: divergence p = 1.5 has no closed form for zeros; 65536 of them were sampled");
}

TEST(FitStudy, RefusesWhatDoesNotFit) {
  const Study study = matrix_study(small_counts(Unlisted::zero), 1, 2);
  EXPECT_THROW(fit_study(study, {.starts = 0}), UsageError);
  EXPECT_THROW(fit_study(study, {.inference = Inference::map}), UsageError);
  EXPECT_THROW(fit_study(study, {.inference = Inference::vb, .estimate_dispersion = true}), UsageError);
  EXPECT_THROW(fit_study(study, {.inference = Inference::gibbs, .starts = 2}), UsageError);
}

// The small counts, in which one user has no cell, with one more such user and one such place.
Study with_unknown_user(double power) {
  SparseTensor data(Shape{6, 5}, Unlisted::missing);
  const SparseTensor counts = small_counts(Unlisted::missing);
  for (std::size_t entry = 0; entry < counts.size(); ++entry)
    data.append(std::array{counts.column(0)[entry], counts.column(1)[entry]}, counts.values()[entry]);
  return matrix_study(std::move(data), power, 2);
}

TEST(FitStudy, RowsWithoutCellsAreZeroForPoints) {
  for (Inference inference : {Inference::ml, Inference::als, Inference::hals, Inference::sgd_map}) {
    const bool squares = inference == Inference::als || inference == Inference::hals;
    const CoupledFit fit =
        fit_study(with_unknown_user(squares ? 0 : 1), {.inference = inference, .max_iterations = 5});
    const std::vector<double>& users = fit.posterior.mean.factors[0].values;
    EXPECT_EQ(std::vector(users.begin() + 10, users.end()), (std::vector<double>{0, 0})) << name(inference);
    EXPECT_NE(users[8], 0) << name(inference);
    ASSERT_GE(fit.remarks.size(), 2u);
    EXPECT_EQ(std::vector(fit.remarks.begin(), fit.remarks.begin() + 2),
              (std::vector<std::string>{
                  "factor U: 2 of 6 rows have no known cell; they are 0, and so is what they predict",
                  "factor P: 1 of 5 rows have no known cell; they are 0, and so is what they predict"}));
  }
}

TEST(FitStudy, RowsWithoutCellsFollowAPrior) {
  Study study = with_unknown_user(1);
  study.priors[0] = GammaPrior{2, 3};
  const CoupledFit map = fit_study(study, {.inference = Inference::map, .max_iterations = 50});
  EXPECT_NEAR(map.posterior.mean.factors[0].values[10], 1.5, 1e-12);  // (shape - 1) / rate
  EXPECT_EQ(map.posterior.mean.factors[1].values[8], 0);
  EXPECT_EQ(map.remarks[0], "factor U: 2 of 6 rows have no known cell; they follow the prior alone");
  for (Inference inference : {Inference::vb, Inference::gibbs})
    EXPECT_GT(
        fit_study(study, {.inference = inference, .max_iterations = 20}).posterior.mean.factors[1].values[8],
        0)
        << name(inference);
}

TEST(FitStudy, TakesGibbsForEuclideanTablesWithMissingCells) {
  const auto chosen = [](Unlisted unlisted, double power) {
    return inference_for(matrix_study(small_counts(unlisted), power, 2));
  };
  EXPECT_EQ(chosen(Unlisted::missing, 0), Inference::gibbs);
  EXPECT_EQ(chosen(Unlisted::zero, 0), Inference::ml);
  EXPECT_EQ(chosen(Unlisted::missing, 1), Inference::ml);
  Study positive = matrix_study(small_counts(Unlisted::missing), 0, 2);
  positive.priors[0] = GammaPrior{};
  EXPECT_EQ(inference_for(positive), Inference::ml);
}

TEST(FitStudy, RemarksThatLeastSquaresWithoutAPriorFitNoise) {
  Study study = matrix_study(small_counts(Unlisted::missing), 0, 2);
  const auto warns = [&](Inference inference) {
    const std::vector<std::string> remarks =
        fit_study(study, {.inference = inference, .max_iterations = 2}).remarks;
    return std::ranges::any_of(
        remarks, [](const std::string& text) { return text.find("fits noise") != std::string::npos; });
  };
  EXPECT_TRUE(warns(Inference::als));
  EXPECT_FALSE(warns(Inference::gibbs));
  study.normal_priors.assign(2, NormalPrior{});
  EXPECT_FALSE(warns(Inference::als));
}

}  // namespace
}  // namespace tulle
