#include "topic_pairs.hpp"

#include <gtest/gtest.h>

#include <map>
#include <set>
#include <string>

namespace tulle::attacks {
namespace {

constexpr Neighbours kDocument{Unit::document, Relation::replace};

TEST(TopicPairs, FollowFromTheirNumbers) {
  const PairKind kind{"histogram", kDocument, "topics", 1};
  std::set<std::string> texts;
  for (std::uint64_t number = 0; number < 40; ++number) {
    EXPECT_EQ(random_topic_pair(kind, number).text, random_topic_pair(kind, number).text);
    texts.insert(random_topic_pair(kind, number).text);
  }
  EXPECT_EQ(texts.size(), 40u);
}

// Methods that need a delta always have one, those that do not are tried without, and sites are tried where
// noise can be shared among them.
TEST(TopicPairs, CoverDeltasAndSites) {
  const auto seen = [](const char* method, const char* what) {
    int count = 0;
    for (std::uint64_t number = 0; number < 100; ++number)
      count +=
          random_topic_pair({method, kDocument, "topics", 1}, number).text.find(what) != std::string::npos;
    return count;
  };
  EXPECT_EQ(seen("agn", "delta 0,"), 0);
  EXPECT_GT(seen("histogram", "delta 0,"), 20);
  EXPECT_GT(seen("histogram", "delta 1e-06"), 20);
  EXPECT_GT(seen("histogram", "3 sites"), 0);
  EXPECT_EQ(seen("avn", "1 sites"), 100);
}

// Which of them is released depends on how many documents there are.
TEST(TopicPairs, CoverEveryReleaseOfWords) {
  std::map<std::string, int> seen;
  for (std::uint64_t number = 0; number < 200; ++number)
    for (const ExactRelease& release :
         audit_exactly(random_topic_pair({"histogram", kDocument, "topics", 1}, number), number).releases)
      ++seen[release.what];
  EXPECT_GT(seen["counts of triples of words"], 20);
  EXPECT_GT(seen["shares of words"], 20);
  EXPECT_GT(seen["counts of pairs of common words"], 5);
}

TEST(TopicPairs, AreWithinTheirSensitivities) {
  for (const char* model : {"topics", "mixture"})
    for (std::uint64_t number = 0; number < 20; ++number) {
      const NeighbouringPair pair = random_topic_pair({"agn", kDocument, model, 1}, number);
      EXPECT_TRUE(audit_exactly(pair, number).holds()) << pair.text;
    }
}

}  // namespace
}  // namespace tulle::attacks
