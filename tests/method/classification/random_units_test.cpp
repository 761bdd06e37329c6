#include "classification/random_units.hpp"

#include <tulle/base/random.hpp>

#include <gtest/gtest.h>

namespace tulle {
namespace {

FloatMatrix unit_vectors(Eigen::Index count, Eigen::Index size) {
  Random random(1);
  FloatMatrix rows(count, size);
  for (float& value : rows.reshaped<Eigen::RowMajor>()) value = static_cast<float>(random.normal());
  return rows.rowwise().normalized();
}

// Of vectors in all directions the expected means are right but for the different lengths of the weights.
TEST(RandomUnits, AreCentredAndOfTheStatedNorm) {
  const FloatMatrix x = unit_vectors(4000, 20);
  const RandomUnits units = random_units(FloatVector::Zero(20), 300, 1);
  const FloatMatrix found = units.of(x);
  EXPECT_NEAR(found.rowwise().squaredNorm().mean(), kUnitNorm * kUnitNorm, 0.15 * kUnitNorm * kUnitNorm);
  EXPECT_LT(found.colwise().mean().norm(), 0.2 * kUnitNorm);
}

TEST(RandomUnits, AreALayerOfANetwork) {
  const FloatMatrix x = unit_vectors(10, 5);
  const RandomUnits units = random_units(FloatVector::Constant(5, 0.1f), 30, 2);
  const NetworkLayer last{FloatMatrix::Random(30, 3), FloatVector::Random(3)};
  FloatMatrix expected = units.of(x) * last.weights;
  expected.rowwise() += last.bias;
  softmax_rows(expected);
  const Network network{joined(units, last), Activation::relu, 0, 1, {}, {"a", "b", "c"}};
  EXPECT_LT((network.probabilities_of_prepared(x) - expected).cwiseAbs().maxCoeff(), 1e-4f);
}

TEST(ValuesAndUnits, AreTwoLayersOfANetworkAndHaveTheNormOfTheValues) {
  const Eigen::Index features = 7;
  const FloatMatrix x = std::sqrt(7.0f) * unit_vectors(500, features);
  const ValuesAndUnits both{random_units(FloatVector::Zero(features), 200, 2)};
  const FloatMatrix found = both.of(x);
  EXPECT_NEAR(found.rowwise().squaredNorm().mean(), 7, 1);
  for (const Eigen::Index classes : {3, 30}) {
    const NetworkLayer last{FloatMatrix::Random(found.cols(), classes), FloatVector::Random(classes)};
    FloatMatrix expected = found * last.weights;
    expected.rowwise() += last.bias;
    softmax_rows(expected);
    const Network network{joined(both, last),
                          Activation::relu,
                          0,
                          1,
                          {},
                          std::vector<std::string>(static_cast<std::size_t>(classes))};
    EXPECT_LT((network.probabilities_of_prepared(x) - expected).cwiseAbs().maxCoeff(), 1e-4f);
  }
}

// An identity of classes x classes would be gigabytes.
TEST(ValuesAndUnits, GrowWithTheClassesAndNotWithTheirSquare) {
  const ValuesAndUnits both{random_units(FloatVector::Zero(4), 10, 2)};
  const Eigen::Index classes = 30'000;
  const auto layers = joined(both, {FloatMatrix::Zero(14, classes), FloatVector::Zero(classes)});
  EXPECT_EQ(layers[1].weights.rows(), 10 + 2 * 4);
}

}  // namespace
}  // namespace tulle
