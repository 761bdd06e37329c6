#include "method/counts/made_events.hpp"

#include <tulle/data/measurement.hpp>

#include <gmock/gmock.h>

#include <cmath>

namespace tulle {
namespace {

using ::testing::Contains;
using ::testing::HasSubstr;

CountOutcome margins_of(const Shape& shape, std::uint64_t seed) {
  return testing::count_job("margins", {0.5, 0}, seed)
      .run(testing::events_of(shape, std::vector<float>(shape.cells(), 3)));
}

TEST(MarginsOfCounts, ReleasesTablesAndSaysWhich) {
  const CountOutcome outcome = margins_of({8, 9, 10}, 1);
  EXPECT_GT(outcome.measured->releases.size(), 1u);
  EXPECT_EQ(outcome.remarks.size(), outcome.measured->releases.size());
  EXPECT_THAT(outcome.remarks, Contains(HasSubstr("counts by modes 1, 2, 3")));
}

// Of 8,000 events at epsilon 10 a tenth is known by the first part, of standard deviation 141. Of none, all
// four parts are not enough.
TEST(MarginsOfCounts, TheNumberOfEventsTakesNoMoreThanItNeeds) {
  const auto numbers = [](float count) {
    const CountOutcome outcome = testing::count_job("margins", {10, 0}, 1)
                                     .run(testing::events_of({20, 20, 20}, std::vector<float>(8000, count)));
    std::size_t found = 0;
    for (const Release& release : outcome.measured->releases) found += release.chosen.empty() ? 1 : 0;
    return found;
  };
  EXPECT_EQ(numbers(1), 1u);
  EXPECT_EQ(numbers(0), 4u);
}

// Sums over many cells are closer than those of a table of all cells, whose noise adds up: of 20 runs each,
// by a factor that is far above the spread.
TEST(MarginsOfCounts, SumsAreCloserThanThoseOfAllCells) {
  const Shape shape{8, 9, 10};
  double margins = 0, cells = 0;
  for (std::uint64_t seed = 0; seed < 20; ++seed)
    for (Index row = 0; row < 8; ++row) {
      const Block block = {{row}, {}, {}};
      const SparseTensor events = testing::events_of(shape, std::vector<float>(shape.cells(), 3));
      margins += std::abs(margins_of(shape, seed).model.sum(block).mean - 270);
      cells +=
          std::abs(testing::count_job("histogram", {0.5, 0}, seed).run(events).model.sum(block).mean - 270);
    }
  EXPECT_LT(margins, cells);
}

}  // namespace
}  // namespace tulle
