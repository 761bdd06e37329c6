#include "sites/site_cast.hpp"

#include <tulle/audit/exact.hpp>

#include <gtest/gtest.h>

#include <array>

namespace tulle::attacks {
namespace {

SparseTensor users(Index count) {
  SparseTensor table(Shape{4, 2}, Unlisted::missing);
  for (Index user = 0; user < count; ++user)
    for (Index item = 0; item < 2; ++item)
      table.append(std::array<Index, 2>{user, item}, item == 0 ? 1.0F : 5.0F);
  return table;
}

SiteCast three_sites() {
  SiteCast cast{.job = {.method = "als",
                        .terms = {.budget = {1, 1e-6},
                                  .unit = Unit::user,
                                  .relation = Relation::add_remove,
                                  .range = {1, 5},
                                  .sites = Sites{.colluding = 0}},
                        .fit = {.ranks = {1}, .seed = 1}},
                .tables = {users(1), users(2), users(3)},
                .watched = 1};
  return cast;
}

TEST(SiteCast, ARunAndItsReplayPublishTheSame) {
  const ExactFinding finding = audit_exactly(neighbouring_pair(three_sites(), users(2), users(3)), 1);
  EXPECT_TRUE(finding.holds()) << finding.differs;
  EXPECT_GT(finding.releases.size(), 1u);
  EXPECT_GT(finding.ratio(), 0.5);
}

TEST(SiteCast, AServerChangesNothingOfWhatSitesPublish) {
  SiteCast cast = three_sites();
  const ExactFinding without = audit_exactly(neighbouring_pair(cast, users(2), users(3)), 1);
  cast.job.terms.sites->server = true;
  const ExactFinding with = audit_exactly(neighbouring_pair(cast, users(2), users(3)), 1);
  EXPECT_TRUE(with.holds()) << with.differs;
  EXPECT_EQ(with.ratio(), without.ratio());
}

SiteMessages messages_of(const SiteCast& cast) {
  SiteMessages messages;
  Curator curator = cast.job.open(RandomBits::seeded(1));
  run_over_sites(cast, users(2), curator, &messages);
  return messages;
}

TEST(SiteCast, SitesThatMayColludeOrStopAddNoNoise) {
  SiteCast cast = three_sites();
  EXPECT_EQ(messages_of(cast).noise.size(), 2u) << "of both others";
  cast.job.terms.sites = Sites{.colluding = 1};
  EXPECT_EQ(messages_of(cast).noise.size(), 1u);
  cast.job.terms.sites = Sites{.colluding = 2};
  EXPECT_EQ(messages_of(cast).noise.size(), 0u);
}

// Messages as the sites send them, the noise of one of which is put in another's place; and messages that
// are further apart by one sensitivity and a half.
TEST(SiteCast, LeaksAreSeen) {
  const SiteCast cast = three_sites();
  const SiteMessages sent = messages_of(cast);
  SiteMessages replayed = sent;
  for (SentByWatched& message : replayed.watched) message.message = message.exact;
  EXPECT_TRUE(leaks_of(cast.sites(), sent, replayed).empty());
  SiteMessages reused = sent;
  reused.noise[0] = reused.noise[2];
  EXPECT_EQ(leaks_of(cast.sites(), reused, replayed).size(), 1u);
  SentByWatched& first = replayed.watched.front();
  const double cell = first.shares.values({{1}}).front();
  first.message[0] += static_cast<std::uint64_t>(1.5 * first.noise.sensitivity().value() / cell);
  EXPECT_EQ(leaks_of(cast.sites(), sent, replayed).size(), 1u);
}

// As published users' rows have noise that stays with the data: it is the same in a replay, so that equal
// data have equal answers.
TEST(SiteCast, AReplayTakesTheSameSeeds) {
  SiteCast cast = three_sites();
  cast.job.method = "dp-sgld";
  cast.job.terms.calibration = Calibration::published;
  cast.job.terms.sites = Sites{.colluding = 2, .threshold = 3};
  cast.job.settings.set(setting::steps, 3).set(setting::sampling_rate, 1);
  const ExactFinding finding = audit_exactly(neighbouring_pair(cast, users(2), users(2)), 1);
  EXPECT_TRUE(finding.holds()) << finding.differs;
  EXPECT_GT(finding.releases.size(), 2u);
  EXPECT_EQ(finding.ratio(), 0);
}

SiteCast counting_sites() {
  SiteCast cast = three_sites();
  cast.job.method = "ldp2";
  cast.job.terms.budget = {1, 0};
  cast.job.terms.unit = Unit::entry;
  cast.job.terms.relation = Relation::replace;
  return cast;
}

// One value of the watched site differs; what the site hands out follows from what it released, and the
// others hand out the same in both runs.
TEST(SiteCast, WhatIsHandedOutIsTheSameInAReplay) {
  SparseTensor other = users(2);
  other.values()[1] = 1;
  const ExactFinding finding = audit_exactly(neighbouring_pair(counting_sites(), users(2), other), 1);
  EXPECT_TRUE(finding.holds()) << finding.differs;
  EXPECT_EQ(finding.releases.size(), 1u);
  EXPECT_EQ(finding.ratio(), 1);
  SiteMessages sent = messages_of(counting_sites()), altered = sent;
  ASSERT_EQ(sent.handed.size(), 1u);
  EXPECT_TRUE(leaks_of(counting_sites().sites(), sent, sent).empty());
  altered.handed[0].back() ^= 1;
  EXPECT_EQ(leaks_of(counting_sites().sites(), sent, altered).size(), 1u);
}

// A document of the second of three sites differs.
TEST(SiteCast, TopicsOverSitesPublishTheSameInAReplay) {
  const auto documents = [](Index canary) {
    Documents all(4);
    for (Index word : std::array<Index, 5>{0, 1, 1, canary, 2})
      all.append(std::array<Index, 3>{word, word, word}, "");
    return Corpus{std::move(all), 3, {2, 2, 1}};
  };
  TopicJob job{.method = "histogram",
               .terms = {.budget = {1, 1e-6}, .unit = Unit::document, .sites = Sites{.colluding = 1}},
               .options = {.topics = 2, .seed = 1}};
  const ExactFinding finding = audit_exactly(neighbouring_pair(job, documents(0), documents(3), 1), 1);
  EXPECT_TRUE(finding.holds()) << finding.differs;
  EXPECT_EQ(finding.releases.size(), 1u);
  EXPECT_NEAR(finding.ratio(), 1, 1e-6);
  SiteMessages messages;
  Curator curator = job.open(RandomBits::seeded(1));
  run_over_sites(job, documents(0), 1, curator, &messages);
  EXPECT_EQ(messages.watched.size(), 1u);
  EXPECT_EQ(messages.noise.size(), 1u) << "of the other honest site";
}

}  // namespace
}  // namespace tulle::attacks
