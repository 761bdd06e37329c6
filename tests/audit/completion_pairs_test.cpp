#include "completion_pairs.hpp"

#include <tulle/method/method.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

namespace tulle::attacks {
namespace {

TEST(CompletionPairs, HaveTheModelsThatTheMethodHas) {
  const auto models = [](const char* method, const Neighbours& neighbours) {
    return models_of({method, neighbours, "", 1});
  };
  const Neighbours entry{Unit::entry, Relation::replace};
  EXPECT_EQ(models("als", entry), (std::vector<std::string>{"cp", "tucker"}));
  EXPECT_EQ(models("one-shot", entry), (std::vector<std::string>{"cp", "tucker", "tubal"}));
  EXPECT_EQ(models_of({"als", entry, "cp", 1}), (std::vector<std::string>{"cp"}));
}

// A pair follows from its number alone, so that a violation can be looked at again.
TEST(CompletionPairs, FollowFromTheirNumbers) {
  const PairKind kind{"one-shot", {Unit::entry, Relation::replace}, "", 1};
  std::set<std::string> texts;
  for (std::uint64_t number = 0; number < 40; ++number) {
    const NeighbouringPair pair = random_completion_pair(kind, number);
    EXPECT_EQ(pair.text, random_completion_pair(kind, number).text);
    texts.insert(pair.text);
  }
  EXPECT_EQ(texts.size(), 40u);
}

// Every noise that a method declares is tried, and leaving the choice to it, too.
TEST(CompletionPairs, TryEveryNoiseOfTheMethod) {
  for (const char* method : {"one-shot", "input", "als", "local"}) {
    const PairKind kind{method, find_method(method).protects.front(), "cp", 1};
    std::set<std::string> missing;
    for (const MethodSetting& setting : find_method(method).settings)
      for (const NoiseKind noise : setting.noises) missing.insert(std::string(name(noise)));
    ASSERT_FALSE(missing.empty()) << method;
    bool without = false;
    for (std::uint64_t number = 0; number < 200; ++number) {
      const std::string text = random_completion_pair(kind, number).text;
      without = without || text.find("noise") == std::string::npos;
      std::erase_if(missing, [&](const std::string& noise) {
        return text.find("noise " + noise) != std::string::npos;
      });
    }
    EXPECT_TRUE(without) << method;
    EXPECT_TRUE(missing.empty()) << method << " " << (missing.empty() ? "" : *missing.begin());
  }
}

// Where units are sampled, one of them is watched.
TEST(CompletionPairs, WatchAUnitWhereUnitsAreSampled) {
  const PairKind kind{"gradient", {Unit::entry, Relation::replace}, "cp", 1};
  int sampled = 0;
  for (std::uint64_t number = 0; number < 200; ++number) {
    const NeighbouringPair pair = random_completion_pair(kind, number);
    EXPECT_EQ(pair.watched.has_value(), pair.text.find("sampling-rate") != std::string::npos) << pair.text;
    sampled += pair.watched.has_value();
  }
  EXPECT_GT(sampled, 0);
}

}  // namespace
}  // namespace tulle::attacks
