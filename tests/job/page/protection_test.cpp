#include "page/protection.hpp"

#include "text_parts.hpp"

#include <tulle/job/run_page.hpp>
#include <tulle/privacy/account/gdp.hpp>
#include <tulle/privacy/account/posterior.hpp>
#include <tulle/privacy/curator.hpp>

#include <gtest/gtest.h>

#include <cmath>

namespace tulle {
namespace {

using Json = nlohmann::ordered_json;

// The guarantee of a run with one release of Gaussian noise, as its report has it.
Json gaussian_guarantee(double epsilon, double delta, RandomBits bits = RandomBits::secure()) {
  Curator curator = Curator::with_budget({epsilon, delta}, Unit::user, Relation::add_remove, std::move(bits));
  curator.set_scope({.mode = "patient", .joint = true, .public_facts = {"the list of <drugs>"}});
  const double noise = curator.plan({{.share = 1}})[0];
  const auto sensitivity = Sensitivity::l2(1, Unit::user, Relation::add_remove);
  static_cast<void>(curator.release(Protected(std::vector{0.0}),
                                    AdditiveNoise::gaussian(sensitivity, noise, 1), "sum of doses",
                                    [](const std::vector<double>& sums) { return sums; }));
  return Json::parse(to_json(curator.guarantee()));
}

std::string page_with(const Json& guarantee, void (*add)(Page&, const Json&)) {
  Page page("t");
  add(page, guarantee);
  return page.html();
}

TEST(Protection, SummaryStatesWhatAnEvenSuspicionMayBecome) {
  const Json guarantee = gaussian_guarantee(1, 1e-6);
  const std::string html = page_with(guarantee, add_summary);
  EXPECT_TRUE(has(html, "<strong>Proven</strong>")) << html;
  EXPECT_TRUE(has(html, "epsilon 1, delta 1e-06 for one patient"));
  // The bound of the exact trade-off, which is above the rule for delta 0, 73.1 %, and below 78 %.
  const double loss =
      loss_upper(std::vector{Event::gaussian(1 / gaussian_mu_lower(1, 1e-6))}, Relation::add_remove, 1e-6);
  const double posterior = 100 * posterior_upper(0.5, loss);
  EXPECT_GT(posterior, 100 * std::exp(1) / (1 + std::exp(1)));
  EXPECT_LT(posterior, 78);
  EXPECT_TRUE(has(html, fmt::format("<b>{:.1f} %</b>", std::ceil(10 * posterior - 1e-3) / 10)))
      << posterior << html;
  EXPECT_TRUE(has(html, "except with probability 1e-06 at most"));
}

// That of a run of pure epsilon 1.
Json pure_guarantee(std::string_view relation) {
  Json guarantee = gaussian_guarantee(1, 1e-6);
  guarantee["delta"] = 0;
  guarantee["accounting"] = "pure, adaptive";
  guarantee["relation"] = relation;
  return guarantee;
}

TEST(Protection, SummaryOfAPureGuaranteeHasNoException) {
  const std::string html = page_with(pure_guarantee("add-remove"), add_summary);
  EXPECT_TRUE(has(html, "<b>73.2 %</b>")) << html;  // e / (1 + e) = 73.106 %, rounded up
  EXPECT_FALSE(has(html, "except with probability"));
}

TEST(Protection, TwoContentsOfAUnitThatMayBeAbsentAreTwoSteps) {
  for (const auto& [relation, first] : {std::pair("add-remove", "whether one patient is in the data"),
                                        std::pair("zero-out", "whether one patient counted")}) {
    const std::string summary = page_with(pure_guarantee(relation), add_summary);
    EXPECT_TRUE(has(summary, "<b>73.2 %</b>") && has(summary, first)) << summary;
    // e^2 / (1 + e^2) = 88.0797 %
    EXPECT_TRUE(has(summary, "<b>88.1 %</b>") && has(summary, "which of two contents one patient has"));
    const std::string learned = page_with(pure_guarantee(relation), add_learned);
    for (const char* part : {"at most 73.2 % of the time", "at most 88.1 % of the time", "exp(1) times",
                             "exp(2) times", "Which of two contents does one patient have?"})
      EXPECT_TRUE(has(learned, part)) << part << learned;
  }
}

TEST(Protection, UnderReplaceContentsAreOneStepAndPresenceIsNoQuestion) {
  const std::string summary = page_with(pure_guarantee("replace"), add_summary);
  EXPECT_TRUE(has(summary, "<b>73.2 %</b>") && has(summary, "which of two contents one patient has"));
  EXPECT_FALSE(has(summary, "88.1 %"));
  EXPECT_FALSE(has(page_with(pure_guarantee("replace"), add_learned), "or not?"));
}

// mu of a Gaussian release at epsilon 1, delta 1e-6 is 0.217..; of two contents it is twice that.
TEST(Protection, OfGaussianReleasesTwoContentsHaveTwiceTheMu) {
  const double mu = gaussian_mu_lower(1, 1e-6);
  const auto right = [](double steps_mu) {
    return fmt::format("at most {:.1f} % of the time",
                       std::ceil(1000 * 0.5 * std::erfc(-steps_mu / 2 / std::sqrt(2))) / 10);
  };
  const std::string learned = page_with(gaussian_guarantee(1, 1e-6), add_learned);
  EXPECT_TRUE(has(learned, right(mu))) << right(mu) << learned;
  EXPECT_TRUE(has(learned, right(2 * mu))) << right(2 * mu);
}

TEST(Protection, SummaryWarnsOfASeedALargeEpsilonAndAClaim) {
  EXPECT_TRUE(has(page_with(gaussian_guarantee(1, 1e-6, RandomBits::seeded(1)), add_summary),
                  "class='notice warning'"));
  const std::string large = page_with(gaussian_guarantee(8, 1e-6), add_summary);
  EXPECT_TRUE(has(large, "Proven, with a large epsilon"));
  EXPECT_FALSE(has(large, "<b>100")) << "a bound below certainty is not rounded to it";
  Json claimed = gaussian_guarantee(1, 1e-6);
  claimed["status"] = "claimed, not proven";
  claimed["remark"] = "the range is taken from the data";
  const std::string html = page_with(claimed, add_summary);
  EXPECT_TRUE(has(html, "class='notice alarming'") && has(html, "the range is taken from the data"));
  EXPECT_FALSE(has(html, "class='key'")) << "nothing is known of an attacker";
}

TEST(Protection, OfReleasesThatWereNotPlannedTheBoundIsThatOfEpsilonAndDelta) {
  Json guarantee = gaussian_guarantee(1, 1e-6);
  guarantee["accounting"] = "pure, adaptive";
  const std::string html = page_with(guarantee, add_learned);
  // c = 0.1: epsilon - ln(0.9), except with ten times delta.
  EXPECT_TRUE(has(html, "except with probability 1e-05 at most")) << html;
  EXPECT_TRUE(has(html, fmt::format("The least over c is {}", rounded_up(1 - std::log(0.9), 4))));
  // Two steps are (2, (1 + e) delta)-private: c = 0.5 of ten times delta.
  EXPECT_TRUE(has(html, fmt::format("The least over c is {}", rounded_up(2 - std::log(0.5), 4)))) << html;
}

TEST(Protection, RecordsOfEarlierVersionsAreReadToo) {
  Json guarantee = gaussian_guarantee(1, 1e-6);
  EXPECT_TRUE(is_composed_of_its_record(guarantee));
  guarantee["releases"][0].erase("accounted");
  EXPECT_FALSE(is_composed_of_its_record(guarantee));
  EXPECT_TRUE(has(page_with(guarantee, add_learned), "except with probability 1e-05 at most"));
}

TEST(Protection, NamesWhomAndWhatInWordsAndEscapes) {
  const std::string html = page_with(gaussian_guarantee(1, 1e-6), add_protection);
  for (const char* part :
       {"any one position of mode patient", "whether it is in the data at all (add-remove)",
        "anybody who sees the releases", "each user&#39;s own row", "the list of &lt;drugs&gt;"})
    EXPECT_TRUE(has(html, part)) << part << html;
}

TEST(Protection, ListsEveryRelease) {  // and how often it was made in a row
  const Json guarantee = gaussian_guarantee(1, 1e-6);
  const std::string html = page_with(guarantee, add_releases);
  for (const char* part :
       {"<td>sum of doses</td>", "(L2)</td>", "<td>Gaussian</td>", "accounting: gdp, planned"})
    EXPECT_TRUE(has(html, part)) << part << html;
}

// A published form may use data without noise: that all of it went through releases is said of proven ones
// alone.
TEST(Protection, OfAClaimTheListIsOfWhatWasRecorded) {
  Json guarantee = gaussian_guarantee(1, 1e-6);
  EXPECT_TRUE(has(page_with(guarantee, add_releases), "All that left the private data did so here"));
  guarantee["status"] = "claimed, not proven";
  const std::string html = page_with(guarantee, add_releases);
  EXPECT_FALSE(has(html, "All that left the private data did so here"));
  EXPECT_TRUE(has(html, "which are not proven"));
  EXPECT_TRUE(has(html, "<th>changes at most by, as claimed</th>")) << html;
  EXPECT_TRUE(has(html, "<th>as claimed</th>"));
  EXPECT_FALSE(has(html, "<th>changes at most by</th>") || has(html, "as accounted"))
      << "as if they were facts";
  EXPECT_TRUE(has(html, "Together, as the paper claims, not proven: "));
}

// The releases that epsilon was computed from are on record: composed again they give it.
TEST(Protection, AccountedReleasesGiveEpsilonAgain) {
  const Json guarantee = gaussian_guarantee(1, 1e-6);
  EXPECT_EQ(guarantee.at("accounting"), "gdp, planned");
  ASSERT_EQ(guarantee.at("releases").size(), 1u);
  const double noise = guarantee["releases"][0].at("accounted").at("noise_multiplier");
  EXPECT_NEAR(gaussian_epsilon_upper(1 / noise, 1e-6), 1, 1e-6);
}

}  // namespace
}  // namespace tulle
