#include <tulle/base/random.hpp>
#include <tulle/base/rounding.hpp>
#include <tulle/base/sum_grid.hpp>

#include <gtest/gtest.h>

namespace tulle {
namespace {

TEST(SumGrid, RoundsToTheNearestMultipleOfItsStep) {
  Random random(1);
  for (double largest : {1e-200, 0.3, 1.0, 7e20})
    for (double count : {1.0, 1e3, 0x1p31}) {
      const SumGrid grid(largest, count);
      EXPECT_LE(grid.step(), std::max(count, 8.0) * largest * 0x1p-50);
      for (int i = 0; i < 1000; ++i) {
        const double term = largest * (2 * random.uniform() - 1), rounded = grid.round(term);
        EXPECT_LE(std::abs(rounded - term), grid.step() / 2);
        EXPECT_EQ(std::remainder(rounded, grid.step()), 0);
      }
      EXPECT_EQ(grid.round(0), 0);
      EXPECT_LE(std::abs(grid.round(-largest) + largest), grid.step() / 2);
    }
}

// Half a unit in the last place of the second partial sum: a sum of doubles takes each of these terms for a
// whole one after a first term of 2^16, and for a half one just below it.
TEST(SumGrid, SumsDifferByWhatTheirTermsDifferBy) {
  const double tiny = 0x1p-37 * (1 + 0x1p-20);
  const auto sum = [&](double first, auto&& round) {
    double total = round(first);
    for (int i = 0; i < 100'000; ++i) total += round(tiny);
    return total;
  };
  const SumGrid grid(0x1p16, 100'001);
  const double exact = sum(0x1p16, [&](double term) { return grid.round(term); }) -
                       sum(0x1p16 - 1, [&](double term) { return grid.round(term); });
  EXPECT_EQ(exact, 1);
  const auto as_is = [](double term) { return term; };
  EXPECT_GT(sum(0x1p16, as_is) - sum(0x1p16 - 1, as_is), 1 + 1e-8);
}

// A term half a step above the grid goes up or down by the sum that it is added to, unless sums are rounded
// down.
TEST(SumGrid, SumsFromItsShiftTakeTermsRoundedDown) {
  const SumGrid grid(1, 1000);
  volatile double even = grid.shift(), odd = grid.shift() + grid.step(), term = 2.5 * grid.step();
  EXPECT_EQ((even + term) - even, 2 * grid.step());
  EXPECT_EQ((odd + term) - odd, 3 * grid.step());
  const Rounding rounding = Rounding::down();
  EXPECT_EQ((even + term) - even, 2 * grid.step());
  EXPECT_EQ((odd + term) - odd, 2 * grid.step());
  term = -0.25 * grid.step();
  EXPECT_EQ((even + term) - even, -grid.step());
  EXPECT_EQ((odd + term) - odd, -grid.step());
}

TEST(SumGrid, RefusesWhatDoesNotFit) {
  EXPECT_THROW(SumGrid(0, 10), Error);
  EXPECT_THROW(SumGrid(1e300, 10), Error);
  EXPECT_THROW(SumGrid(NAN, 10), Error);
}

}  // namespace
}  // namespace tulle
