#include "small_study.hpp"

#include <tulle/base/error.hpp>
#include <tulle/data/hide.hpp>

#include <gtest/gtest.h>

#include <numeric>

namespace tulle {
namespace {

double sum_of(const SparseTensor& tensor) {
  return std::accumulate(tensor.values().begin(), tensor.values().end(), 0.0);
}

TEST(Hide, AFractionOfAllCellsWhereOthersAreZeros) {
  Study study = matrix_study(small_counts(Unlisted::zero), 1, 2);
  const double before = sum_of(study.tables[0].data);
  const SparseTensor test = hide_cells(study, 0, 0.4, 3);
  EXPECT_EQ(test.size(), 8u);
  EXPECT_EQ(study.tables[0].hidden->size(), 8u);
  EXPECT_EQ(study.tables[0].observed_cells(), 12);
  EXPECT_EQ(sum_of(test) + sum_of(study.tables[0].data), before);
  check(study);
}

TEST(Hide, AFractionOfTheListedCellsWhereOthersAreMissing) {
  Study study = matrix_study(small_counts(Unlisted::missing), 1, 2);
  const std::size_t before = study.tables[0].data.size();
  const SparseTensor test = hide_cells(study, 0, 0.5, 3);
  EXPECT_EQ(test.size() + study.tables[0].data.size(), before);
  EXPECT_FALSE(study.tables[0].hidden.has_value());
  EXPECT_THROW(hide_cells(study, 0, 1, 3), UsageError);
}

TEST(Hide, OfAHugeTableEntriesWithFourZerosEach) {
  SparseTensor data(Shape{10'000, 10'000}, Unlisted::zero);
  for (Index i = 0; i < 10; ++i) data.append(std::array{i, i}, 1);
  Study study = matrix_study(std::move(data), 1, 2);
  const SparseTensor test = hide_cells(study, 0, 0.4, 3);
  EXPECT_EQ(test.size(), 20u);
  EXPECT_EQ(sum_of(test), 4);
  EXPECT_EQ(study.tables[0].hidden->size(), 20u);
}

TEST(Hide, AllCellsOfSomePositions) {
  Study study = matrix_study(small_counts(Unlisted::zero), 1, 2);
  const SparseTensor test = hide_positions(study, 0, 0, 2, 3);
  EXPECT_EQ(test.size(), 8u);
  const Index first = test.column(0).front(), last = test.column(0).back();
  EXPECT_NE(first, last);
  for (Index row : study.tables[0].data.column(0)) EXPECT_TRUE(row != first && row != last);
  EXPECT_THROW(hide_positions(study, 0, 0, 5, 3), UsageError);
}

TEST(Hide, GivenCellsAreNoZerosAnyMore) {
  Study study = matrix_study(small_counts(Unlisted::zero), 1, 2);
  const std::size_t before = study.tables[0].data.size();
  const auto first = study.tables[0].data.cells().cell(0);
  hide_listed(study, 0, Cells(Shape{5, 4}, {{first[0]}, {first[1]}}));
  EXPECT_EQ(study.tables[0].data.size(), before - 1);
  EXPECT_EQ(study.tables[0].observed_cells(), 19);
}

}  // namespace
}  // namespace tulle
