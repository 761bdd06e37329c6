#include "counts/estimate_sparse.hpp"

#include "counts/count_table.hpp"

#include <tulle/base/error.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

namespace tulle {
namespace {

// 4x4x3: rows and columns go together, the third mode is alone. 10 events in 12 cells, and 100 more in one.
const Shape kOfForest{4, 4, 3};
constexpr std::uint64_t kHigh = 1 * 12 + 3 * 3 + 2;  // cell (1, 3, 2)

std::vector<double> counts_of_cells() {
  std::vector<double> counts(kOfForest.cells());
  for (std::size_t row = 0; row < 4; ++row)
    for (std::size_t k = 0; k < 3; ++k) counts[row * 12 + row * 3 + k] = 10;
  counts[kHigh] = 100;
  return counts;
}

Release release_of(const char* id, std::vector<double> values, std::vector<double> chosen) {
  return {.id = id,
          .what = id,
          .noise = "discrete Laplace",
          .events = {Event::pure(1)},
          .values = std::move(values),
          .deviation = 0.1,
          .typical = 0.1,
          .chosen = std::move(chosen)};
}

// Exact values, which say that their noise has a standard deviation of 0.1.
Measurement measured() {
  const std::vector<double> counts = counts_of_cells();
  std::vector<double> rows(4), columns(4), last(3), pair(16);
  for (std::size_t place = 0; place < counts.size(); ++place) {
    const auto cell = cell_of_place(kOfForest, place);
    rows[cell[0]] += counts[place];
    columns[cell[1]] += counts[place];
    last[cell[2]] += counts[place];
    pair[cell[0] * 4 + cell[1]] += counts[place];
  }
  Measurement measured{.method = "sparse", .unit = Unit::event, .shape = kOfForest, .high = 1};
  measured.releases = {release_of(kTable, {220}, {}),    release_of(kTable, rows, {1}),
                       release_of(kTable, columns, {2}), release_of(kTable, last, {3}),
                       release_of(kTable, pair, {1, 2}), release_of(kCellsAbove, {100}, {50})};
  measured.releases.back().places = {kHigh};
  return measured;
}

TEST(EstimateSparse, CellsFollowTheForestAndWhatIsKept) {
  const Counts model = estimate_sparse(measured());
  ASSERT_EQ(model.sparse->places, std::vector<std::uint64_t>{kHigh});
  EXPECT_NEAR(model.sparse->counts.front(), 100, 0.5);
  const std::vector<double> expected = counts_of_cells();
  for (std::uint64_t place = 0; place < expected.size(); ++place) {
    const auto cell = cell_of_place(kOfForest, place);
    EXPECT_NEAR(model.sparse->at(std::span(cell).first(3)), expected[place], 0.7) << place;
  }
}

TEST(EstimateSparse, OnlyAPairThatWasReleasedIsAnEdge) {
  const auto edges = [](const Measurement& measured) {
    const Counts model = estimate_sparse(measured);
    return std::ranges::count_if(model.sparse->modes,
                                 [](const ModeShares& node) { return node.parent >= 0; });
  };
  Measurement all = measured();
  EXPECT_EQ(edges(all), 1);
  all.releases.erase(all.releases.begin() + 4);
  EXPECT_EQ(edges(all), 0);
}

TEST(EstimateSparse, ReleasesOfAnotherTensorAreRefused) {
  Measurement outside = measured();
  outside.releases.back().places = {kOfForest.cells()};
  EXPECT_THROW(estimate_sparse(outside), Error);
  Measurement without_threshold = measured();
  without_threshold.releases.back().chosen.clear();
  EXPECT_THROW(estimate_sparse(without_threshold), Error);
  Measurement without_mode = measured();
  without_mode.releases.erase(without_mode.releases.begin() + 3);
  EXPECT_THROW(estimate_sparse(without_mode), Error);
}

TEST(EstimateSparse, AddsUpToTheNumberOfEvents) {
  EXPECT_NEAR(estimate_sparse(measured()).sum(Block(3)).mean, 220, 1);
}

}  // namespace
}  // namespace tulle
