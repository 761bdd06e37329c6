#include "counts/count_pairs.hpp"

#include <gtest/gtest.h>

#include <set>
#include <string>

namespace tulle::attacks {
namespace {

PairKind kind_of_counts(const char* method, Relation relation) {
  return {method, {Unit::event, relation}, "counts", 1};
}

TEST(CountPairs, FollowFromTheirNumbers) {
  std::set<std::string> texts;
  for (std::uint64_t number = 0; number < 40; ++number) {
    const PairKind kind = kind_of_counts("margins", Relation::add_remove);
    EXPECT_EQ(random_count_pair(kind, number).text, random_count_pair(kind, number).text);
    texts.insert(random_count_pair(kind, number).text);
  }
  EXPECT_EQ(texts.size(), 40u);
}

TEST(CountPairs, AreWithinTheirSensitivities) {
  for (const char* method : {"margins", "histogram"})
    for (const Relation relation : {Relation::add_remove, Relation::replace})
      for (std::uint64_t number = 0; number < 20; ++number) {
        const NeighbouringPair pair = random_count_pair(kind_of_counts(method, relation), number);
        const ExactFinding finding = audit_exactly(pair, number);
        EXPECT_TRUE(finding.holds()) << pair.text << ": " << finding.differs;
        EXPECT_TRUE(finding.refused.empty()) << pair.text << ": " << finding.refused;
      }
}

// Whatever is released, an event changes it by all that the noise is for, in some pair.
TEST(CountPairs, ReachTheSensitivity) {
  for (const Relation relation : {Relation::add_remove, Relation::replace}) {
    double ratio = 0;
    for (std::uint64_t number = 0; number < 20; ++number)
      ratio = std::max(
          ratio,
          audit_exactly(random_count_pair(kind_of_counts("histogram", relation), number), number).ratio());
    EXPECT_EQ(ratio, 1);
  }
}

}  // namespace
}  // namespace tulle::attacks
