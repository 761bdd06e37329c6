#include "sampled.hpp"

#include <tulle/base/error.hpp>
#include <tulle/privacy/account/event.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

namespace tulle {
namespace {

TEST(Event, DescribesReleases) {
  EXPECT_EQ(describe(Event::gaussian(1.1).sampled(poisson(0.25)).times(7)),
            "Gaussian, noise multiplier 1.1, Poisson sampling at rate 0.25, 7 times");
  EXPECT_EQ(describe(Event::laplace(2).sampled(FixedBatch(3, 10))),
            "Laplace, noise multiplier 2, 3 of 10 without replacement");
  EXPECT_EQ(describe(Event::discrete_gaussian(20, 3, 5)),
            "discrete Gaussian, sigma 20, sensitivity 3, 5 coordinates");
  EXPECT_EQ(describe(Event::discrete_laplace(4, 2)), "discrete Laplace, scale 4, sensitivity 2");
  EXPECT_EQ(describe(Event::pure(0.5)), "pure, epsilon 0.5");
  EXPECT_EQ(describe(Event::approximate(0.5, 1e-6)), "approximate, epsilon 0.5, delta 1e-06");
}

TEST(Event, CountsMultiplyAndAdd) {
  const Event event = Event::gaussian(2).times(3).times(4);
  EXPECT_EQ(event.count(), 12u);
  EXPECT_EQ(event.joined(Event::gaussian(2)).count(), 13u);
  EXPECT_TRUE(event.same_release(Event::gaussian(2)));
  EXPECT_NE(event, Event::gaussian(2));
}

TEST(Event, JoinsOnlyTheSameRelease) {
  std::vector<Event> events;
  join(events, Event::gaussian(2));
  join(events, Event::gaussian(2).sampled(poisson(0.5)));
  join(events, Event::laplace(2));
  join(events, Event::gaussian(2).times(4));
  ASSERT_EQ(events.size(), 3u);
  EXPECT_EQ(events[0], Event::gaussian(2).times(5));
  EXPECT_THROW(events[0].joined(events[1]), UsageError);
}

TEST(Event, RefusesParametersOutsideTheirRange) {
  EXPECT_THROW(Event::gaussian(0), UsageError);
  EXPECT_THROW(Event::gaussian(NAN), UsageError);
  EXPECT_THROW(Event::laplace(INFINITY), UsageError);
  EXPECT_THROW(Event::discrete_gaussian(1, 1, 0), UsageError);
  EXPECT_THROW(Event::discrete_laplace(1, 0), UsageError);
  EXPECT_THROW(Event::pure(-1), UsageError);
  EXPECT_THROW(Event::approximate(1, 1), UsageError);
  EXPECT_THROW(Event::gaussian(1).times(0), UsageError);
  EXPECT_THROW(Event::gaussian(1).sampled(poisson(0.1)).sampled(poisson(0.1)), UsageError);
  EXPECT_THROW(Event::gaussian(1).sampled(FixedBatch(1, 2)).sampled(FixedBatch(1, 2)), UsageError);
}

// Counts are added as doubles, which are exact up to 2^53.
TEST(Event, RefusesMoreReleasesThanADoubleCounts) {
  const std::uint64_t most = std::uint64_t{1} << 53;
  const Event event = Event::gaussian(1).times(most);
  EXPECT_THROW(event.times(2), UsageError);
  EXPECT_THROW(event.joined(Event::gaussian(1)), UsageError);
}

}  // namespace
}  // namespace tulle
