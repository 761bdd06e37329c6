#include <tulle/base/error.hpp>
#include <tulle/privacy/noise/grid.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>
#include <limits>

namespace tulle {
namespace {

using ::testing::HasSubstr;
using ::testing::ThrowsMessage;

constexpr std::int64_t kLargest = std::int64_t{1} << 62;

TEST(Grid, RoundsToTheNearestCell) {
  const auto quarters = Grid::with_exponent(-2);
  EXPECT_EQ(quarters.cell(), 0.25);
  EXPECT_EQ(quarters.round(0.6), 2);
  EXPECT_EQ(quarters.round(-0.6), -2);
  EXPECT_EQ(quarters.round(0.625), 2);  // a tie, to even
  EXPECT_EQ(quarters.round(0.875), 4);
  EXPECT_EQ(quarters.value(-3), -0.75);
  EXPECT_EQ(Grid::with_exponent(3).round(100), 12);
  EXPECT_EQ(Grid::with_exponent(3).value(12), 96);
}

TEST(Grid, SaturatesWhereInt64Ends) {
  const auto grid = Grid::with_exponent(-30);
  EXPECT_EQ(grid.round(1e300), kLargest);
  EXPECT_EQ(grid.round(-1e300), -kLargest);
  EXPECT_EQ(grid.round(std::numeric_limits<double>::infinity()), kLargest);
  EXPECT_EQ(grid.value(kLargest), 0x1p32);
  EXPECT_TRUE(std::isfinite(Grid::with_exponent(900).value(std::numeric_limits<std::int64_t>::max())));
}

// |round(x) - round(y)| against the bound for one coordinate, and for two in L1 and L2.
RC_GTEST_PROP(Grid, SensitivityCoversTheRounding, ()) {
  const auto grid = Grid::with_exponent(*rc::gen::inRange(-8, 4));
  const auto real = [] { return *rc::gen::inRange(-100'000, 100'000) * 0x1.3p-9; };
  const double x1 = real(), y1 = real(), x2 = real(), y2 = real();
  const auto d1 = std::abs(grid.round(x1) - grid.round(y1)), d2 = std::abs(grid.round(x2) - grid.round(y2));
  RC_ASSERT(d1 <= grid.l1_sensitivity(std::fabs(x1 - y1)));
  RC_ASSERT(d1 + d2 <= grid.l1_sensitivity(std::fabs(x1 - y1) + std::fabs(x2 - y2), 2));
  RC_ASSERT(std::hypot(d1, d2) <= grid.l2_sensitivity(std::hypot(x1 - y1, x2 - y2), 2));
}

TEST(Grid, SensitivityInCells) {
  const auto halves = Grid::with_exponent(-1);
  EXPECT_EQ(halves.l1_sensitivity(3, 0), 6);  // on the grid already
  EXPECT_EQ(halves.l2_sensitivity(3, 0), 6);
  EXPECT_EQ(halves.l1_sensitivity(3), 7);
  EXPECT_EQ(halves.l1_sensitivity(3.2), 7);  // 6.4 + 1, and whole numbers differ by a whole number
  EXPECT_EQ(halves.l1_sensitivity(3, 10), 16);
  EXPECT_NEAR(halves.l2_sensitivity(3, 10), 6 + std::sqrt(10), 1e-14);
  EXPECT_GT(halves.l2_sensitivity(3, 10), 6 + std::sqrt(10));
  EXPECT_GE(halves.l2_sensitivity(1e-320, 1), 1);
}

TEST(Grid, ChosenGridsCostNextToNothing) {
  for (const double scale : {1e-9, 0.7, 1.0, 3e8})
    for (const std::int64_t coordinates : {1, 3, 100, 1 << 30}) {
      const auto laplace = Grid::for_laplace(scale, coordinates),
                 gaussian = Grid::for_gaussian(scale, coordinates);
      EXPECT_LE(static_cast<double>(coordinates) * laplace.cell(), scale * 0x1p-20);
      EXPECT_LE(std::sqrt(static_cast<double>(coordinates)) * gaussian.cell(), scale * 0x1p-20);
    }
  EXPECT_EQ(Grid::for_laplace(1, std::int64_t{1} << 35).exponent(), -50);  // the samplers' range
  EXPECT_EQ(Grid::for_laplace(1).exponent(), -20);
}

TEST(Grid, RefusesBadParameters) {
  const auto grid = Grid::with_exponent(-10);
  const auto refuses = [](auto make, const char* message) {
    EXPECT_THAT(make, ThrowsMessage<Error>(HasSubstr(message)));
  };
  refuses([] { Grid::with_exponent(1000); }, "grid: exponent 1000 must be between -900 and 900");
  refuses([] { Grid::for_laplace(0); }, "grid: noise scale 0 must be positive and finite");
  refuses([] { Grid::for_gaussian(1, 0); }, "grid: coordinates 0 must be between 1 and");
  refuses([&] { grid.round(NAN); },
          "grid: a value to release is not a number; replace it before the release");
  refuses([&] { grid.l1_sensitivity(-1); }, "grid: sensitivity -1 must not be negative");
  refuses([&] { grid.l1_sensitivity(1e20); }, "is more than 2^52 cells of 0.0009765625; take a coarser grid");
  refuses([&] { grid.l2_sensitivity(NAN); }, "grid: sensitivity nan must not be negative");
}

}  // namespace
}  // namespace tulle
