#include "solve/network/some_network.hpp"

#include <tulle/base/error.hpp>
#include <tulle/base/threads.hpp>
#include <tulle/solve/network/example_gradients.hpp>
#include <tulle/solve/network/network_pass.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

namespace tulle {
namespace {

using testing::some_examples;
using testing::some_parameters;

std::vector<std::uint64_t> first_examples(std::size_t count) {
  std::vector<std::uint64_t> all(count);
  std::iota(all.begin(), all.end(), std::uint64_t{0});
  return all;
}

ExampleGradients some_gradients(const NetworkLayout& layout, Eigen::Index count) {
  auto some = some_examples(count, layout.inputs(0), static_cast<int>(layout.classes()));
  return {some.values, some.labels, layout};
}

// The negative gradient of one example, written out.
std::vector<double> way_down(const NetworkLayout& layout, const std::vector<double>& parameters,
                             Eigen::Index count, std::uint64_t example) {
  const auto some = some_examples(count, layout.inputs(0), static_cast<int>(layout.classes()));
  NetworkPass pass(layout, parameters);
  pass.forward(some.values.row(static_cast<Eigen::Index>(example)));
  pass.backward(std::vector{some.labels[example]});
  std::vector<double> sum(layout.size());
  pass.add_gradients(sum);
  for (double& number : sum) number = -number;
  return sum;
}

double norm_of(const std::vector<double>& numbers) {
  return std::sqrt(std::inner_product(numbers.begin(), numbers.end(), numbers.begin(), 0.0));
}

TEST(ExampleGradients, AddUpClippedOrWhole) {
  const NetworkLayout layout({6, 5, 3});
  const std::vector<double> parameters = some_parameters(layout);
  const ExampleGradients gradients = some_gradients(layout, 20);
  for (double clip : {0.5, 2.0, 1000.0}) {
    std::vector<double> expected(layout.size());
    std::size_t whole = 0;
    for (std::uint64_t example = 0; example < 20; ++example) {
      const std::vector<double> one = way_down(layout, parameters, 20, example);
      const double keep = std::min(1.0, clip / norm_of(one));
      whole += keep == 1;
      for (std::size_t i = 0; i < one.size(); ++i) expected[i] += keep * one[i];
    }
    const ClippedSum sum = gradients.sum(parameters, first_examples(20), clip);
    EXPECT_EQ(sum.whole, whole);
    EXPECT_EQ(sum.clipped, 20 - whole);
    // 20 examples, each rounded by 2^-15 of the clip and shortened by less than 2^-12 of it.
    for (std::size_t i = 0; i < expected.size(); ++i)
      EXPECT_NEAR(sum.numbers[i], expected[i], 20 * clip * (0x1p-15 + 0x1p-12)) << clip;
  }
}

TEST(ExampleGradients, AddNoMoreThanTheClipEach) {
  const NetworkLayout layout({200, 300, 3});
  std::vector<double> parameters = some_parameters(layout);
  for (double& parameter : parameters) parameter /= 10;  // no class is all but certain
  const ExampleGradients gradients = some_gradients(layout, 50);
  for (std::uint64_t example = 0; example < 50; ++example) {
    const std::vector one{example};
    const double clip = 0.3;
    const double norm = norm_of(gradients.sum(parameters, one, clip).numbers);
    EXPECT_LE(norm, clip);
    EXPECT_GT(norm, 0.99 * clip);
  }
}

// Whole multiples of clip 2^-30, added without error: in any order, in any company. Images on an empty ground
// are added without their zeros.
TEST(ExampleGradients, ChangeASumByExactlyTheirOwn) {
  for (Activation activation : {Activation::relu, Activation::sigmoid, Activation::tanh})
    for (bool mostly_zero : {false, true}) {
      const NetworkLayout layout({30, 70, 19, 3}, activation);
      auto some = some_examples(1500, 30, 3);
      if (mostly_zero) some.values = (some.values.array() > 0.5f).select(some.values, 0.0f);
      const std::vector<double> parameters = some_parameters(layout);
      const ExampleGradients gradients(some.values, some.labels, layout);
      std::vector<std::uint64_t> all = first_examples(1500), without = all;
      without.erase(without.begin() + 7);
      const ClippedSum with = gradients.sum(parameters, all, 0.5),
                       rest = gradients.sum(parameters, without, 0.5);
      const ClippedSum own = gradients.sum(parameters, std::vector<std::uint64_t>{7}, 0.5);
      for (std::size_t i = 0; i < with.numbers.size(); ++i)
        ASSERT_EQ(with.numbers[i] - rest.numbers[i], own.numbers[i]) << name(activation);
      std::reverse(all.begin(), all.end());
      EXPECT_EQ(gradients.sum(parameters, all, 0.5), with);
      const OneThread one;
      EXPECT_EQ(gradients.sum(parameters, all, 0.5), with);
    }
}

// With example 0, which has no zeros, more than half of all values are not zero, and none are skipped.
// Without it zeros are.
TEST(ExampleGradients, AreTheSameWithAndWithoutZeros) {
  const Eigen::Index count = 40, inputs = 30;
  for (Activation activation : {Activation::relu, Activation::sigmoid, Activation::tanh}) {
    const NetworkLayout layout({inputs, 130, 70, 3}, activation);
    auto some = some_examples(count, inputs, 3);
    some.values = some.values.array().abs() + 0.01f;
    for (Eigen::Index row = 1; row < count; ++row)
      for (Eigen::Index column = 0; column < inputs; ++column)
        if ((row + column) % 2 == 0 || (row == 1 && column == 0)) some.values(row, column) = 0;
    const std::vector<double> parameters = some_parameters(layout);
    const ExampleGradients gradients(some.values, some.labels, layout);
    const std::vector<std::uint64_t> all = first_examples(static_cast<std::size_t>(count)),
                                     without(all.begin() + 1, all.end());
    const auto nonzeros = [&](Eigen::Index first) {
      return static_cast<double>((some.values.bottomRows(count - first).array() != 0).count()) /
             static_cast<double>((count - first) * inputs);
    };
    ASSERT_GE(nonzeros(0), 0.5);
    ASSERT_LT(nonzeros(1), 0.5);
    const ClippedSum with = gradients.sum(parameters, all, 0.5),
                     rest = gradients.sum(parameters, without, 0.5),
                     own = gradients.sum(parameters, std::vector<std::uint64_t>{0}, 0.5);
    for (std::size_t i = 0; i < with.numbers.size(); ++i)
      ASSERT_EQ(with.numbers[i] - rest.numbers[i], own.numbers[i]) << name(activation);
  }
}

TEST(ExampleGradients, AddNothingWhereTheyAreNotFinite) {
  const NetworkLayout layout({3, 4, 2});
  std::vector<double> parameters = some_parameters(layout);
  parameters[0] = 1e38;
  parameters[layout.start(1)] = 1e38;
  const ClippedSum sum = some_gradients(layout, 10).sum(parameters, first_examples(10), 1);
  for (double number : sum.numbers) EXPECT_TRUE(std::isfinite(number));
}

}  // namespace
}  // namespace tulle
