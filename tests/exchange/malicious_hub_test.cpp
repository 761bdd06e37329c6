#include "exchange/malicious_hub.hpp"

#include "exchange/sum_faults.hpp"
#include "exchange/sum_games.hpp"

#include <gtest/gtest.h>

namespace tulle::malice {
namespace {

TEST(MaliciousHub, KeysAndDigestsDependOnAllThatTheyAreOf) {
  EXPECT_EQ(fault_of_derivation(), "");
}

TEST(MaliciousHub, AClientRefusesWhatIsFalseAtEveryStep) {
  EXPECT_EQ(fault_of_refusals(), "");
}

TEST(MaliciousHub, WithoutLiesItLearnsTheSumOverAllHonestSites) {
  EXPECT_EQ(fault_of_honest_sums(), "");
}

class MaliciousHubOf : public testing::TestWithParam<int> {};
INSTANTIATE_TEST_SUITE_P(Sites, MaliciousHubOf, testing::Range(2, 8));

TEST_P(MaliciousHubOf, ACopiedOrSwappedKeyShowsNothing) {
  EXPECT_EQ(fault_of_copies(GetParam()), "");
}

TEST_P(MaliciousHubOf, SitesThatAreToldOfSumsThatOverlapShowOneAtMost) {
  EXPECT_EQ(fault_of_overlapping_sums(GetParam()), "");
}

TEST_P(MaliciousHubOf, ASiteThatGetsSharesOfTheColludingAloneShowsNothing) {
  EXPECT_EQ(fault_of_few_sharers(GetParam()), "");
}

TEST_P(MaliciousHubOf, ASiteThatIsLeftOutOfTheSumShowsNothing) {
  EXPECT_EQ(fault_of_leaving_out(GetParam()), "");
}

TEST_P(MaliciousHubOf, ASiteThatSeesKeysOfTheAdversaryShowsNothing) {
  EXPECT_EQ(fault_of_false_keys(GetParam()), "");
}

TEST_P(MaliciousHubOf, ASiteThatWasToldAnotherTotalIsInNoSumWithTheOthers) {
  EXPECT_EQ(fault_of_false_totals(GetParam()), "");
}

TEST_P(MaliciousHubOf, ASiteThatSawOtherIdentityKeysIsInNoSumWithTheOthers) {
  EXPECT_EQ(fault_of_other_identities(GetParam()), "");
}

// Of two rounds. The games are worth something where sums come out of them.
TEST_P(MaliciousHubOf, RandomLiesShowSumsAsTheGuaranteeCountsOn) {
  Tally tally;
  EXPECT_EQ(fault_of_random_lies(GetParam(), GetParam() < 6 ? 24 : 8, tally), "");
  EXPECT_GT(tally.sums, tally.games / 4) << tally.games;
}

TEST(MaliciousHub, ListsOfSharersAndSurvivorsPerSiteShowSumsAsTheGuaranteeCountsOn) {
  Tally tally;
  EXPECT_EQ(fault_of_lists({3, 2, 0, {}, true}, {}, 1, tally), "");
  EXPECT_EQ(tally.games, 27 * 27);
  EXPECT_EQ(fault_of_lists({4, 3, 1}, {0}, 7, tally), "") << "one in seven of 4096";
  EXPECT_GT(tally.sums, 0);
}

}  // namespace
}  // namespace tulle::malice
