#include "counts/count_pairs.hpp"

#include <gtest/gtest.h>

#include <array>
#include <set>
#include <string>

namespace tulle::attacks {
namespace {

constexpr std::array kProtected = {Neighbours{Unit::event, Relation::add_remove},
                                   Neighbours{Unit::event, Relation::replace},
                                   Neighbours{Unit::user, Relation::add_remove}};

PairKind kind_of_counts(const char* method, const Neighbours& neighbours) {
  return {method, neighbours, "counts", 1};
}

TEST(CountPairs, FollowFromTheirNumbers) {
  std::set<std::string> texts;
  for (std::uint64_t number = 0; number < 40; ++number) {
    for (const Neighbours& neighbours : kProtected) {
      const PairKind kind = kind_of_counts("margins", neighbours);
      EXPECT_EQ(random_count_pair(kind, number).text, random_count_pair(kind, number).text);
    }
    texts.insert(random_count_pair(kind_of_counts("margins", kProtected[0]), number).text);
  }
  EXPECT_EQ(texts.size(), 40u);
}

TEST(CountPairs, AreWithinTheirSensitivities) {
  for (const char* method : {"margins", "histogram", "sparse"})
    for (const Neighbours& neighbours : kProtected)
      for (std::uint64_t number = 0; number < 20; ++number) {
        const NeighbouringPair pair = random_count_pair(kind_of_counts(method, neighbours), number);
        const ExactFinding finding = audit_exactly(pair, number);
        EXPECT_TRUE(finding.holds()) << pair.text << ": " << finding.differs;
        EXPECT_TRUE(finding.refused.empty()) << pair.text << ": " << finding.refused;
      }
}

// Whatever is released, a unit changes it by all that the noise is for, in some pair.
TEST(CountPairs, ReachTheSensitivity) {
  for (const char* method : {"histogram", "sparse"})
    for (const Neighbours& neighbours : kProtected) {
      double ratio = 0;
      for (std::uint64_t number = 0; number < 20; ++number)
        ratio = std::max(
            ratio,
            audit_exactly(random_count_pair(kind_of_counts(method, neighbours), number), number).ratio());
      EXPECT_NEAR(ratio, 1, 1e-12) << method;
    }
}

}  // namespace
}  // namespace tulle::attacks
