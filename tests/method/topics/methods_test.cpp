#include "method/topics/samples.hpp"
#include "topics/entry_moments.hpp"
#include "topics/word_moments.hpp"

#include <tulle/base/threads.hpp>
#include <tulle/privacy/account/gdp.hpp>
#include <tulle/tensor/symmetric.hpp>

#include <gmock/gmock.h>

namespace tulle {
namespace {

using namespace testing;
using ::testing::HasSubstr;

Corpus sample() {
  return made_up(true_topics(8, 3), 20000, 3, 1);
}

double error_of(const TopicOutcome& outcome, const Matrix& truth) {
  return component_error(outcome.model.topics, truth);
}

TEST(TopicMethods, FindTopicsWithoutNoise) {
  const Matrix truth = true_topics(8, 3);
  const TopicOutcome plain = TopicRun{.method = "plain"}(sample());
  EXPECT_LT(error_of(plain, truth), 0.03);
  EXPECT_EQ(plain.guarantee.status, Guarantee::Status::none);
  EXPECT_NEAR(plain.model.weights.sum(), 1, 1e-12);
  EXPECT_NEAR(plain.model.weights[1], 1 / 3.0, 0.05);
  for (const char* method : {"histogram", "agn", "avn"}) {
    TopicRun run{.method = method};
    run.terms.budget = {20, 1e-6};
    EXPECT_LT(error_of(run(sample()), truth), 0.06) << method;
  }
}

TEST(TopicMethods, LargeVocabulariesAreNotHeldWhole) {
  const Matrix truth = true_topics(400, 2);
  const Corpus corpus = made_up(truth, 60000, 3, 2);
  TopicRun run{.method = "plain", .options = {.topics = 2, .seed = 1}};
  EXPECT_LT(error_of(run(corpus), truth), 0.02);
  run.method = "histogram";
  run.terms.budget = {4, 1e-6};
  const TopicOutcome outcome = run(corpus);
  EXPECT_LT(error_of(outcome, truth), 0.03);
  ASSERT_EQ(outcome.guarantee.releases.size(), 2u);
  EXPECT_EQ(outcome.guarantee.releases[0].numbers, pair_cells(400));
  EXPECT_EQ(outcome.guarantee.releases[1].numbers, triple_cells(2));
  EXPECT_LE(outcome.guarantee.used.epsilon, 4 * (1 + 1e-9));
  for (const char* method : {"agn", "avn"}) {
    run.method = method;
    EXPECT_THAT(run.refusal(corpus), HasSubstr("use method histogram"));
  }
}

TEST(TopicMethods, LongDocumentsAreUsedWhole) {
  const Matrix truth = true_topics(8, 3);
  TopicRun run{.method = "plain"};
  const double threes = error_of(run(made_up(truth, 3000, 3, 3)), truth);
  EXPECT_LT(error_of(run(made_up(truth, 3000, 12, 3)), truth), threes);
  run.method = "histogram";
  const TopicOutcome outcome = run(made_up(truth, 3000, 12, 3));
  EXPECT_EQ(outcome.guarantee.releases[0].noise, "Laplace") << "shares are no whole numbers";
}

// Two-sided geometric noise for counts that move by 2: variance 2 a / (1 - a)^2, a = exp(-epsilon / 2).
TEST(Histogram, NoiseIsCalibratedToAReplacedDocument) {
  const auto record = [](const TopicRun& run) { return run(sample()).guarantee.releases.at(0); };
  TopicRun run;
  const double a = std::exp(-0.5);
  EXPECT_NEAR(record(run).deviation, std::sqrt(2 * a) / (1 - a), 1e-6);
  EXPECT_EQ(record(run).numbers, triple_cells(8));
  run.terms.budget = {0.5, 1e-5};  // sqrt(2) / mu = 9.94 of Gaussian noise is more than 5.65 of Laplace noise
  EXPECT_EQ(record(run).noise, "discrete Laplace");
  run.terms.sites = Sites{};
  Corpus apart = sample();
  apart.sites = {12000, 5000, 3000};
  const TopicOutcome outcome = run(apart);
  EXPECT_EQ(outcome.guarantee.releases.at(0).noise, "Gaussian");
  // Any one of the three sites may subtract its own noise: two of three parts are all that is needed.
  EXPECT_NEAR(outcome.guarantee.releases.at(0).deviation,
              std::sqrt(3.0 / 2) * std::sqrt(2) / gaussian_mu_lower(0.5, 1e-5), 1e-3);
  EXPECT_NE(outcome.guarantee.adversary.find("any one of the 3 sites"), std::string::npos);
  EXPECT_NEAR(outcome.guarantee.used.epsilon, 0.5, 1e-6);
}

TEST(TopicMethods, TheOrderOfWordsLeavesNoTraceInSoundForms) {
  const Corpus corpus = made_up(true_topics(8, 3), 2000, 3, 4), other = reordered(corpus);
  for (const char* method : {"histogram", "agn", "avn", "power"}) {
    TopicRun run{.method = method};
    run.terms.budget = {1, 1e-6};
    EXPECT_EQ(run(corpus).model.topics, run(other).model.topics) << method;
  }
  const Corpus long_documents = made_up(true_topics(8, 3), 300, 90, 5);
  EXPECT_EQ(TopicRun{}(long_documents).model.topics, TopicRun{}(reordered(long_documents)).model.topics);
}

// imtiaz2017, algorithm 1: what is released minus its own transpose is free of noise, so that exchanging the
// first two words of one document shows.
TEST(Agn, AsPrintedTheOrderOfWordsLeavesWithoutNoise) {
  const Corpus corpus = made_up(true_topics(8, 3), 500, 3, 6);
  const auto printed = [&](const Corpus& data, std::uint64_t seed) {
    const TopicRequest request = words_request(data, 3);
    const EntryChanges changes = entry_changes(request);
    const double multiplier = classical_multiplier(0.5, 5e-7);
    Curator curator = Curator::as_published({"imtiaz2017", {1, 1e-6}, "it leaks"}, Unit::document,
                                            Relation::replace, RandomBits::seeded(seed));
    return moments_as_printed(request, curator,
                              {AdditiveNoise::gaussian(changes.low, multiplier, changes.low_numbers),
                               AdditiveNoise::gaussian(changes.third, multiplier, changes.third_numbers)});
  };
  const auto antisymmetric = [](const Matrix& second) { return Matrix(second - second.transpose()); };
  const Matrix exact = ordered_pairs(corpus.documents) / 500.0;
  for (std::uint64_t seed : {1, 2}) {
    const PrintedMoments moments = printed(corpus, seed);
    EXPECT_GT((moments.second - exact).cwiseAbs().maxCoeff(), 1e-3) << "there is noise";
    EXPECT_LT((antisymmetric(moments.second) - antisymmetric(exact)).cwiseAbs().maxCoeff(), 1e-9);
    EXPECT_NEAR(moments.third(0, 1 * 8 + 2) - moments.third(1, 0 * 8 + 2),
                (ordered_triples(corpus.documents)(0, 10) - ordered_triples(corpus.documents)(1, 2)) / 500,
                1e-9);
  }
  Corpus neighbour{Documents(8), 3, {}};
  std::size_t changed = 500;
  for (std::size_t i = 0; i < 500; ++i) {
    std::vector<Index> words(corpus.documents[i].begin(), corpus.documents[i].end());
    if (changed == 500 && words[0] != words[1]) {
      std::swap(words[0], words[1]);
      changed = i;
    }
    neighbour.documents.append(words, "");
  }
  const Matrix told = antisymmetric(printed(corpus, 3).second) - antisymmetric(printed(neighbour, 4).second);
  const auto words = corpus.documents[changed];
  EXPECT_NEAR(told(words[0], words[1]), 2.0 / 500, 1e-9) << "one document, whatever the noise";
}

TEST(TopicMethods, PrintedNoiseIsThatOfThePaper) {
  TopicRun run{.method = "agn"};
  run.terms = {.budget = {1, 0.01}, .unit = Unit::document, .calibration = Calibration::published, .seed = 1};
  const Corpus corpus = made_up(true_topics(10, 3), 100000, 3, 7);
  const TopicOutcome agn = run(corpus);
  EXPECT_NEAR(agn.guarantee.releases[0].deviation / 1e5, 9.399116e-5, 1e-9) << "mechanisms 3.1";
  EXPECT_EQ(agn.guarantee.status, Guarantee::Status::claimed);
  run.method = "avn";
  EXPECT_NEAR(run(corpus).guarantee.releases[1].deviation / 1e5, 4.20476e-4, 1e-8) << "mechanisms 3.2";
  run.method = "power";
  EXPECT_TRUE(run(corpus).model.topics.allFinite());
  run.method = "histogram";
  EXPECT_THAT(run.refusal(corpus), HasSubstr("has no published form"));
}

TEST(TopicMethods, AllOfTheBudgetIsUsedAndNoMore) {
  for (const char* method : {"agn", "power", "avn"}) {
    TopicRun run{.method = method};
    run.terms.budget = {1, 1e-6};
    const Guarantee guarantee = run(made_up(true_topics(8, 3), 2000, 3, 8)).guarantee;
    EXPECT_LE(guarantee.used.epsilon, 1 + 1e-9) << method;
    EXPECT_GT(guarantee.used.epsilon, 0.9) << method;
    EXPECT_EQ(guarantee.unit, Unit::document);
  }
  TopicRun pure{.method = "avn"};
  EXPECT_EQ(pure(sample()).guarantee.used.delta, 0);
}

TEST(TopicMethods, HopelessNoiseGivesNumbersAllTheSame) {
  const Corpus corpus = made_up(true_topics(8, 3), 50, 3, 9);
  for (const Method& method : methods(Job::topics)) {
    TopicRun run{.method = method.name};
    run.terms.budget = {1e-3, 1e-6};
    const Topics model = run(corpus).model;
    EXPECT_TRUE(model.topics.allFinite()) << method.name;
    EXPECT_NEAR(model.topics.colwise().sum().minCoeff(), 1, 1e-6) << method.name;
    EXPECT_NEAR(model.weights.sum(), 1, 1e-9) << method.name;
  }
}

TEST(TopicMethods, AreTheSameForAnyNumberOfThreads) {
  const Corpus corpus = made_up(true_topics(60, 3), 4000, 3, 10);
  const int before = threads();
  set_threads(1);
  const Matrix one = TopicRun{}(corpus).model.topics;
  set_threads(3);
  EXPECT_EQ(one, TopicRun{}(corpus).model.topics);
  set_threads(before);
}

TEST(TopicMixture, IsFound) {
  const Matrix means = Matrix::Identity(4, 3);
  const Samples samples = made_up_mixture(means, 0.1, 20000, 1);
  TopicRun run{.method = "plain"};
  const TopicOutcome plain = run(samples);
  EXPECT_LT(error_of(plain, means), 0.02);
  EXPECT_NEAR(plain.model.variance, 0.01, 1e-3);
  run.terms.budget = {4, 1e-6};
  for (const char* method : {"histogram", "agn"}) {
    run.method = method;
    EXPECT_LT(error_of(run(samples), means), 0.05) << method;
  }
  for (const char* method : {"avn", "power"}) {
    run.method = method;
    run.terms.budget = {1000, method == std::string("avn") ? 0 : 1e-6};
    EXPECT_LT(error_of(run(samples), means), 0.1) << method;
  }
}

TEST(TopicMixture, HopelessNoiseStaysInBounds) {
  const Samples samples = made_up_mixture(Matrix::Identity(4, 3), 0.1, 50, 1);
  for (const char* method : {"histogram", "agn", "avn", "power"}) {
    TopicRun run{.method = method};
    run.terms.budget = {1e-3, 1e-6};
    const Topics model = run(samples).model;
    EXPECT_TRUE(model.topics.allFinite()) << method;
    EXPECT_LE(model.topics.colwise().norm().maxCoeff(), 2 + 1e-9) << method << ": the public bound";
  }
}

// Any row is in the domain: a long one counts as one of the bound's length, one that is not finite as zero.
TEST(TopicMixture, NoRowStopsARun) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  const Samples samples = made_up_mixture(Matrix::Identity(4, 3), 0.1, 50, 1);
  for (const char* method : {"histogram", "agn", "avn", "power"})
    for (double number : {1e200, -1.7e308, 1e-320, kInfinity, std::nan("")}) {
      TopicRun run{.method = method};
      run.terms.budget = {1, 1e-6};
      Samples with = samples;
      with.rows.row(7).setConstant(number);
      EXPECT_EQ(run.refusal(with), "no error") << method << number;
      with.norm = 1e-300;
      EXPECT_EQ(run.refusal(with), "no error") << method << number;
    }
}

TEST(TopicMethods, NoDocumentIsTooShort) {
  for (const char* method : {"histogram", "agn", "avn", "power"})
    for (const Index words : {Index{8}, Index{300}}) {
      if (words > 292 && method[0] == 'a') continue;  // they hold all third moments
      Corpus corpus = made_up(true_topics(words, 3), 50, 4, 1);
      corpus.length = {};
      corpus.documents.append(std::array<Index, 2>{0, 1}, "");
      corpus.documents.append({}, "");
      TopicRun run{.method = method};
      run.terms.budget = {1, 1e-6};
      EXPECT_EQ(run.refusal(corpus), "no error") << method;
    }
}

TEST(TopicMixture, SitesAddUpToTheWhole) {
  Samples samples = made_up_mixture(Matrix::Identity(4, 3), 0.1, 20000, 1);
  samples.sites = {9000, 11000};
  TopicRun run;
  run.terms = {.budget = {4, 1e-6}, .unit = Unit::document, .seed = 1, .sites = Sites{}};
  EXPECT_LT(error_of(run(samples), Matrix::Identity(4, 3)), 0.05);
}

TEST(TopicMethods, WrongUseSaysWhatToDo) {
  const Corpus corpus = made_up(true_topics(4, 2), 30, 3, 11);
  const auto refusal = [&](auto change) {
    TopicRun run;
    change(run);
    return run.refusal(corpus);
  };
  EXPECT_THAT(refusal([](TopicRun& run) { run.options.topics = 5; }), HasSubstr("5 topics of 4 words"));
  EXPECT_THAT(refusal([](TopicRun& run) { run.options.topics = 0; }), HasSubstr("give 1 or more"));
  EXPECT_THAT(refusal([](TopicRun& run) { run.terms.budget.delta = 0.1; }), HasSubstr("1/n"));
  EXPECT_THAT(refusal([](TopicRun& run) { run.method = "agn"; }), HasSubstr("needs a delta"));
  EXPECT_THAT(refusal([](TopicRun& run) { run.terms.budget.epsilon = 0; }), HasSubstr("epsilon"));
  EXPECT_THAT(refusal([](TopicRun& run) { run.terms.sites = Sites{}; }), HasSubstr("which site has what"));
  EXPECT_THROW(find_method("magic", Job::topics), UsageError);
  Samples samples = made_up_mixture(Matrix::Identity(4, 3), 0.1, 50, 1);
  samples.norm = 0;
  EXPECT_THAT(TopicRun{}.refusal(samples), HasSubstr("a norm of 0"));
  samples.norm = 1;
  TopicRun printed{.method = "agn"};
  printed.terms = {.budget = {1, 1e-6}, .unit = Unit::document, .calibration = Calibration::published};
  EXPECT_THAT(printed.refusal(samples), HasSubstr("for words only"));
}

}  // namespace
}  // namespace tulle
