#include "solve/network/some_network.hpp"

#include <tulle/base/error.hpp>

#include <gtest/gtest.h>

namespace tulle {
namespace {

TEST(NetworkLayout, HasABiasAsTheLastRowOfEveryLayer) {
  const NetworkLayout layout({3, 2, 4});
  EXPECT_EQ(layout.size(), 4u * 2 + 3 * 4);
  EXPECT_EQ(layout.start(1), 8u);
  std::vector<double> parameters(layout.size());
  for (std::size_t i = 0; i < parameters.size(); ++i) parameters[i] = static_cast<double>(i);
  const auto layers = layout.layers_of(parameters);
  EXPECT_EQ(layers[0].weights(2, 1), 5);
  EXPECT_EQ(layers[0].bias(1), 7);
  EXPECT_EQ(layers[1].weights(0, 3), 11);
}

TEST(NetworkLayout, StartsFromEqualProbabilities) {
  const NetworkLayout layout({5, 100, 3});
  const std::vector<double> start = layout.random_start(1);
  EXPECT_NE(start[0], 0);
  for (std::size_t i = layout.start(1); i < layout.size(); ++i) EXPECT_EQ(start[i], 0);
  EXPECT_NE(layout.random_start(2), start);
}

TEST(NetworkLayout, RefusesLayersWithoutUnits) {
  EXPECT_THROW(NetworkLayout({3, 0, 2}), UsageError);
  EXPECT_THROW(NetworkLayout({3}), UsageError);
}

TEST(NetworkLayout, RefusesMoreParametersThanMemoryHolds) {
  EXPECT_THROW(NetworkLayout({64, 1'000'000, 1'000'000, 10}), UsageError);
}

}  // namespace
}  // namespace tulle
