#include "sites/site_pairs.hpp"

#include <gtest/gtest.h>

#include <set>

namespace tulle::attacks {
namespace {

// One place, and two sites to four, with some that may collude and some that may stop.
TEST(SitePairs, HaveOneToFourSites) {
  const PairKind kind{"als", {Unit::user, Relation::add_remove}, "cp", 1, true};
  std::set<std::string> missing = {
      "2 sites", "3 sites", "4 sites", "0 collude", "1 collude", "threshold 3", "rows of each site's own"};
  int in_one_place = 0;
  for (std::uint64_t number = 0; number < 60; ++number) {
    const std::string text = random_site_pair(kind, number).text;
    EXPECT_EQ(text, random_site_pair(kind, number).text);
    in_one_place += text.find("sites") == std::string::npos;
    std::erase_if(missing, [&](const std::string& part) { return text.find(part) != std::string::npos; });
  }
  EXPECT_TRUE(missing.empty()) << *missing.begin();
  EXPECT_GT(in_one_place, 5);
}

}  // namespace
}  // namespace tulle::attacks
