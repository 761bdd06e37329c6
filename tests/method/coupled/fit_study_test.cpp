#include "../../data/small_study.hpp"

#include <tulle/base/error.hpp>
#include <tulle/method/coupled.hpp>

#include <gtest/gtest.h>

namespace tulle {
namespace {

TEST(FitStudy, NamesItsInferences) {
  for (Inference inference : {Inference::ml, Inference::map, Inference::vb})
    EXPECT_EQ(inference_of(name(inference)), inference);
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
}

}  // namespace
}  // namespace tulle
