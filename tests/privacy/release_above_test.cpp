#include "seeded_curator.hpp"

#include <gtest/gtest.h>

namespace tulle::testing {
namespace {

AdditiveNoise above(std::uint64_t coordinates, std::int64_t threshold) {
  return AdditiveNoise::discrete_laplace_above(range(1), 0.5, coordinates, threshold);
}

const ListedValues kListed{{3, 70, 1000}, {500, 600, 0}};

// Noise of standard deviation 2.8 takes 500 below 10 with a probability far below 1e-9.
TEST(ReleaseAbove, CostsWhatAReleaseOfAllValuesCosts) {
  Curator curator = seeded(1);
  const NoisyAbove released = curator.release_above(Data({1}), above(1'000'000'000, 40), "cells",
                                                    [](const auto&) { return kListed; });
  Curator dense = seeded(1);
  const auto noise = AdditiveNoise::discrete_laplace(range(1), 0.5, 2);
  dense.release(Data({1, 2}), noise, "cells", identity);
  EXPECT_EQ(curator.guarantee().releases[0].event, dense.guarantee().releases[0].event);
  EXPECT_EQ(curator.guarantee().spent->epsilon, dense.guarantee().spent->epsilon);
  EXPECT_EQ(curator.guarantee().releases[0].numbers, 1'000'000'000u);
  EXPECT_EQ(released.deviation, noise.deviation());
  ASSERT_GE(released.above.places.size(), 2u);
  for (const double value : released.above.values) EXPECT_GE(value, 40);
}

TEST(ReleaseAbove, ChecksTheBudgetBeforeItLooksAtTheData) {
  Curator curator = seeded(0.1);
  bool looked = false;
  EXPECT_NE(message_of([&] {
              curator.release_above(Data({1}), above(10, 1), "too much", [&](const auto&) {
                looked = true;
                return ListedValues();
              });
            }).find("too much: with it epsilon would be 0.5"),
            std::string::npos);
  EXPECT_FALSE(looked);
}

TEST(ReleaseAbove, WithoutPrivacyIsTheAnswer) {
  Curator curator = Curator::without_privacy();
  const NoisyAbove released =
      curator.release_above(Data({1}), above(2000, 3), "cells", [](const auto&) { return kListed; });
  EXPECT_EQ(released.above, kListed);
  EXPECT_EQ(released.deviation, 0);
}

TEST(ReleaseAbove, AQueryThatFailsIsPaidForAndTellsNothingOfTheData) {
  const std::vector<std::function<ListedValues(const std::vector<double>&)>> failing = {
      [](const auto& values) -> ListedValues { fail("the first value is {}", values[0]); },
      [](const auto&) {
        return ListedValues{{2, 1}, {1, 1}};
      },  // not ascending
      [](const auto&) {
        return ListedValues{{1, 1}, {1, 1}};
      },  // twice
      [](const auto&) {
        return ListedValues{{10}, {1}};
      },  // outside
      [](const auto&) {
        return ListedValues{{1, 2}, {1}};
      },  // of another length
      [](const auto&) {
        return ListedValues{{1}, {INFINITY}};
      }};
  for (const auto& query : failing) {
    Curator curator = seeded(1);
    EXPECT_NE(message_of([&] {
                curator.release_above(Data({7}), above(10, 1), "cells", query);
              }).find("cells: its query did not list finite numbers at ascending places below 10"),
              std::string::npos);
    EXPECT_NEAR(curator.guarantee().spent->epsilon, 0.5, 1e-9);
  }
}

}  // namespace
}  // namespace tulle::testing
