#include "solve/network/some_network.hpp"

#include <tulle/solve/network/network_pass.hpp>

#include <gtest/gtest.h>

namespace tulle {
namespace {

using testing::some_examples;
using testing::some_parameters;

double loss_at(const NetworkLayout& layout, const std::vector<double>& parameters,
               const testing::SomeExamples& some, const std::vector<FloatMatrix>& factors = {}) {
  NetworkPass pass(layout, parameters);
  pass.forward(some.values, factors);
  return pass.loss(some.labels);
}

std::vector<double> gradient_at(const NetworkLayout& layout, const std::vector<double>& parameters,
                                const testing::SomeExamples& some,
                                const std::vector<FloatMatrix>& factors = {}) {
  NetworkPass pass(layout, parameters);
  pass.forward(some.values, factors);
  pass.backward(some.labels);
  std::vector<double> sum(layout.size());
  pass.add_gradients(sum);
  return sum;
}

// Central differences of a loss in float32: exact to about 1e-3 at this step.
void expect_gradient(const NetworkLayout& layout, const std::vector<FloatMatrix>& factors = {}) {
  constexpr double kStep = 1e-2;
  const auto some = some_examples(6, layout.inputs(0), static_cast<int>(layout.classes()));
  std::vector<double> parameters = some_parameters(layout);
  const std::vector<double> gradient = gradient_at(layout, parameters, some, factors);
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    const double before = parameters[i];
    parameters[i] = before + kStep;
    const double above = loss_at(layout, parameters, some, factors);
    parameters[i] = before - kStep;
    const double below = loss_at(layout, parameters, some, factors);
    parameters[i] = before;
    EXPECT_NEAR(gradient[i], (above - below) / (2 * kStep), 5e-3) << i;
  }
}

TEST(NetworkPass, HasTheGradientOfItsLoss) {
  for (Activation activation : {Activation::relu, Activation::sigmoid, Activation::tanh}) {
    expect_gradient(NetworkLayout({4, 3}, activation));
    expect_gradient(NetworkLayout({4, 5, 3}, activation));
    expect_gradient(NetworkLayout({3, 4, 4, 2}, activation));
  }
}

TEST(NetworkPass, HasTheGradientOfItsLossUnderDropout) {
  for (Activation activation : {Activation::relu, Activation::sigmoid, Activation::tanh})
    expect_gradient(NetworkLayout({4, 5, 3}, activation),
                    {some_examples(6, 4, 2, 5).values, some_examples(6, 5, 2, 6).values});
}

TEST(NetworkPass, OtherParametersLeaveNothingOfThoseBefore) {
  const NetworkLayout layout({4, 5, 3}, Activation::relu);
  const std::vector<double> parameters = some_parameters(layout), others(layout.size(), 0.25);
  const auto some = some_examples(9, 4, 3), fewer = some_examples(6, 4, 3, 7);
  NetworkPass pass(layout, others);
  std::vector<double> sum(layout.size());
  for (const auto& [values, examples] : {std::pair(others, some), std::pair(parameters, fewer)}) {
    pass.use(values);
    pass.forward(examples.values);
    pass.backward(examples.labels);
    std::ranges::fill(sum, 0.0);
    pass.add_gradients(sum);
    EXPECT_EQ(sum, gradient_at(layout, values, examples));
  }
}

TEST(NetworkPass, PredictsWhatTheModelPredicts) {
  const NetworkLayout layout({4, 5, 3}, Activation::tanh);
  const std::vector<double> parameters = some_parameters(layout);
  const auto some = some_examples(9, 4, 3);
  NetworkPass pass(layout, parameters);
  pass.forward(some.values);
  const Network model{layout.layers_of(parameters), Activation::tanh, 0, 1, {}, {"a", "b", "c"}};
  EXPECT_EQ(pass.probabilities(), model.probabilities_of_prepared(some.values));
}

}  // namespace
}  // namespace tulle
