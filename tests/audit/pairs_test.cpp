#include <tulle/audit/pairs.hpp>
#include <tulle/audit/report.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace tulle {
namespace {

constexpr double kPairsInTests = 250;  // of a kind of weight 1

TEST(RandomPairKinds, AreThereForEveryMethodWithEachUnitAndRelationThatItProtects) {
  for (const Method& method : methods(Job::completion))
    for (const Neighbours& neighbours : method.protects) {
      if (method.guarantee == "none is proven") continue;
      EXPECT_TRUE(std::ranges::any_of(pair_kinds(), [&](const PairKind& kind) {
        return kind.method == method.name && kind.neighbours == neighbours;
      })) << method.name;
    }
}

TEST(RandomPairs, FollowFromTheirNumbers) {
  const PairKind& kind = pair_kinds().front();
  EXPECT_EQ(random_pair(kind, 7).text, random_pair(kind, 7).text);
  EXPECT_NE(random_pair(kind, 7).text, random_pair(kind, 8).text);
}

// Kinds get pairs in proportion to their weights, rounded up.
TEST(RandomPairs, AreSharedOutByWeight) {
  PairKind light{"one-shot", {Unit::entry, Relation::replace}, "cp", 1}, heavy = light;
  heavy.weight = 3;
  const std::vector<ExactSummary> summaries = audit_random_pairs({light, heavy}, 8, 2);
  ASSERT_EQ(summaries.size(), 2u);
  EXPECT_EQ(summaries[0].pairs, 2u);
  EXPECT_EQ(summaries[1].pairs, 6u);
}

class RandomPairs : public ::testing::TestWithParam<std::size_t> {};

// The seed is fixed, and nothing is left to chance: a sensitivity that holds holds for every pair.
TEST_P(RandomPairs, AreWithinTheStatedSensitivities) {
  const PairKind& kind = pair_kinds()[GetParam()];
  const auto pairs = static_cast<std::uint64_t>(std::ceil(kPairsInTests * kind.weight));
  const ExactSummary summary = audit_random_pairs({kind}, pairs).front();
  EXPECT_EQ(summary.violated, 0) << sentence(summary);
  EXPECT_LT(summary.refused, summary.pairs / 2) << sentence(summary);
  // Near enough to the bound that a sensitivity of a half would be seen.
  EXPECT_GT(summary.ratio, 0.7) << sentence(summary);
}

std::string pair_name(const ::testing::TestParamInfo<std::size_t>& info) {
  std::string name = what(pair_kinds()[info.param]);
  std::ranges::replace_if(
      name, [](unsigned char c) { return std::isalnum(c) == 0; }, '_');
  return name;
}

INSTANTIATE_TEST_SUITE_P(All, RandomPairs, ::testing::Range<std::size_t>(0, pair_kinds().size()), pair_name);

}  // namespace
}  // namespace tulle
