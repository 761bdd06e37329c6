#include "classification/standardization.hpp"

#include "method/classification/blobs.hpp"

#include <gtest/gtest.h>

namespace tulle {
namespace {

// With next to no noise, or with much.
Standardization standardize(LabelledExamples data, Relation relation, double noise) {
  Curator curator = Curator::with_budget({1e5, 1e-6}, Unit::example, relation, RandomBits::seeded(1));
  const auto examples =
      relation == Relation::replace ? std::optional<std::uint64_t>(data.size()) : std::nullopt;
  Network frame;
  frame.classes = data.classes;
  const ClassificationRequest request{.frame = frame,
                                      .inputs = data.values.cols(),
                                      .examples = examples,
                                      .relation = relation,
                                      .budget = {},
                                      .settings = {},
                                      .options = {},
                                      .data = Protected<LabelledExamples>(std::move(data))};
  return release_standardization(request, curator, noise);
}

TEST(Standardization, GivesFeaturesMeanZeroAndVarianceOneWhereTheNoiseIsSmall) {
  for (const Relation relation : {Relation::add_remove, Relation::replace}) {
    LabelledExamples data = testing::blobs(2000);
    data.values.col(1) = data.values.col(1) * 0.3f + FloatVector::Constant(2000, 0.1f).transpose();
    const Standardization standard = standardize(data, relation, 0.1);
    EXPECT_NEAR(standard.examples, 2000, 1);
    EXPECT_NEAR(standard.shares.sum(), 1, 1e-12);
    const FloatMatrix found = standard.of(data.values);
    for (Eigen::Index j = 0; j < found.cols(); ++j) {
      EXPECT_NEAR(found.col(j).mean(), 0, 0.01);
      EXPECT_NEAR(found.col(j).squaredNorm() / 2000, 1, 0.1);
    }
  }
}

TEST(Standardization, DependsOnTheRangeAloneWhereTheNoiseIsLarge) {
  const Standardization standard = standardize(testing::blobs(20), Relation::add_remove, 1e4);
  EXPECT_GT(standard.shares.minCoeff(), 0);
  // Variances of features on [-1, 1] between their least expected one and that of uniform values.
  EXPECT_GE(standard.scale.minCoeff(), 2 / std::sqrt(1.0 / 3) - 1e-5);
  EXPECT_LE(standard.scale.maxCoeff(), 2 / std::sqrt(0.002) + 1e-5);
}

TEST(Standardization, CountsNoExamples) {
  const Standardization standard = standardize(testing::blobs(0), Relation::add_remove, 1);
  EXPECT_GE(standard.examples, 1);
  EXPECT_TRUE(standard.centre.allFinite() && standard.scale.allFinite());
}

}  // namespace
}  // namespace tulle
