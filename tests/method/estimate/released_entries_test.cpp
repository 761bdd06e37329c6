#include "estimate/released_entries.hpp"

#include <tulle/base/error.hpp>

#include <gtest/gtest.h>

namespace tulle {
namespace {

Release portion(std::vector<std::uint64_t> units, double deviation) {
  Release release{.id = kEntries,
                  .what = "entries",
                  .noise = "Laplace",
                  .events = {Event::pure(1)},
                  .deviation = deviation,
                  .typical = deviation};
  for (const std::uint64_t unit : units) release.values.push_back(10.0 + static_cast<double>(unit));
  release.units = std::move(units);
  return release;
}

Measurement of(Releases releases) {
  Cells cells(Shape{1, 4});
  for (Index j = 0; j < 4; ++j) cells.append(std::array<Index, 2>{0, j});
  return {
      .method = "one-shot", .shape = {1, 4}, .positions = cells, .low = 0, .high = 1, .releases = releases};
}

TEST(ReleasedEntries, OfAllPortionsAreInTheOrderOfTheEntries) {
  const SparseTensor cells = entries_worth_fitting(of({portion({1, 3}, 1), portion({0, 2}, 1)}));
  EXPECT_EQ(std::vector<float>(cells.values().begin(), cells.values().end()),
            (std::vector<float>{10, 11, 12, 13}));
}

// With a hundred times the noise a portion adds nothing to a mean over the others.
TEST(ReleasedEntries, LeaveOutPortionsWithFarMoreNoise) {
  EXPECT_EQ(entries_worth_fitting(of({portion({1, 3}, 100), portion({0, 2}, 1)})).size(), 2u);
}

TEST(ReleasedEntries, LeaveOutWhatWasClipped) {
  Release last = portion({0, 2}, 1);
  last.clipped = {0, 1};
  EXPECT_EQ(entries_worth_fitting(of({portion({1, 3}, 1), last})).size(), 3u);
}

TEST(ReleasedEntries, AreRefusedWhereOneIsReleasedTwice) {
  EXPECT_THROW(entries_worth_fitting(of({portion({0, 3}, 1), portion({0, 2}, 1)})), Error);
  EXPECT_THROW(entries_worth_fitting(of({portion({0, 3}, 1), portion({}, 1)})), Error);
  EXPECT_THROW(entries_worth_fitting(of({})), Error);
}

}  // namespace
}  // namespace tulle
