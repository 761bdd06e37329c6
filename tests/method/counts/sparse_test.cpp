#include "method/counts/made_events.hpp"

#include <tulle/base/random.hpp>
#include <tulle/data/measurement.hpp>

#include <gmock/gmock.h>

#include <cmath>

namespace tulle {
namespace {

using ::testing::HasSubstr;

// 10^12 cells: 3,000 of them have 40 events each, and 100,000 one each.
const Shape kHuge{10'000, 10'000, 10'000};

SparseTensor links() {
  SparseTensor events(kHuge, Unlisted::zero);
  Random random(3);
  for (int i = 0; i < 103'000; ++i) {
    std::array<Index, 3> cell;
    for (Index& position : cell) position = static_cast<Index>(10'000 * random.uniform() * random.uniform());
    events.append(cell, i < 3000 ? 40 : 1);
  }
  return events;
}

TEST(SparseCountsMethod, KeepsWhatStandsOutOfAHugeTensor) {
  const CountOutcome outcome = testing::count_job("sparse", {2, 0}, 1).run(links());
  const Counts& model = outcome.model;
  ASSERT_TRUE(model.sparse.has_value());
  EXPECT_NO_THROW(check(model));
  const SparseTensor events = links();
  const std::vector<double> found = model.predict(events.cells());
  double away = 0;
  for (std::size_t i = 0; i < 3000; ++i) away += std::abs(found[i] - 40);
  EXPECT_LT(away / 3000, 3);  // noise of scale 1
  EXPECT_LT(model.sparse->places.size(), 3300u);
  const Estimated all = model.sum(Block(3));
  EXPECT_NEAR(all.mean, 220'000, 6 * all.stddev);
}

// Positions 0 to 99 of a mode have sqrt(1/100) of all: 22,000 events.
TEST(SparseCountsMethod, SumsOfPositionsAreClose) {
  const Counts model = testing::count_job("sparse", {2, 0}, 2).run(links()).model;
  double exact = 0;
  const SparseTensor events = links();
  Block block(3);
  for (Index position = 0; position < 100; ++position) block[1].push_back(position);
  for (std::size_t i = 0; i < events.size(); ++i)
    if (events.cells()(i, 1) < 100) exact += events.values()[i];
  const Estimated found = model.sum(block);
  EXPECT_NEAR(found.mean, exact, 6 * found.stddev + 0.01 * exact);
}

// A table of pairs in which counts are far above the noise: rows and columns depend on each other.
TEST(SparseCountsMethod, APairOfModesThatDependOnEachOtherIsAnEdge) {
  const Shape shape{20, 20, 5};
  std::vector<float> counts;
  for (Index cell = 0; cell < 2000; ++cell) counts.push_back(cell / 100 == cell / 5 % 20 ? 50 : 0);
  const Counts model = testing::count_job("sparse", {1, 0}, 1).run(testing::events_of(shape, counts)).model;
  int edges = 0;
  for (const ModeShares& node : model.sparse->modes)
    if (node.mode + node.parent == 1 && node.parent >= 0) ++edges;
  EXPECT_EQ(edges, 1);
  EXPECT_NEAR(model.sum({{3}, {3}, {}}).mean, 250, 40);
  EXPECT_NEAR(model.sum({{3}, {4}, {}}).mean, 0, 40);
}

TEST(SparseCountsMethod, SaysWhatItReleased) {
  const CountOutcome outcome =
      testing::count_job("sparse", {1, 0}, 1).run(testing::events_of({4, 5}, std::vector<float>(20, 9)));
  EXPECT_THAT(outcome.remarks.back(), HasSubstr("Kept"));
  const Release& cells = outcome.measured->releases.back();
  EXPECT_EQ(cells.places.size(), cells.values.size());
  EXPECT_EQ(cells.noise, "discrete Laplace above a threshold");
  EXPECT_NEAR(outcome.guarantee.used.epsilon, 1, 1e-6);
}

TEST(SparseCountsMethod, NothingIsMadeOfNothing) {
  const CountOutcome outcome =
      testing::count_job("sparse", {1, 0}, 1).run(SparseTensor(kHuge, Unlisted::zero));
  EXPECT_NO_THROW(check(outcome.model));
  EXPECT_LT(outcome.model.sum(Block(3)).mean, 3000);
}

}  // namespace
}  // namespace tulle
