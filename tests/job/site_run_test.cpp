#include "io/temporary_folder.hpp"

#include <tulle/base/error.hpp>
#include <tulle/base/random.hpp>
#include <tulle/job/site_run.hpp>
#include <tulle/privacy/largest_epsilon.hpp>
#include <tulle/privacy/ledger/fingerprint.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <filesystem>
#include <fstream>
#include <map>
#include <mutex>
#include <set>

namespace tulle {
namespace {

using ::testing::HasSubstr;

constexpr int kFilms = 6, kSites = 3, kUsersPerSite = 60;

std::string path_of(const std::string& name) {
  static const TemporaryFolder folder;  // tests run side by side, each in a process of its own
  return folder / name;
}

// Ratings of three sites, each file by itself, and all of them in one. Film f has the mean 2 + f / 3, and
// every other user rates all films higher than the rest do.
void write_ratings() {
  Random random(5, 1);
  std::ofstream all(path_of("all.tns"));
  for (int site = 0; site < kSites; ++site) {
    std::ofstream own(path_of(fmt::format("{}.tns", site)));
    for (int user = 0; user < kUsersPerSite; ++user)
      for (int film = 0; film < kFilms; ++film) {
        if (film > 0 && random.below(3) == 0) continue;
        const double rating = 2 + film / 3.0 + random.uniform() - 0.5 + (user % 2 == 0 ? 0.3 : -0.3);
        own << fmt::format("{} {} {}\n", user + 1, film + 1, rating);
        all << fmt::format("{} {} {}\n", site * kUsersPerSite + user + 1, film + 1, rating);
      }
  }
}

SiteJob site_job(double epsilon, Sites sites = {}) {
  write_ratings();
  SiteJob job;
  job.study.title = "shops";
  job.study.relations = {{.name = "ratings", .entities = {"user", "film"}}};
  job.study.private_entity = "user";
  job.study.sizes["film"] = kFilms;
  for (int site = 0; site < kSites; ++site)
    job.study.sites.push_back({fmt::format("site{}", site), path_of(fmt::format("{}.tns", site)),
                               path_of(fmt::format("{}.tns", site))});
  job.completion.method = "als";
  Terms& terms = job.completion.terms;
  terms.budget = {epsilon, 1e-6};
  terms.range = {1, 5};
  terms.seed = 3;
  terms.sites = sites;
  complete_terms(job);
  return job;
}

Vector film_offsets(const Completion& completion) {
  return std::get<Cp>(completion.model).biases.offsets[1];
}

// With hardly any noise (multipliers below 0.01 for sums over some 40 users per film) the sites find what one
// place finds that has all their tables.
TEST(SiteRun, SitesFindThePooledModel) {
  SiteJob job = site_job(kLargestEpsilon);
  const std::vector<SiteOutcome> sites = run_sites_here(job);
  job.completion.terms.sites.reset();
  const DataOptions all{.train = path_of("all.tns"), .reading = {.shape = Shape({1, kFilms})}};
  CompletionRun pooled(job.completion, read_completion_data(all, {true, true, "1"}, 1));
  const Vector expected = film_offsets(pooled.run({}, {}).completion);
  EXPECT_GT(expected[kFilms - 1] - expected[0], 1) << "there is something to find";
  for (const SiteOutcome& site : sites)
    EXPECT_LT((film_offsets(site.outcome.completion) - expected).cwiseAbs().maxCoeff(), 0.01) << site.site;
}

// One table, to be dealt to sites.
SiteJob one_table_job(Sites stated = {}) {
  SiteJob job = site_job(kLargestEpsilon, stated);
  job.study.sites = {{.name = "all", .file = path_of("all.tns"), .test = ""}};
  job.study.simulated = true;
  return job;
}

std::vector<SiteOutcome> run_in_one_place(SiteJob job) {
  job.study.deal_to(1);
  complete_terms(job);
  return run_sites_here(job);
}

TEST(SiteRun, ATableIsDealtToSites) {
  SiteJob job = one_table_job();
  const std::vector<SiteOutcome> pooled = run_in_one_place(job);
  EXPECT_EQ(pooled.size(), 1u);
  EXPECT_EQ(pooled[0].outcome.completion.guarantee.adversary, "");
  job.study.deal_to(3);
  const std::vector<SiteOutcome> sites = run_sites_here(job);
  std::size_t cells = 0;
  for (const SiteOutcome& site : sites) cells += site.outcome.train_cells;
  EXPECT_EQ(cells, pooled[0].outcome.train_cells);
  EXPECT_LT((film_offsets(sites[1].outcome.completion) - film_offsets(pooled[0].outcome.completion))
                .cwiseAbs()
                .maxCoeff(),
            0.01);
}

TEST(SiteRun, AllSitesHaveTheSameModelAndTheirOwnUsers) {
  const std::vector<SiteOutcome> sites = run_sites_here(site_job(1));
  const std::vector<SiteOutcome> again = run_sites_here(site_job(1));
  for (const SiteOutcome& site : sites) {
    EXPECT_EQ(film_offsets(site.outcome.completion), film_offsets(sites[0].outcome.completion));
    EXPECT_EQ(film_offsets(site.outcome.completion),
              film_offsets(again[static_cast<std::size_t>(site.site)].outcome.completion))
        << "seeded";
    EXPECT_EQ(shape(owners_model(site.outcome.completion))[0], kUsersPerSite);
    EXPECT_EQ(shape(site.outcome.completion.model)[0], 1u) << "how many users a site has is private";
    EXPECT_GT(site.traffic.sent, 0u);
  }
}

// DP-SGD: each site adds up the clipped gradients of its own users.
TEST(SiteRun, GradientStepsAreSumsOverSites) {
  SiteJob job = site_job(2);
  job.completion.method = "gradient";
  job.completion.fit.ranks = {2};
  job.completion.settings.set(setting::steps, 5);
  const std::vector<SiteOutcome> sites = run_sites_here(job);
  for (const SiteOutcome& site : sites) {
    EXPECT_EQ(std::get<Cp>(site.outcome.completion.model).factors[1],
              std::get<Cp>(sites[0].outcome.completion.model).factors[1]);
    EXPECT_EQ(site.outcome.completion.guarantee.status, Guarantee::Status::proven);
  }
}

// Ratings and views (0 to 10) of the same users, and public features of the films.
SiteJob coupled_job(double epsilon, std::vector<std::string> local = {}) {
  SiteJob job = site_job(1);
  for (int site = 0; site < kSites; ++site) {
    std::ofstream views(path_of(fmt::format("views{}.tns", site)));
    // Users of the views who have rated nothing come on top.
    for (int user = 0; user < kUsersPerSite + 2; ++user)
      views << fmt::format("{} {} {}\n", user + 1, user % kFilms + 1, user % 11);
    job.study.sites[static_cast<std::size_t>(site)].files["views"] =
        path_of(fmt::format("views{}.tns", site));
  }
  std::ofstream features(path_of("features.tns"));
  for (int film = 0; film < kFilms; ++film)
    for (int feature = 0; feature < 2; ++feature)
      features << fmt::format("{} {} {}\n", film + 1, feature + 1, film * (feature + 1));
  features.close();
  job.study.relations.push_back(
      {.name = "views", .entities = {"user", "film"}, .range = std::pair(0.0, 10.0)});
  job.study.relations.push_back({.name = "features",
                                 .entities = {"film", "feature"},
                                 .is_public = true,
                                 .file = path_of("features.tns")});
  job.study.local = std::move(local);
  if (!job.study.local.empty()) job.study.relations.pop_back();  // which is about films that all share
  job.completion.method = "dp-sgld";
  job.completion.terms.budget = {epsilon, 1e-6};
  job.completion.fit.ranks = {2};
  job.completion.settings.set(setting::steps, 3);
  complete_terms(job);
  return job;
}

TEST(SiteRun, RelationsOfASiteMakeOneModel) {
  const std::vector<SiteOutcome> sites = run_sites_here(coupled_job(1)),
                                 again = run_sites_here(coupled_job(1));
  for (const SiteOutcome& site : sites) {
    const Completion& fit = site.outcome.completion;
    EXPECT_EQ(shape(fit.model), (Shape{1, kFilms, 2})) << "users, films, relations";
    EXPECT_EQ(shape(owners_model(fit))[0], kUsersPerSite + 2) << "users of either relation";
    EXPECT_EQ(std::get<Cp>(fit.model).factors[1], std::get<Cp>(again[0].outcome.completion.model).factors[1]);
    EXPECT_EQ(fit.guarantee.status, Guarantee::Status::proven);
    EXPECT_THAT(fit.guarantee.public_facts, ::testing::Contains("relation features, all of it"));
    EXPECT_THAT(fit.guarantee.public_facts, ::testing::Contains("the range of relation views"));
    EXPECT_EQ(site.data->public_modes[2].labels, (std::vector<std::string>{"ratings", "views"}));
    EXPECT_GT(site.outcome.scores->cells, 0u);
  }
}

// Every site has rows of its own for local films, with its name before theirs: what it releases of the
// others' is noise.
TEST(SiteRun, LocalEntitiesHaveFactorsOfEachSite) {
  const std::vector<SiteOutcome> sites = run_sites_here(coupled_job(1, {"film"}));
  EXPECT_EQ(shape(sites[0].outcome.completion.model), (Shape{1, kFilms * kSites, 2}));
  EXPECT_EQ(sites[2].data->public_modes[1].labels[kFilms + 1], "site1/2");
  EXPECT_EQ(sites[2].outcome.scores->cells, sites[2].outcome.train_cells - (kUsersPerSite + 2));
}

// What leaves the sites is the same. Their own models are fitted to their data, which protects no user of a
// site against another one: the guarantee is then not a joint one.
TEST(SiteRun, FactorsOfASitesOwnAreProtectedOrForThatSiteAlone) {
  SiteJob job = coupled_job(1, {"film"});
  const std::vector<SiteOutcome> all = run_sites_here(job);
  job.completion.settings.set(setting::protection, Protection::shared);
  const std::vector<SiteOutcome> shared = run_sites_here(job);
  for (std::size_t site = 0; site < all.size(); ++site) {
    const Completion &one = all[site].outcome.completion, &other = shared[site].outcome.completion;
    EXPECT_EQ(std::get<Cp>(one.model).factors[1], std::get<Cp>(other.model).factors[1]);
    EXPECT_TRUE(one.guarantee.joint);
    EXPECT_FALSE(other.guarantee.joint);
    EXPECT_EQ(other.guarantee.status, Guarantee::Status::proven);
    const auto rows = [&](const Completion& fit) {
      return std::get<Cp>(owners_model(fit)).factors[1].middleRows(static_cast<int>(site) * kFilms, kFilms);
    };
    EXPECT_NE(rows(one), rows(other));
    EXPECT_LT(shared[site].outcome.scores->rmse, all[site].outcome.scores->rmse)
        << "on cells that were fitted";
  }
  SiteJob without = coupled_job(1);
  without.completion.settings.set(setting::protection, Protection::shared);
  EXPECT_THROW(run_sites_here(without), UsageError) << "no local entity";
}

SiteJob published_job() {
  SiteJob job = site_job(0.1);
  job.completion.method = "dp-sgld";
  job.completion.terms.calibration = Calibration::published;
  job.completion.fit.ranks = {2};
  job.completion.settings.set(setting::steps, 1)
      .set(setting::sgld_rule, SgldRule::advanced)
      .set(setting::protection, Protection::all);
  return job;
}

// (4.14), (4.25): noise of each site's own. The sites have the same table, and noise far beyond its steps.
TEST(SiteRun, NoiseOnUsersRowsAsPublishedIsEachSitesOwn) {
  SiteJob job = published_job();
  for (StudyFile::Site& site : job.study.sites) site.file = path_of("0.tns");
  complete_terms(job);
  const std::vector<SiteOutcome> sites = run_sites_here(job);
  const auto rows = [&](std::size_t site) {
    return std::get<Cp>(owners_model(sites[site].outcome.completion)).factors[0];
  };
  for (const auto& [one, other] : {std::pair(0, 1), std::pair(1, 2)}) {
    const Matrix a = rows(static_cast<std::size_t>(one)), b = rows(static_cast<std::size_t>(other));
    // 0 where they are the same. Of 120 independent squares: below a tenth with a probability below 1e-20.
    EXPECT_GT((a - b).squaredNorm() / (a.squaredNorm() + b.squaredNorm()), 0.1);
  }
}

// Factors of a site's own would be released, and at site level never leave the site in the thesis (4.21).
TEST(SiteRun, PublishedFormsTakeNoLocalEntities) {
  SiteJob job = published_job();
  job.study.local = {"film"};
  complete_terms(job);
  EXPECT_THROW(run_sites_here(job), UsageError);
}

TEST(SiteRun, PublishedFormsNeedAllSites) {
  SiteJob job = published_job();
  job.completion.terms.sites = Sites{.threshold = 2};
  EXPECT_THROW(complete_terms(job), UsageError);
}

TEST(SiteRun, OtherMethodsTakeOneRelation) {
  SiteJob job = coupled_job(1);
  job.completion.method = "als";
  job.completion.settings = {};
  EXPECT_THROW(run_sites_here(job), UsageError);
  job.completion.method = "no-sharing";
  EXPECT_GT(run_sites_here(job)[0].outcome.train_cells, 0u) << "fits the first relation";
}

// Users of three sites who like the first half of the films, or the second: counts of 9 and 1.
SiteJob counting_job(const std::string& method, double epsilon) {
  SiteJob job = site_job(1);
  for (int site = 0; site < kSites; ++site) {
    std::ofstream own(path_of(fmt::format("counts{}.tns", site)));
    for (int user = 0; user < 20; ++user)
      for (int film = 0; film < kFilms; ++film)
        own << fmt::format("{} {} {}\n", user + 1, film + 1, (user % 2 == 0) == (film < kFilms / 2) ? 9 : 1);
    StudyFile::Site& place = job.study.sites[static_cast<std::size_t>(site)];
    place.file = place.test = path_of(fmt::format("counts{}.tns", site));
  }
  job.completion.method = method;
  job.completion.terms.budget = {epsilon, 0};
  job.completion.terms.range = {0, 10};
  job.completion.fit.ranks = {2};
  job.unit = Unit::entry;
  complete_terms(job);
  return job;
}

const Matrix& films_of(const SiteOutcome& site) {
  return std::get<Cp>(site.outcome.completion.model).factors[1];
}

// LDP1 and LDP2 send the same, and have the same shared model. What a site of LDP2 has for itself is fitted
// to its own counts without noise: nearer to them.
TEST(SiteRun, SitesThatSendNoisyCountsHaveModelsOfTheirOwn) {
  const std::vector<SiteOutcome> first = run_sites_here(counting_job("ldp1", 5)),
                                 second = run_sites_here(counting_job("ldp2", 5));
  for (std::size_t site = 0; site < first.size(); ++site) {
    EXPECT_EQ(films_of(first[site]), films_of(first[0]));
    EXPECT_EQ(films_of(second[site]), films_of(first[0]));
    EXPECT_EQ(std::get<Cp>(first[site].outcome.completion.model).factors[0].squaredNorm(), 0) << "no user";
    EXPECT_EQ(shape(owners_model(second[site].outcome.completion))[0], 20u);
    EXPECT_LT(second[site].outcome.scores->rmse, first[site].outcome.scores->rmse);
    EXPECT_LT(first[site].outcome.scores->rmse, 4) << "the mean of all counts has 4";
  }
}

TEST(SiteRun, NoisyCountsHoldAgainstAllOtherSites) {
  const Guarantee guarantee = run_sites_here(counting_job("ldp2", 1))[1].outcome.completion.guarantee;
  EXPECT_EQ(guarantee.status, Guarantee::Status::proven);
  EXPECT_EQ(guarantee.unit, Unit::entry);
  EXPECT_EQ(guarantee.relation, Relation::replace);
  EXPECT_LE(guarantee.used.epsilon, 1);
  EXPECT_EQ(guarantee.used.delta, 0);
  EXPECT_THAT(guarantee.adversary, HasSubstr("all other sites together"));
  EXPECT_THAT(guarantee.public_facts.back(), HasSubstr("without the users' names"));
  ASSERT_EQ(guarantee.releases.size(), 1u);
  // 2 alpha / (1 - alpha)^2 with alpha = exp(-1 / 10), of all other sites' noise none.
  EXPECT_NEAR(guarantee.releases[0].deviation, std::sqrt(199.83), 0.01);
}

// All sites fit the same model to the counts of all, so that none can go on without another's.
TEST(SiteRun, NoisyCountsAreThoseOfAllSites) {
  SiteJob job = counting_job("ldp1", 1);
  job.completion.terms.sites = Sites{.colluding = 0, .threshold = 2};
  EXPECT_THROW(complete_terms(job), UsageError);
  job.completion.terms.sites = Sites{.colluding = 0, .threshold = 3};
  EXPECT_NO_THROW(complete_terms(job));
}

// Which cells are held out follows from the users' names. With a seed that the other sites know too they
// could find the names from the cells that are sent. Each of three sites has 120 cells: that half of them,
// drawn anew, are equally many in four runs has a probability below (0.073^3)^3 = 6e-11.
TEST(SiteRun, OtherSitesDoNotKnowWhichCellsAreHeldOut) {
  SiteJob job = counting_job("ldp1", 1);
  job.completion.terms.seed.reset();
  job.completion.fit.seed = 7;
  for (StudyFile::Site& site : job.study.sites) site.test.clear(), site.holdout = 0.5;
  std::set<std::vector<std::size_t>> splits;
  for (int run = 0; run < 4; ++run) {
    std::vector<std::size_t> cells;
    for (const SiteOutcome& site : run_sites_here(job)) cells.push_back(site.outcome.train_cells);
    splits.insert(cells);
  }
  EXPECT_GT(splits.size(), 1u);
}

TEST(SiteRun, NoisyCountsAreForTwoSitesOrMore) {
  SiteJob one = counting_job("ldp2", 1);
  one.study.sites.resize(1);
  EXPECT_THROW(complete_terms(one), UsageError);
  SiteJob sums = site_job(1);
  sums.unit = Unit::entry;
  EXPECT_THROW(complete_terms(sums), UsageError) << "als protects users";
}

// The ratings of every user are dealt to three sites, each to one of them. Twice the noise is the price of a
// user at two sites.
TEST(SiteRun, AUserMayBeAtSeveralSites) {
  SiteJob job = one_table_job({.overlap = 3});
  const std::vector<SiteOutcome> pooled = run_in_one_place(job);
  job.study.deal_to(3, 3);
  const std::vector<SiteOutcome> sites = run_sites_here(job);
  std::size_t cells = 0;
  for (const SiteOutcome& site : sites) cells += site.outcome.train_cells;
  EXPECT_EQ(cells, pooled[0].outcome.train_cells);
  const Guarantee& guarantee = sites[1].outcome.completion.guarantee;
  EXPECT_THAT(guarantee.assumption, HasSubstr("at 3 sites at most"));
  const auto deviation = [](const Sites& stated) {
    return run_sites_here(site_job(1, stated))[0].outcome.completion.guarantee.releases[0].deviation;
  };
  EXPECT_NEAR(deviation({.overlap = 2}), 2 * deviation({}), 1e-5 * deviation({})) << "but for grids";
}

TEST(SiteRun, AUserIsAtAsManySitesAsAllAgree) {
  SiteJob job = site_job(1);
  for (int overlap : {0, 4}) {
    job.completion.terms.sites = Sites{.overlap = overlap};
    EXPECT_THROW(complete_terms(job), UsageError);
  }
  job = counting_job("ldp1", 1);
  job.completion.terms.sites = Sites{.overlap = 2};
  EXPECT_THROW(complete_terms(job), UsageError) << "tables that overlap may have an entry twice";
  job = site_job(1);
  job.study.simulated = true;
  job.study.deal_to(3, 2);
  EXPECT_THROW(complete_terms(job), UsageError) << "dealt to more sites than stated";
  job = site_job(1);
  job.completion.method = "dp-sgld";
  job.completion.terms.calibration = Calibration::published;
  job.completion.terms.sites = Sites{.overlap = 2};
  EXPECT_THROW(complete_terms(job), UsageError);
}

SiteJob with_server(SiteJob job) {
  job.completion.terms.sites->server = true;
  complete_terms(job);
  return job;
}

// A server that has no data holds the factors that each site has without one.
TEST(SiteRun, SharedFactorsAreTheSameOnAServer) {
  std::vector<SiteJob> jobs = {site_job(1), coupled_job(1), coupled_job(1, {"film"}), published_job()};
  jobs.push_back(site_job(2));
  jobs.back().completion.method = "gradient";
  jobs.back().completion.fit.ranks = {2};
  jobs.back().completion.settings.set(setting::steps, 4).set(setting::sampling_rate, 0.4);
  for (SiteJob& job : jobs) {
    complete_terms(job);
    const std::vector<SiteOutcome> sites = run_sites_here(job), served = run_sites_here(with_server(job));
    ASSERT_EQ(served.size(), sites.size() + 1);
    ASSERT_TRUE(is_server(job, served[0].site)) << "it comes first";
    const auto& model = std::get<Cp>(sites[0].outcome.completion.model);
    for (const SiteOutcome& one : served) {
      const auto& other = std::get<Cp>(one.outcome.completion.model);
      for (std::size_t mode = 0; mode < model.factors.size(); ++mode)
        EXPECT_EQ(model.factors[mode], other.factors[mode]) << job.completion.method;
      EXPECT_EQ(model.biases.offsets, other.biases.offsets);
    }
    EXPECT_EQ(served[0].outcome.train_cells, 0u);
    EXPECT_EQ(served[0].data->public_modes, sites[0].data->public_modes);
    EXPECT_EQ(report_of(job, served)["sites"].size(), static_cast<std::size_t>(kSites));
  }
}

TEST(SiteRun, WithAServerTheFirstSiteMayStop) {
  SiteJob job = with_server(site_job(1, {.colluding = 0, .threshold = 2}));
  job.study.sites[0].file = path_of("missing.tns");
  const std::vector<SiteOutcome> all = run_sites_here(job);
  EXPECT_FALSE(all[0].stopped) << "the server";
  EXPECT_THAT(all[1].stopped.value(), HasSubstr("missing.tns"));
  EXPECT_FALSE(all[2].stopped);
  EXPECT_THAT(all[0].outcome.completion.guarantee.adversary, HasSubstr("the server"));
}

TEST(SiteRun, AServerIsForFactorsThatSitesShare) {
  EXPECT_THROW(with_server(counting_job("ldp1", 1)), UsageError);
  SiteJob alone = site_job(1);
  alone.completion.method = "no-sharing";
  EXPECT_THROW(with_server(alone), UsageError);
  SiteJob one = site_job(1);
  one.study.sites.resize(1);
  EXPECT_THROW(with_server(one), UsageError);
}

// Any one site may subtract its own noise: the other two have all of it.
TEST(SiteRun, TheGuaranteeNamesTheAdversary) {
  const std::vector<SiteOutcome> sites = run_sites_here(site_job(1));
  const Guarantee& guarantee = sites[1].outcome.completion.guarantee;
  EXPECT_EQ(guarantee.status, Guarantee::Status::proven);
  EXPECT_EQ(guarantee.unit, Unit::user);
  EXPECT_EQ(guarantee.mode, "user");
  EXPECT_TRUE(guarantee.joint);
  EXPECT_LE(guarantee.used.epsilon, 1);
  EXPECT_THAT(guarantee.adversary, HasSubstr("any one of the 3 sites"));
  EXPECT_THAT(guarantee.assumption, HasSubstr("X25519"));
  EXPECT_EQ(guarantee.public_facts, std::vector<std::string>{"the size of mode film (the owner's word)"});
}

TEST(SiteRun, ASiteThatStopsIsLeftOut) {
  SiteJob job = site_job(1, {.colluding = 0, .threshold = 2});
  job.study.sites[1].file = path_of("missing.tns");
  const std::vector<SiteOutcome> sites = run_sites_here(job);
  EXPECT_THAT(sites[1].stopped.value(), HasSubstr("missing.tns"));
  EXPECT_FALSE(sites[0].stopped);
  EXPECT_FALSE(sites[2].stopped);
  const nlohmann::ordered_json report = report_of(job, sites);
  EXPECT_THAT(report["sites"][1]["stopped"].get<std::string>(), HasSubstr("missing.tns"));
  job.completion.terms.sites = Sites{.colluding = 1};
  EXPECT_THROW(run_sites_here(job), Error) << "all are needed";
}

// Whoever shows it spells its options.
TEST(SiteRun, TheReasonWhyASiteStopsNamesOptionsAsItsDoorDoes) {
  SiteJob job = site_job(1, {.colluding = 0, .threshold = 2});
  std::ofstream outside(job.study.sites[1].file);
  for (int user = 1; user <= 20; ++user) outside << fmt::format("{} 1 9\n", user);
  outside.close();
  job.tell = [](int, const std::string&) { fail("give @tolerance"); };
  EXPECT_EQ(run_sites_here(job)[1].stopped.value(), "give FitOptions::tolerance");
  job.spelling = {.write = [](std::string_view id) { return fmt::format("--{}", id); },
                  .has = [](std::string_view) { return true; }};
  EXPECT_EQ(run_sites_here(job)[1].stopped.value(), "give --tolerance");
}

Ledger ledger_with_account(const std::string& path, double epsilon = 2) {
  std::filesystem::remove(path);
  Ledger ledger = Ledger::open_or_make(path);
  ledger.create({.name = "ratings", .unit = Unit::user, .relation = Relation::add_remove, .mode = "user"});
  ledger.grant("ratings", {epsilon, 1e-6}, "");
  return ledger;
}

// A site is charged before its first release, whether the run comes to its end or not: nothing is released
// that was not charged. (A ledger composes charges by a filter, which is a little dearer than a plan.)
TEST(SiteRun, EverySiteIsChargedByItsOwnLedger) {
  SiteJob job = site_job(1, {.colluding = 0, .threshold = 2});
  job.completion.terms.seed.reset();
  std::vector<Ledger> ledgers;
  for (int site = 0; site < kSites; ++site) {
    job.study.sites[static_cast<std::size_t>(site)].ledger = path_of(fmt::format("{}.db", site));
    job.study.sites[static_cast<std::size_t>(site)].account = "ratings";
    ledgers.push_back(ledger_with_account(path_of(fmt::format("{}.db", site))));
  }
  job.study.sites[1].file = path_of("missing.tns");
  run_sites_here(job);
  EXPECT_NEAR(ledgers[0].statement("ratings").spent, 1, 0.1);
  EXPECT_NEAR(ledgers[2].statement("ratings").spent, 1, 0.1);
  EXPECT_EQ(ledgers[1].statement("ratings").spent, 0) << "it stopped before it released anything";
}

TEST(SiteRun, ASingleSiteIsChargedByItsLedgerToo) {
  SiteJob job = site_job(1);
  job.completion.terms.seed.reset();
  job.study.sites.resize(1);
  job.study.sites[0].ledger = path_of("single.db");
  job.study.sites[0].account = "ratings";
  const Ledger ledger = ledger_with_account(path_of("single.db"));
  complete_terms(job);
  run_sites_here(job);
  EXPECT_NEAR(ledger.statement("ratings").spent, 1, 0.1);
}

// Each at its own site: an account is kept for the table of the second, and of the third half is clamped.
TEST(SiteRun, OwnersAreToldBeforeTheirSiteIsCharged) {
  SiteJob job = site_job(1);
  job.ledger = path_of("default.db");
  std::filesystem::remove(job.ledger);
  Ledger::open_or_make(job.ledger)
      .create({"ratings", fingerprint_of_file(job.study.sites[1].file), Unit::user, Relation::add_remove,
               "user"});
  std::ofstream outside(job.study.sites[2].file);
  for (int user = 1; user <= 20; ++user) outside << fmt::format("{} 1 {}\n", user, user % 2 == 0 ? 3 : 9);
  outside.close();
  std::mutex together;
  std::map<int, std::vector<std::string>> told;
  job.tell = [&](int site, const std::string& note) {
    const std::lock_guard lock(together);
    told[site].push_back(note);
  };
  const std::vector<SiteOutcome> sites = run_sites_here(job);
  EXPECT_EQ(told.count(0), 0u);
  ASSERT_EQ(told[1].size(), 1u);
  EXPECT_THAT(told[1][0], HasSubstr("keeps the account 'ratings' for these data"));
  ASSERT_EQ(told[2].size(), 1u);
  EXPECT_THAT(told[2][0], HasSubstr("(50 %) lie outside of the range"));
  EXPECT_EQ(sites[1].outcome.owner_notes.back(), told[1][0]);
  job.most_lost = 0.1;
  EXPECT_THROW(run_sites_here(job), Error);
}

TEST(SiteRun, ScoresTheSharedModelBesideThoseWithOwnRows) {
  const SiteJob job = site_job(kLargestEpsilon);
  const std::vector<SiteOutcome> sites = run_sites_here(job);
  const nlohmann::ordered_json report = report_of(job, sites);
  const auto own = report["test_with_own_rows"], shared = report["test_published_model"];
  EXPECT_EQ(own["rmse"], report["test_rmse"]);
  EXPECT_EQ(own["cells"], shared["cells"]);
  EXPECT_LT(own["rmse"], shared["rmse"]) << "a row of one's own fits the cells that it was fitted to";
  EXPECT_EQ(report["sites"][1]["test_published_model"]["rmse"], sites[1].outcome.published_scores->rmse);
}

// The account is kept for the tables of all relations, in whatever place; a changed one is another.
TEST(SiteRun, ASiteIsChargedForTheTablesOfAllItsRelations) {
  SiteJob job = coupled_job(1);
  job.completion.terms.seed.reset();
  StudyFile::Site& site = job.study.sites[1];
  const std::string address = path_of("tables.db");
  std::filesystem::remove(address);
  Ledger ledger = Ledger::open_or_make(address);
  ledger.create({"tables", fingerprint_of_files({site.files["views"], site.file}), Unit::user,
                 Relation::add_remove, "user"});
  ledger.grant("tables", {10, 1e-4}, "");
  site.ledger = address, site.account = "tables";
  run_sites_here(job);
  EXPECT_EQ(ledger.statement("tables").charges.size(), 1u);
  std::ofstream(site.files["views"], std::ios::app) << "1 6 10\n";
  try {
    run_sites_here(job);
    FAIL() << "the second table is not the account's";
  } catch (const Error& error) {
    EXPECT_THAT(error.what(), HasSubstr("not those of 'tables'"));
  }
  EXPECT_EQ(ledger.statement("tables").charges.size(), 1u);
}

// Nobody is charged for a run that one of the sites cannot pay for.
TEST(SiteRun, ASiteThatCannotPayCostsTheOthersNothing) {
  SiteJob job = site_job(1, {.colluding = 1});
  job.completion.terms.seed.reset();
  std::vector<Ledger> ledgers;
  for (int site = 0; site < kSites; ++site) {
    job.study.sites[static_cast<std::size_t>(site)].ledger = path_of(fmt::format("{}.db", site));
    job.study.sites[static_cast<std::size_t>(site)].account = "ratings";
    ledgers.push_back(ledger_with_account(path_of(fmt::format("{}.db", site)), site == 2 ? 0.1 : 2));
  }
  EXPECT_THROW(run_sites_here(job), Error);
  for (const Ledger& ledger : ledgers) EXPECT_EQ(ledger.statement("ratings").spent, 0);
}

// One site's part of a run, with the others far away.
class FarParty : public Party {
 public:
  explicit FarParty(SumTerms terms) : terms_(std::move(terms)) {}

  int sent = 0;  // sums and broadcasts

  int rank() const override { return 1; }
  int size() const override { return kSites; }
  const SumTerms& terms() const override { return terms_; }
  SumTotal sum(std::span<const std::uint64_t> own) override {
    ++sent;
    return {{own.begin(), own.end()}, kSites};
  }
  Bytes broadcast(Bytes own, int) override {
    ++sent;
    return own;
  }
  Traffic traffic() const override { return {}; }
  std::set<int> stopped() const override { return {}; }

 private:
  SumTerms terms_;
};

TEST(SiteRun, ASiteReadsItsOwnTableAlone) {
  SiteJob job = site_job(1);
  job.study.sites[0].file = job.study.sites[2].file = path_of("missing.tns");
  FarParty party(agreed_terms(job));
  EXPECT_EQ(run_site(job, party).site, 1);
  EXPECT_GT(party.sent, 0);
}

// Sites whose options differ would add up under noise that the guarantee does not count on.
TEST(SiteRun, APartyThatDidNotAgreeOnTheOptionsIsRefusedBeforeAnythingIsSent) {
  const SiteJob job = site_job(1);
  SiteJob other = job;
  other.completion.terms.sites->overlap = 2;
  for (const SumTerms& terms : {sum_terms(job), agreed_terms(other)}) {
    FarParty party(terms);
    EXPECT_THROW(run_site(job, party), UsageError);
    EXPECT_EQ(party.sent, 0);
  }
}

TEST(SiteRun, OnlyMethodsWhoseReleasesAreSumsRunOverSites) {
  const auto runs = [](const SiteJob& job) {
    FarParty party(agreed_terms(job));
    run_site(job, party);
  };
  SiteJob job = site_job(1);
  EXPECT_NO_THROW(runs(job));
  job.completion.method = "local";
  EXPECT_THROW(runs(job), UsageError);
  job.completion.method = "plain";
  EXPECT_THROW(complete_terms(job), UsageError);
  job = site_job(1);
  job.completion.terms.relation = Relation::zero_out;
  job.completion.method = "gradient";
  EXPECT_THROW(runs(job), UsageError) << "sites do not know each other's positions";
  job = site_job(1);
  job.completion.terms.calibration = Calibration::published;
  EXPECT_THROW(runs(job), UsageError);
  job.completion.terms.sites = Sites{.colluding = 3};
  EXPECT_THROW(run_sites_here(job), UsageError);
}

TEST(SiteRun, ErrorsOfSitesAreAveragedOverTheirCells) {
  std::vector<SiteOutcome> sites(3);
  EXPECT_FALSE(pooled_scores(sites));
  sites[0].outcome.scores = Scores{.cells = 1, .rmse = 3, .mae = 3};
  sites[2].outcome.scores = Scores{.cells = 3, .rmse = 1, .mae = 1};
  EXPECT_NEAR(pooled_scores(sites)->rmse, std::sqrt(3.0), 1e-12);
  EXPECT_NEAR(pooled_scores(sites)->mae, 1.5, 1e-12);
  EXPECT_EQ(pooled_scores(sites)->cells, 4u);
}

TEST(SiteRun, TheReportMarksWhatIsTheOwners) {
  const SiteJob job = site_job(1);
  const nlohmann::ordered_json report = report_of(job, run_sites_here(job));
  EXPECT_EQ(report["trust"], "sites");
  EXPECT_EQ(report["threshold"], 3);
  EXPECT_EQ(report["sites"].size(), 3u);
  const auto fields = report["owner_only"]["fields"].get<std::vector<std::string>>();
  for (const char* field : {"sites", "test_rmse", "test_cells", "seconds"})
    EXPECT_THAT(fields, ::testing::Contains(field));
}

}  // namespace
}  // namespace tulle
