#include <tulle/base/error.hpp>
#include <tulle/exchange/embedded.hpp>
#include <tulle/job/site_link.hpp>

#include <gtest/gtest.h>

namespace tulle {
namespace {

TEST(SiteLink, WithoutAThresholdAllSitesAreNeeded) {
  EXPECT_EQ(sum_terms({.colluding = 1}, 5).threshold, 5);
  EXPECT_EQ(sum_terms({.colluding = 1, .threshold = 4}, 5).threshold, 4);
  EXPECT_THROW(sum_terms({.colluding = 1, .threshold = 2}, 5), UsageError);
}

// Each site makes all streams from the seed and takes its own.
TEST(SiteLink, NoTwoSitesHaveTheSameStream) {
  const auto first_word = [](int site) {
    RandomBits all = RandomBits::seeded(3);
    return bits_of_site(all, site).word();
  };
  EXPECT_EQ(first_word(1), first_word(1));
  EXPECT_NE(first_word(0), first_word(1));
  EXPECT_NE(first_word(1), first_word(2));
}

// A sum of threshold 2 may show one site's numbers to another: the noise of a threshold of 3 would be too
// little.
TEST(SiteLink, NoiseIsSharedOutByTheTermsOfTheSums) {
  const EmbeddedEnds ends = run_embedded({3, 2, 0}, [&](Party& party) {
    EXPECT_THROW(link_over(party, {3, 3, 0}, 1), UsageError);
    EXPECT_THROW(link_over(party, {3, 3, 1}, 1), UsageError);
    EXPECT_NO_THROW(link_over(party, {3, 2, 0}, 1));
  });
  EXPECT_FALSE(ends.first);
}

TEST(SiteLink, AddsUpOverTheParty) {
  const SumTerms terms{3, 3, 1};
  const EmbeddedEnds ends = run_embedded(terms, [&](Party& party) {
    const Curator::SiteLink link = link_over(party, terms, 1);
    EXPECT_EQ(link.site, party.rank());
    EXPECT_EQ(link.sharing.fewest, 3);
    const Curator::SiteTotal total = link.sum({static_cast<std::uint64_t>(party.rank())});
    EXPECT_EQ(total.values, std::vector<std::uint64_t>{3});
    EXPECT_EQ(total.sites, 3u);
  });
  EXPECT_FALSE(ends.first);
}

}  // namespace
}  // namespace tulle
