#include "observed.hpp"

#include "io/expect_error.hpp"

#include <gtest/gtest.h>

#include <limits>

namespace tulle {
namespace {

SparseTensor row_of(const std::vector<float>& values, Unlisted unlisted = Unlisted::missing) {
  SparseTensor row(Shape{1, std::max<std::uint64_t>(values.size(), 1)}, unlisted);
  for (Index j = 0; j < values.size(); ++j) row.append(std::array<Index, 2>{0, j}, values[j]);
  return row;
}

TEST(StandardUnits, AreMeanAndRootMeanSquareAboutIt) {
  const StandardUnits with = standard_of(row_of({1, 3, 5, 7}), true);
  EXPECT_DOUBLE_EQ(with.level, 4);
  EXPECT_DOUBLE_EQ(with.scale, std::sqrt(5.0));
  EXPECT_FALSE(with.constant);
  const StandardUnits without = standard_of(row_of({3, -4}), false);
  EXPECT_EQ(without.level, 0);
  EXPECT_DOUBLE_EQ(without.scale, std::sqrt(12.5));
}

TEST(StandardUnits, OfConstantValuesHaveScaleOne) {
  const StandardUnits standard = standard_of(row_of({2, 2, 2}), true);
  EXPECT_EQ(standard.level, 2);
  EXPECT_EQ(standard.scale, 1);
  EXPECT_TRUE(standard.constant);
}

TEST(CheckObserved, SaysWhatCannotBeCompleted) {
  const SparseTensor good = row_of({1, 2}), none = row_of({}), longer = row_of({1, 2, 3});
  EXPECT_NO_THROW(check_observed(good, nullptr, "hooi"));
  EXPECT_NO_THROW(check_observed(longer, &good, "hooi"));
  EXPECT_MESSAGE(
      check_observed(row_of({1}, Unlisted::zero), nullptr, "hooi"),
      "completion: the cells that are not listed are zeros, so none is missing; use hooi, or read the "
      "data with missing semantics");
  EXPECT_MESSAGE(check_observed(none, nullptr, "hooi"), "completion: no cell is observed");
  EXPECT_MESSAGE(check_observed(row_of({1, std::numeric_limits<float>::infinity()}), nullptr, "hooi"),
                 "completion: an observed value is not finite");
  EXPECT_MESSAGE(check_observed(good, &none, "hooi"), "completion: the validation data hold no cell");
  EXPECT_MESSAGE(check_observed(good, &longer, "hooi"),
                 "completion: the validation data are 1x3, which the data's 1x2 does not cover");
}

TEST(CheckRidge, RefusesWhatIsNegativeOrNoNumber) {
  EXPECT_NO_THROW(check_ridge("ridge", 0));
  EXPECT_MESSAGE(check_ridge("core ridge", -1), "core ridge: -1 is negative; give 0 or more");
  EXPECT_THROW(check_ridge("ridge", std::numeric_limits<double>::quiet_NaN()), UsageError);
}

TEST(StartsToTry, AreSeveralForSmallProblemsAlone) {
  const SparseTensor row = row_of(std::vector<float>(1000, 1));
  EXPECT_EQ(starts_to_try(row, 199), 4);
  EXPECT_EQ(starts_to_try(row, 200), 1);
}

// n^2 / (n - p)^2 of the mean square, and no more than 10^6 of it.
TEST(ExpectedSquare, IsGeneralisedCrossValidation) {
  EXPECT_DOUBLE_EQ(expected_square(50, 20, 100), 0.5 / 0.64);
  EXPECT_DOUBLE_EQ(expected_square(50, 200, 100), 0.5e6);
}

}  // namespace
}  // namespace tulle
