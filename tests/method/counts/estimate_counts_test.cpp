#include "counts/estimate_counts.hpp"

#include "method/counts/made_events.hpp"

#include <tulle/base/random.hpp>

#include <gtest/gtest.h>

#include <cmath>

namespace tulle {
namespace {

// A product of two profiles, with mean 2 in a cell.
std::vector<float> product_counts(const Shape& shape, std::uint64_t seed) {
  Random random(seed);
  std::vector<float> counts;
  for (Index row = 0; row < shape[0]; ++row)
    for (Index column = 0; column < shape[1]; ++column)
      counts.push_back(std::floor(8.0f * static_cast<float>(row + 1) / static_cast<float>(shape[0]) *
                                      static_cast<float>(column + 1) / static_cast<float>(shape[1]) +
                                  static_cast<float>(random.uniform())));
  return counts;
}

double squared_error(const DenseTensor& estimated, const std::vector<float>& counts) {
  double sum = 0;
  for (std::size_t cell = 0; cell < counts.size(); ++cell)
    sum += (estimated.values()[cell] - counts[cell]) * (estimated.values()[cell] - counts[cell]);
  return sum / static_cast<double>(counts.size());
}

// The noise of epsilon 0.1 has variance 200.
TEST(EstimateCounts, AreCloserThanTheNoisyCountsTheyAreMadeOf) {
  const Shape shape{30, 40};
  const std::vector<float> counts = product_counts(shape, 1);
  for (const char* method : {"histogram", "margins"}) {
    const CountOutcome outcome =
        testing::count_job(method, {0.1, 0}, 5).run(testing::events_of(shape, counts));
    EXPECT_LT(squared_error(outcome.model.cells, counts), 20) << method;
    for (const double cell : outcome.model.cells.values()) EXPECT_GE(cell, 0) << method;
  }
}

// Counts that are 0 or more would add up to too many if each was corrected for its table and then cut off at
// 0. The number of events that is released has noise of standard deviation 1.4 / (0.001 epsilon) at most, far
// more than what the table of all cells says of it: sqrt(1200) sqrt(200) = 490. Within 5 of these, in 10
// runs: a false alarm below 1e-5 each, and seeds are fixed.
TEST(EstimateCounts, AddUpToTheNumberOfEvents) {
  const Shape shape{30, 40};
  for (const char* method : {"histogram", "margins"})
    for (std::uint64_t seed = 0; seed < 10; ++seed) {
      std::vector<float> counts(shape.cells());
      for (std::size_t cell = 0; cell < counts.size(); cell += 7) counts[cell] = 6;
      const CountOutcome outcome =
          testing::count_job(method, {0.1, 0}, seed).run(testing::events_of(shape, counts));
      const Estimated events = outcome.model.sum({{}, {}});
      EXPECT_NEAR(events.mean, 172 * 6, 5 * events.stddev) << method << seed;
      EXPECT_LT(events.stddev, 600);
    }
}

// A table of few cells says more of the number of events than all others do, and the cells add up to its
// values: for squared z-scores of 40 of its cells (chi-squared), more than 100 has a probability of 5e-7.
TEST(EstimateCounts, AddUpToATableOfFewCells) {
  const Shape shape{4, 30, 40};
  std::vector<float> counts(shape.cells());
  for (std::size_t cell = 0; cell < counts.size(); ++cell)
    counts[cell] = cell % 11 < 5 ? 1.0f + cell % 3 : 0.0f;
  double squares = 0;
  for (std::uint64_t seed = 0; seed < 10; ++seed) {
    const CountOutcome outcome =
        testing::count_job("margins", {1, 0}, seed).run(testing::events_of(shape, counts));
    for (std::size_t first = 0; first < 4; ++first) {
      double away = 0;
      for (std::size_t cell = first * 1200; cell < (first + 1) * 1200; ++cell)
        away += outcome.model.cells.values()[cell] - counts[cell];
      squares += away * away / outcome.model.variances[1][first];
    }
  }
  EXPECT_LT(squares, 100);
}

TEST(EstimateCounts, NothingIsMadeOfNothing) {
  const Shape shape{5, 6, 7};
  for (const char* method : {"histogram", "margins"}) {
    const CountOutcome outcome =
        testing::count_job(method, {0.01, 0}, 6).run(SparseTensor(shape, Unlisted::zero));
    EXPECT_TRUE(is_finite(Model(outcome.model))) << method;
    EXPECT_NO_THROW(check(outcome.model));
  }
}

}  // namespace
}  // namespace tulle
