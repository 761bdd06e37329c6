#include "expect_error.hpp"

#include <tulle/data/scaling.hpp>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

namespace tulle {
namespace {

TEST(MinMax, ByHand) {
  std::vector<double> values = {3, 1, 2, 5};
  const MinMax range = min_max(values);
  EXPECT_EQ(range.low, 1);
  EXPECT_EQ(range.high, 5);
  range.scale(values);
  EXPECT_EQ(values, (std::vector<double>{0.5, 0, 0.25, 1}));
  range.restore(values);
  EXPECT_EQ(values, (std::vector<double>{3, 1, 2, 5}));
}

TEST(MinMax, PublicRangeAndFloats) {
  std::vector<float> ratings = {1, 3, 5};
  MinMax{1, 5}.scale(ratings);
  EXPECT_EQ(ratings, (std::vector<float>{0, 0.5, 1}));
  EXPECT_EQ(min_max(std::span<const float>(ratings)).high, 1);
}

TEST(MinMax, EqualValuesComeBack) {
  const MinMax range = min_max(std::vector<double>{4, 4});
  EXPECT_EQ(range.scaled(4), 0);
  EXPECT_EQ(range.restored(range.scaled(4)), 4);
}

TEST(MinMax, RefusesNothing) {
  expect_error([] { min_max(std::span<const double>()); }, "no values");
}

RC_GTEST_PROP(MinMax, StaysInTheUnitIntervalAndComesBack, ()) {
  const auto whole = *rc::gen::nonEmpty(rc::gen::container<std::vector<int>>(rc::gen::inRange(-1000, 1000)));
  const std::vector<double> values(whole.begin(), whole.end());
  auto scaled = values;
  const MinMax range = min_max(values);
  range.scale(scaled);
  for (double value : scaled) RC_ASSERT(value >= 0 && value <= 1);
  range.restore(scaled);
  for (std::size_t i = 0; i < values.size(); ++i) RC_ASSERT(std::abs(scaled[i] - values[i]) < 1e-9);
}

}  // namespace
}  // namespace tulle
