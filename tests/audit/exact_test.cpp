#include <tulle/audit/exact.hpp>
#include <tulle/base/error.hpp>
#include <tulle/job/jobs.hpp>

#include <gtest/gtest.h>

#include <array>
#include <cmath>

namespace tulle {
namespace {

// A run that releases two numbers with noise for `noise`, of which `second` differ in the neighbour.
NeighbouringPair releases(const AdditiveNoise& noise, std::vector<double> first, std::vector<double> second) {
  return {.text = "made up",
          .open =
              [](RandomBits bits) {
                return Curator::with_budget({1, 1e-6}, Unit::entry, Relation::replace, std::move(bits));
              },
          .run =
              [=](bool other, Curator& curator) {
                curator.release(Protected<int>(0), noise, "two numbers",
                                [&](int) { return other ? second : first; });
                return Published{};
              },
          .watched = {}};
}

double ratio(const AdditiveNoise& noise, std::vector<double> second) {
  return audit_exactly(releases(noise, {0, 0}, std::move(second)), 1).ratio();
}

TEST(ExactAudit, MeasuresTheDistanceInTheStatedNorm) {
  const auto l1 = AdditiveNoise::laplace(Sensitivity::l1(10, Unit::entry, Relation::replace), 0.5, 2);
  const auto l2 = AdditiveNoise::gaussian(Sensitivity::l2(10, Unit::entry, Relation::replace), 20, 2);
  const auto one =
      AdditiveNoise::staircase(Sensitivity::one_coordinate(10, Unit::entry, Relation::replace), 0.5, 2);
  EXPECT_DOUBLE_EQ(ratio(l1, {3, -4}), 0.7);
  EXPECT_DOUBLE_EQ(ratio(l2, {3, -4}), 0.5);
  EXPECT_DOUBLE_EQ(ratio(one, {0, -4}), 0.4);
  EXPECT_DOUBLE_EQ(ratio(one, {10, -10}), 2);  // only one of them may change
}

// All units join a batch that stays with the data, and the neighbour has one more, which adds 1.
TEST(ExactAudit, TheWatchedUnitIsInBatchesThatStayWithTheData) {
  const auto noise = AdditiveNoise::gaussian(Sensitivity::l2(2, Unit::entry, Relation::add_remove), 20, 1);
  const NeighbouringPair pair{
      .text = "made up",
      .open =
          [](RandomBits bits) {
            return Curator::with_budget({1, 1e-6}, Unit::entry, Relation::add_remove, std::move(bits));
          },
      .run =
          [&](bool other, Curator& curator) {
            const auto joined =
                curator.map(Protected<int>(0), curator.sample(PoissonSampler(1), other ? 2 : 1),
                            [](int, const auto& units) { return static_cast<double>(units.size()); });
            curator.release(joined, noise, "a number", [](double exact) { return std::vector{exact}; });
            return Published{};
          },
      .watched = 1};
  EXPECT_DOUBLE_EQ(audit_exactly(pair, 1).ratio(), 0.5);
}

// One unit in the last place is seen: what is taken off for the auditor's own rounding is 2^-60.
TEST(ExactAudit, SeesTheLastBit) {
  const auto noise = AdditiveNoise::gaussian(Sensitivity::l2(1, Unit::entry, Relation::replace), 20, 2);
  EXPECT_EQ(ratio(noise, {1, 0}), 1);
  EXPECT_GT(ratio(noise, {std::nextafter(1, 2), 0}), 1);
}

// At epsilon 0.5 and a sensitivity of 1, Laplace noise loses 0.5 for a move of 1 and 0.75 for one of 1.5.
TEST(ExactAudit, BoundsTheLossOfPureReleases) {
  const auto noise = AdditiveNoise::laplace(Sensitivity::l1(1, Unit::entry, Relation::replace), 0.5, 2);
  const ExactFinding within = audit_exactly(releases(noise, {0, 0}, {0.5, 0.5}), 1);
  EXPECT_NEAR(within.loss(), 1, 1e-5);
  EXPECT_TRUE(within.holds());
  EXPECT_NEAR(audit_exactly(releases(noise, {0, 0}, {1, 0.5}), 1).loss(), 1.5, 1e-5);
}

NeighbouringPair differing(std::function<void(bool, Curator&)> run, std::vector<double> published = {}) {
  return {.text = "made up",
          .open =
              [](RandomBits bits) {
                return Curator::with_budget({1, 0}, Unit::entry, Relation::replace, std::move(bits));
              },
          .run =
              [=](bool second, Curator& curator) {
                run(second, curator);
                return Published{second ? published : std::vector(published.size(), 0.0), {}};
              },
          .watched = {}};
}

void release_once(Curator& curator, double sensitivity = 1, const std::string& what = "a number") {
  const auto noise =
      AdditiveNoise::laplace(Sensitivity::l1(sensitivity, Unit::entry, Relation::replace), 0.1, 1);
  curator.release(Protected<double>(0), noise, what, [](double value) { return std::vector{value}; });
}

TEST(ExactAudit, RunsThatReleaseOrPublishSomethingElseDoNotHold) {
  const auto holds = [](const NeighbouringPair& pair) { return audit_exactly(pair, 1).holds(); };
  EXPECT_TRUE(holds(differing([](bool, Curator& curator) { release_once(curator); }, {0})));
  EXPECT_FALSE(holds(differing([](bool, Curator& curator) { release_once(curator); }, {1})));
  EXPECT_FALSE(holds(differing([](bool second, Curator& curator) {
    release_once(curator);
    if (second) release_once(curator);
  })));
  EXPECT_FALSE(holds(differing([](bool second, Curator& curator) {
    release_once(curator);
    if (!second) release_once(curator);
  })));
  EXPECT_FALSE(
      holds(differing([](bool second, Curator& curator) { release_once(curator, second ? 1 : 2); })));
  EXPECT_FALSE(
      holds(differing([](bool second, Curator& curator) { release_once(curator, 1, second ? "a" : "b"); })));
  EXPECT_FALSE(holds(differing([](bool second, Curator&) {
    if (second) fail("the data are too large");
  })));
}

// A run is refused for terms that the method does not take, before it releases anything. Nothing else ends
// it.
TEST(ExactAudit, RunsThatEndOnTheirDataDoNotHold) {
  const auto finding = [](std::function<void(Curator&)> run) {
    return audit_exactly(differing([run](bool, Curator& curator) { run(curator); }), 1);
  };
  EXPECT_TRUE(finding([](Curator&) { fail_usage("no method for these terms"); }).holds());
  EXPECT_EQ(finding([](Curator&) { fail("these data do not fit"); }).differs,
            "both runs end after 0 releases: 'these data do not fit'");
  EXPECT_EQ(finding([](Curator& curator) {
              release_once(curator);
              fail_usage("no method for these terms");
            }).differs,
            "both runs end after 1 releases: 'no method for these terms'");
}

SparseTensor one_cell(double value) {
  SparseTensor tensor(Shape{2, 2}, Unlisted::missing);
  tensor.append(std::array<Index, 2>{0, 0}, static_cast<float>(value));
  return tensor;
}

// The audited path is the shipped path: what the command refuses is refused in the command's words.
// If the second entry of a cell took the place of the first, a row less would be two changes.
TEST(ExactAudit, ARowOfACellThatIsListedTwiceIsOneChange) {
  const Shape shape{3, 3};
  SparseTensor first(shape, Unlisted::missing), second(shape, Unlisted::missing);
  first.append(std::array<Index, 2>{0, 0}, 0);
  for (Index i = 0; i < 3; ++i)
    for (Index j = 0; j < 3; ++j)
      for (SparseTensor* cells : {&first, &second}) cells->append(std::array{i, j}, i + j == 0 ? 1.0f : 0.5f);
  for (const char* method : {"input", "gradient"}) {
    const CompletionJob job{.method = method,
                            .terms = {.budget = {1, 1e-4},
                                      .relation = Relation::add_remove,
                                      .range = {0, 1},
                                      .shape = PublicShape{shape}},
                            .fit = {.ranks = {1}, .seed = 1}};
    const ExactFinding finding = audit_exactly(neighbouring_pair(job, first, second), 1);
    EXPECT_TRUE(finding.holds()) << method << " " << finding.ratio() << " " << finding.differs;
    EXPECT_LE(finding.ratio(), 1) << method;
  }
}

TEST(ExactAudit, IsRefusedWhatTheCommandIsRefused) {
  const auto refused = [](const CompletionJob& job) {
    const NeighbouringPair pair = neighbouring_pair(job, one_cell(0), one_cell(1));
    std::string by_audit, by_command;
    try {
      by_audit = audit_exactly(pair, 1).refused;
    } catch (const Error& error) {
      by_audit = error.what();
    }
    try {
      complete_privately(find_method(job.method), one_cell(0), job.terms, job.settings, job.fit);
    } catch (const Error& error) {
      by_command = error.what();
    }
    EXPECT_EQ(by_audit, by_command);
    return by_audit;
  };
  CompletionJob job{.method = "als", .terms = {.budget = {1, 1e-6}, .range = {0, 1}}};
  EXPECT_EQ(refused(job), "");
  job.terms.relation = Relation::add_remove;
  EXPECT_NE(refused(job).find("method als does not protect unit entry under add-remove"), std::string::npos);
  job.terms.relation = Relation::replace;
  job.settings.set(setting::clip, 1);
  EXPECT_NE(refused(job).find("method als takes no clip"), std::string::npos);
  job.settings = {};
  job.fit.model = ModelKind::tubal;
  EXPECT_NE(refused(job).find("method als has no model 'tubal'"), std::string::npos);
  job.fit.model = ModelKind::cp;
  job.terms.range = {1, 0};
  EXPECT_NE(refused(job).find("range"), std::string::npos);
}

TEST(ExactAudit, OfTopicsIsRefusedWhatTheCommandIsRefused) {
  Documents documents(3);
  documents.append(std::array<Index, 3>{0, 1, 2}, "a document");
  const Corpus corpus{documents, 3, {}};
  const TopicJob job{
      .method = "histogram", .terms = {.budget = {1, 0}, .unit = Unit::document}, .options = {.topics = 4}};
  EXPECT_NE(audit_exactly(neighbouring_pair(job, corpus, corpus), 1).refused.find("4 topics of 3 words"),
            std::string::npos);
}

}  // namespace
}  // namespace tulle
