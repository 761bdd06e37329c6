#include <tulle/base/error.hpp>
#include <tulle/model/network.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace tulle {
namespace {

// Two inputs, no hidden layer: the score of class 0 is x, that of class 1 is y.
Network two_classes() {
  NetworkLayer layer{FloatMatrix::Identity(2, 2), FloatVector::Zero(2)};
  return {{layer}, Activation::relu, 0, 10, {}, {"x", "y"}};
}

TEST(Network, HasTheProbabilitiesOfASoftmax) {
  FloatMatrix examples(2, 2);
  examples << 10, 0, 5, 5;
  const FloatMatrix probabilities = two_classes().probabilities(examples);
  EXPECT_NEAR(probabilities(0, 0), 1 / (1 + std::exp(-1.0)), 1e-6);
  EXPECT_NEAR(probabilities(1, 1), 0.5, 1e-6);
  EXPECT_EQ(most_probable(probabilities)[0], 0);
}

TEST(Network, ClampsExamplesToItsRange) {
  FloatMatrix examples(3, 2);
  examples << 1e30f, -5, std::numeric_limits<float>::quiet_NaN(), 0, 10, 0;
  const FloatMatrix probabilities = two_classes().probabilities(examples);
  EXPECT_EQ(probabilities.row(0), probabilities.row(2));
  EXPECT_NEAR(probabilities(1, 0), 0.5, 1e-6);
}

TEST(Network, ClampsEachValueToBoundsOfItsOwn) {
  Network model = two_classes();
  model.bounds = {{0, 10}, {-1, 1}};
  FloatMatrix examples(2, 2);
  examples << 5, 0, 99, 1;
  const FloatMatrix probabilities = model.probabilities(examples);
  EXPECT_NEAR(probabilities(0, 0), 0.5, 1e-6);
  EXPECT_NEAR(probabilities(1, 0), 0.5, 1e-6);
  model.bounds.pop_back();
  EXPECT_THROW(check(model), Error);
  model.bounds = {{0, 10}, {1, 1}};
  EXPECT_THROW(check(model), Error);
}

TEST(Network, AppliesItsActivationBetweenLayers) {
  for (const auto& [activation, expected] : {std::pair{Activation::relu, 0.0},
                                             {Activation::sigmoid, 1 / (1 + std::exp(2.0))},
                                             {Activation::tanh, std::tanh(-2)}}) {
    FloatMatrix values = FloatMatrix::Constant(1, 1, -2);
    activate(activation, values);
    EXPECT_NEAR(values(0, 0), expected, 1e-6) << name(activation);
    EXPECT_EQ(activation_of(name(activation)), activation);
  }
}

TEST(Network, IsCheckedForItsSizes) {
  EXPECT_NO_THROW(check(two_classes()));
  Network model = two_classes();
  model.classes.pop_back();
  EXPECT_THROW(check(model), Error);
  model = two_classes();
  model.layers.push_back({FloatMatrix::Zero(3, 2), FloatVector::Zero(2)});
  EXPECT_THROW(check(model), Error);
  model = two_classes();
  EXPECT_THROW(model.probabilities(FloatMatrix::Zero(1, 3)), Error);
  model.high = model.low;
  EXPECT_THROW(check(model), Error);
  EXPECT_THROW(check(Network{}), Error);
}

}  // namespace
}  // namespace tulle
