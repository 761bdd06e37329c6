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

}  // namespace
}  // namespace tulle
