#include "release/clipped_steps.hpp"

#include <gtest/gtest.h>

#include <numeric>

namespace tulle {
namespace {

// Units that add `each`, of which those of at most `clip` are whole.
struct Numbers {
  std::vector<double> each;
};

ClippedSum clipped_sum(const Numbers& all, std::span<const std::uint64_t> units, double clip) {
  ClippedSum sum{{0.0}};
  for (std::uint64_t unit : units) {
    sum.numbers[0] += std::min(clip, all.each[unit]);
    ++(all.each[unit] <= clip ? sum.whole : sum.clipped);
  }
  return sum;
}

// Noise of 0.0023 times the clip, for an epsilon of 1e5.
constexpr double kHardlyAny = 0.0023;

Noisy nearly_exact_release(const ClippedSteps& steps, const std::vector<double>& each, double clip) {
  Curator curator =
      Curator::with_budget({1e5, 1e-6}, Unit::entry, Relation::add_remove, RandomBits::seeded(1));
  const Protected<Numbers> data(Numbers{each});
  return steps.release(curator, data, Protected<std::uint64_t>(each.size()), clip, 1, "sum",
                       [&](const Numbers& all, std::span<const std::uint64_t> units) {
                         return clipped_sum(all, units, clip);
                       });
}

TEST(ClippedSteps, ReleaseTheSum) {
  const ClippedSteps steps(PoissonSampler(1), kHardlyAny, std::nullopt, Unit::entry, Relation::add_remove);
  EXPECT_NEAR(nearly_exact_release(steps, {1, 2, 5}, 2).values[0], 5, 0.03);
  EXPECT_EQ(steps.clip_factor(), 1);
}

// All gradients are whole: the clip shrinks. None is: it grows.
TEST(ClippedSteps, FollowTheQuantile) {
  for (const double value : {1.0, 9.0}) {
    ClippedSteps steps(PoissonSampler(1), kHardlyAny, 0.5, Unit::entry, Relation::add_remove);
    const std::vector<double> each(10, value);
    const Noisy released = nearly_exact_release(steps, each, 2);
    ASSERT_EQ(released.values.size(), 2u);
    steps.adapt_clip(released, 2, 10);
    EXPECT_NEAR(steps.clip_factor(), value < 2 ? std::exp(-0.1) : std::exp(0.1), 5e-3);
  }
}

// One number more weighs w C / 2 = C / 10.
TEST(ClippedSteps, PayForTheCount) {
  const auto sensitivity = [](std::optional<double> quantile) {
    Curator curator =
        Curator::with_budget({1, 1e-6}, Unit::entry, Relation::add_remove, RandomBits::seeded(1));
    const double noise = curator.plan({{.share = 1, .sampling = PoissonSampler(1).sampling()}})[0];
    const ClippedSteps steps(PoissonSampler(1), noise, quantile, Unit::entry, Relation::add_remove);
    steps.release(
        curator, Protected<Numbers>(Numbers{{1}}), Protected<std::uint64_t>(1), 3, 1, "sum",
        [](const Numbers& all, std::span<const std::uint64_t> units) { return clipped_sum(all, units, 3); });
    return curator.guarantee().releases[0].sensitivity->value();
  };
  EXPECT_EQ(sensitivity(std::nullopt), 3);
  EXPECT_NEAR(sensitivity(0.5), 3 * std::sqrt(1.01), 1e-5);
}

}  // namespace
}  // namespace tulle
