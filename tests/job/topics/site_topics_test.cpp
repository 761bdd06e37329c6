#include "method/topics/samples.hpp"

#include <tulle/job/topics/site_topics.hpp>
#include <tulle/privacy/account/gdp.hpp>

#include <gmock/gmock.h>

#include <atomic>
#include <cmath>

namespace tulle {
namespace {

using namespace testing;
using ::testing::HasSubstr;

Corpus at_three_sites() {
  Corpus corpus = made_up(true_topics(8, 3), 20000, 3, 1);
  corpus.sites = {12000, 5000, 3000};
  return corpus;
}

TopicJob job(const Budget& budget) {
  return {.method = "histogram",
          .terms = {.budget = budget, .unit = Unit::document, .seed = 1, .sites = Sites{}},
          .options = {.topics = 3, .seed = 1}};
}

std::string refusal(const TopicJob& job, TopicData data) {
  try {
    job.run(std::move(data));
  } catch (const Error& error) {
    return error.what();
  }
  return "no error";
}

// sqrt(2) / mu = 9.94 of Gaussian noise, which is more than 5.65 of Laplace noise, but can be shared.
TEST(SiteTopics, SitesShareGaussianNoise) {
  const TopicOutcome outcome = job({0.5, 1e-5}).run(at_three_sites());
  ASSERT_EQ(outcome.guarantee.releases.size(), 1u);
  EXPECT_EQ(outcome.guarantee.releases[0].noise, "Gaussian");
  // Any one of the three sites may subtract its own noise: two of three parts are all that is needed.
  EXPECT_NEAR(outcome.guarantee.releases[0].deviation,
              std::sqrt(3.0 / 2) * std::sqrt(2) / gaussian_mu_lower(0.5, 1e-5), 1e-3);
  EXPECT_NE(outcome.guarantee.adversary.find("any one of the 3 sites"), std::string::npos);
  EXPECT_NEAR(outcome.guarantee.used.epsilon, 0.5, 1e-6);
}

TEST(SiteTopics, SitesAddUpToTheWhole) {
  EXPECT_LT(error_of(job({20, 1e-6}).run(at_three_sites()), true_topics(8, 3)), 0.06);
  Samples samples = made_up_mixture(Matrix::Identity(4, 3), 0.1, 20000, 1);
  samples.sites = {9000, 11000};
  EXPECT_LT(error_of(job({4, 1e-6}).run(samples), Matrix::Identity(4, 3)), 0.05);
}

TEST(SiteTopics, EverySiteHasItsOwnDocumentsAndKnowsHowManyTheOthersHave) {
  const Corpus all = at_three_sites();
  const std::vector<TopicData> parts = data_of_sites(all);
  ASSERT_EQ(parts.size(), 3u);
  std::size_t place = 0;
  for (const TopicData& part : parts) {
    const auto& corpus = std::get<Corpus>(part);
    EXPECT_EQ(corpus.sites, all.sites);
    EXPECT_EQ(corpus.length, all.length);
    for (std::size_t i = 0; i < corpus.documents.size(); ++i, ++place)
      ASSERT_TRUE(std::ranges::equal(corpus.documents[i], all.documents[place]));
  }
  EXPECT_EQ(place, all.documents.size());
}

TEST(SiteTopics, OneAccountIsChargedBeforeAnySiteReleases) {
  std::atomic<int> charged = 0;
  job({1, 1e-6}).run(at_three_sites(), [&](const Curator& curator) {
    ++charged;
    EXPECT_EQ(curator.dues().size(), 1u);
    EXPECT_TRUE(curator.guarantee().releases.empty());
  });
  EXPECT_EQ(charged, 1);
  EXPECT_THROW(job({1, 1e-6}).run(at_three_sites(), [](const Curator&) { fail("the account is empty"); }),
               Error);
}

TEST(SiteTopics, WrongUseSaysWhatToDo) {
  const auto refused = [](auto change) {
    TopicJob changed = job({1, 1e-6});
    change(changed);
    return refusal(changed, at_three_sites());
  };
  EXPECT_THAT(refusal(job({1, 1e-6}), made_up(true_topics(8, 3), 20, 3, 1)),
              HasSubstr("which site has what"));
  EXPECT_THAT(refused([](TopicJob& job) { job.method = "avn"; }), HasSubstr("cannot be shared"));
  EXPECT_THAT(refused([](TopicJob& job) { job.terms.budget.delta = 0; }), HasSubstr("a delta above 0"));
  EXPECT_THAT(refused([](TopicJob& job) { job.terms.sites->colluding = 3; }), HasSubstr("give from 0 to 2"));
  EXPECT_THAT(refused([](TopicJob& job) { job.terms.sites->overlap = 2; }), HasSubstr("omit the overlap"));
  EXPECT_THAT(refused([](TopicJob& job) { job.terms.sites->server = true; }),
              HasSubstr("leave the server out"));
}

// What a site states of the others is held to what it has itself.
TEST(SiteTopics, ASiteMustSayHowManyDocumentsAllHave) {
  const TopicJob run = job({1, 1e-6});
  for (const std::vector<std::size_t>& sites : {std::vector<std::size_t>{}, {30, 20}}) {
    Corpus own = made_up(true_topics(8, 3), 20, 3, 1);
    own.sites = sites;
    Curator curator = run.open(RandomBits::seeded(1));
    curator.join_sites({{.sites = 2, .colluding = 1}, [](const auto& values) {
                          return Curator::SiteTotal{values, 2};
                        }});
    EXPECT_THROW(run.run(own, curator), UsageError);
  }
}

}  // namespace
}  // namespace tulle
