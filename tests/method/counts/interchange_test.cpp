#include "method/counts/made_events.hpp"

#include <tulle/base/error.hpp>

#include <gmock/gmock.h>

namespace tulle {
namespace {

using ::testing::HasSubstr;
using ::testing::ThrowsMessage;

const std::vector<float> kTwelveCells = {5, 0, 0, 2, 9, 30, 1, 0, 4, 4, 0, 8};

TEST(Interchange, AModelOfItsMarginsIsTheSame) {
  for (const char* method : {"margins", "histogram"})
    for (const double delta : {0.0, 1e-6}) {
      const CountOutcome outcome =
          testing::count_job(method, {1, delta}, 3).run(testing::events_of({3, 4}, kTwelveCells));
      const std::vector<NoisyMargin> margins = released_margins(*outcome.measured);
      ASSERT_EQ(margins.size(), outcome.measured->releases.size());
      for (std::size_t i = 0; i < margins.size(); ++i) {
        EXPECT_EQ(margins[i].values, outcome.measured->releases[i].values);
        EXPECT_EQ(margins[i].stddev, outcome.measured->releases[i].deviation);
      }
      const Counts again = counts_of_margins({3, 4}, margins);
      EXPECT_EQ(again.cells, outcome.model.cells) << method << ' ' << delta;
      EXPECT_EQ(again.variances, outcome.model.variances);
    }
}

TEST(Interchange, HowManyUsersHaveHowManyRowsIsNoMargin) {
  CountJob job = testing::count_job("histogram", {1, 0}, 1);
  job.terms.unit = Unit::user;
  const CountOutcome outcome = job.run(testing::events_of({2, 2, 3}, kTwelveCells));
  EXPECT_EQ(outcome.measured->releases.size(), 2u);
  EXPECT_EQ(released_margins(*outcome.measured).size(), 1u);
}

TEST(Interchange, CellsOfHugeTablesHaveTheirPlaces) {
  const CountOutcome outcome =
      testing::count_job("sparse", {5, 0}, 3).run(testing::events_of({3, 4}, kTwelveCells));
  const NoisyMargin cells = released_margins(*outcome.measured).back();
  EXPECT_EQ(cells.places.size(), cells.values.size());
  EXPECT_THAT(cells.noise, HasSubstr("values from 1 on"));
}

// Two rows of 30 and 10 events, of which nothing else is known, and columns whose sums have much less noise.
TEST(Interchange, MarginsOfOthersAreCombined) {
  const Counts counts =
      counts_of_margins({2, 4}, {{{0}, {30, 10}, 0.1, "Gaussian"}, {{1}, {8, 12, 16, 4}, 0.1, "Gaussian"}});
  EXPECT_NEAR(counts.cells.values()[0], 6, 0.2);
  EXPECT_NEAR(counts.cells.values()[7], 1, 0.2);
  EXPECT_NEAR(counts.sum({{0}, {}}).mean, 30, 0.5);
}

TEST(Interchange, NothingAndTooMuchAreRefused) {
  EXPECT_THAT([] { counts_of_margins({2, 4}, {}); }, ThrowsMessage<Error>(HasSubstr("no margins")));
  EXPECT_THAT(
      [] {
        counts_of_margins({100'000, 100'000}, {{{}, {3}, 1, "Gaussian"}});
      },
      ThrowsMessage<Error>(HasSubstr("too many cells")));
}

}  // namespace
}  // namespace tulle
