#include <tulle/base/error.hpp>
#include <tulle/data/class_scores.hpp>

#include <gtest/gtest.h>

#include <cmath>

namespace tulle {
namespace {

TEST(ClassScores, AreThoseOfTheirDefinitions) {
  FloatMatrix probabilities(4, 2);
  probabilities << 0.75f, 0.25f, 0.75f, 0.25f, 0.75f, 0.25f, 0.25f, 0.75f;
  const ClassScores scores = score_classes(probabilities, std::vector{0, 0, 1, 1});
  EXPECT_EQ(scores.examples, 4u);
  EXPECT_DOUBLE_EQ(scores.accuracy, 0.75);
  EXPECT_NEAR(scores.cross_entropy, -(3 * std::log(0.75) + std::log(0.25)) / 4, 1e-12);
  EXPECT_NEAR(scores.calibration_error, 0, 1e-12);  // three of four are right at confidence 3/4
  EXPECT_NEAR(scores.entropy, -0.75 * std::log(0.75) - 0.25 * std::log(0.25), 1e-12);
}

TEST(ClassScores, KnowWrongConfidence) {
  FloatMatrix certain(2, 2);
  certain << 1, 0, 1, 0;
  const ClassScores scores = score_classes(certain, std::vector{0, 1});
  EXPECT_DOUBLE_EQ(scores.calibration_error, 0.5);
  EXPECT_DOUBLE_EQ(scores.entropy, 0);
  EXPECT_THROW(score_classes(certain, std::vector{0}), Error);
}

TEST(ClassScores, OfALabelThatIsNoClassAreAsIfItWereImpossible) {
  FloatMatrix even(2, 2);
  even << 0.5f, 0.5f, 0.5f, 0.5f;
  const ClassScores scores = score_classes(even, std::vector{-1, 2});
  EXPECT_EQ(scores.accuracy, 0);
  EXPECT_NEAR(scores.cross_entropy, -std::log(1e-30), 1e-9);
}

TEST(ClassScores, AreDividedByConfidence) {
  FloatMatrix probabilities(3, 2);
  probabilities << 0.75f, 0.25f, 0.25f, 0.75f, 1, 0;
  const ClassScores scores = score_classes(probabilities, std::vector{0, 0, 0});
  EXPECT_EQ(scores.bins[7].examples, 2u);
  EXPECT_DOUBLE_EQ(scores.bins[7].confidence, 0.75);
  EXPECT_DOUBLE_EQ(scores.bins[7].accuracy, 0.5);
  EXPECT_EQ(scores.bins[9].examples, 1u);
  EXPECT_EQ(scores.bins[0].examples, 0u);
}

TEST(ClassScores, OfNoExamplesAreNoNumbers) {
  const ClassScores scores = score_classes(FloatMatrix(0, 2), {});
  EXPECT_EQ(scores.examples, 0u);
  EXPECT_TRUE(std::isnan(scores.accuracy));
}

TEST(ClassScores, TakeProbabilitiesThatAreNoNumbersForNoConfidence) {
  const FloatMatrix probabilities = FloatMatrix::Constant(2, 2, std::nanf(""));
  EXPECT_LE(score_classes(probabilities, std::vector{0, 1}).calibration_error, 1);
}

}  // namespace
}  // namespace tulle
