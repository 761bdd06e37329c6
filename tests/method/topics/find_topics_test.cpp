#include "method/topics/samples.hpp"

#include <tulle/base/threads.hpp>

#include <gmock/gmock.h>

namespace tulle {
namespace {

using namespace testing;
using ::testing::HasSubstr;

Corpus sample() {
  return made_up(true_topics(8, 3), 20000, 3, 1);
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

// Of more than two panels of rows.
TEST(TopicMixture, IsTheSameForAnyNumberOfThreads) {
  const Samples samples = made_up_mixture(Matrix::Identity(12, 3), 0.1, 10000, 1);
  const int before = threads();
  for (const char* method : {"histogram", "agn", "power"}) {
    TopicRun run{.method = method};
    run.terms.budget = {4, 1e-6};
    set_threads(1);
    const Matrix one = run(samples).model.topics;
    set_threads(3);
    EXPECT_EQ(one, run(samples).model.topics) << method;
  }
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
  EXPECT_THAT(refusal([](TopicRun& run) { run.terms.sites = Sites{}; }), HasSubstr("run a TopicJob"));
  EXPECT_THROW(find_method("magic", Job::topics), UsageError);
  Samples samples = made_up_mixture(Matrix::Identity(4, 3), 0.1, 50, 1);
  samples.norm = 0;
  EXPECT_THAT(TopicRun{}.refusal(samples), HasSubstr("a norm of 0"));
  samples.norm = 1;
  TopicRun printed{.method = "agn"};
  printed.terms = {.budget = {1, 1e-6}, .unit = Unit::document, .calibration = Calibration::published};
  EXPECT_THAT(printed.refusal(samples), HasSubstr("for words only"));
  printed.method = "histogram";
  EXPECT_THAT(printed.refusal(corpus), HasSubstr("has no published form"));
}

void expect_no_late_refusal(const TopicRun& run, TopicData data, const std::string& what) {
  bool charged = false;
  try {
    find_topics(find_method(run.method, Job::topics), std::move(data), run.terms, run.options,
                [&](const Curator&) { charged = true; });
  } catch (const Error& error) {
    EXPECT_FALSE(charged) << run.method << ", " << what << ": " << error.what();
  }
}

// Every method, many topics or few, documents of any length, words of any number.
TEST(FindTopics, RefusesBeforeItIsCharged) {
  for (const Method& method : methods(Job::topics)) {
    if (!method.is_private()) continue;
    for (double delta : {0.0, 1e-6})
      for (int topics : {0, 1, 5, 6})
        for (Index words : {1u, 2u, 5u}) {
          TopicRun run{.method = method.name, .options = {.topics = topics, .seed = 1}};
          run.terms.budget = {1, delta};
          const std::string what = fmt::format("{} topics of {} words, delta {}", topics, words, delta);
          for (std::size_t length : {1u, 3u, 70u})
            expect_no_late_refusal(run, made_up(true_topics(words, 2), 50, length, 1), what);
          expect_no_late_refusal(run, made_up_mixture(true_topics(words, 2), 0.1, 50, 1), what);
        }
  }
}

// The releases of a run, and the numbers of topics that they can be refitted with.
struct Released {
  std::string name, method;
  TopicData data;
  Terms terms;
  std::vector<int> others;
};

std::vector<Released> released() {
  const Terms both{.budget = {4, 1e-5}, .unit = Unit::document, .seed = 1};
  Terms pure = both;
  pure.budget.delta = 0;
  const Corpus few = made_up(true_topics(8, 3), 2000, 3, 1), many = made_up(true_topics(300, 2), 3000, 3, 1);
  const Samples rows = made_up_mixture(Matrix::Identity(4, 3), 0.1, 2000, 1);
  return {{"Triples", "histogram", few, pure, {1, 3, 4}}, {"Pairs", "histogram", many, both, {3}},
          {"Mixture", "histogram", rows, both, {3}},      {"Agn", "agn", few, both, {1, 3, 4}},
          {"AgnMixture", "agn", rows, both, {2, 3}},      {"Avn", "avn", few, pure, {2, 3}},
          {"AvnMixture", "avn", rows, pure, {2, 3}}};
}

TopicOutcome outcome_of(const Released& tried, int topics) {
  return TopicRun{tried.method, tried.terms, {.topics = topics, .seed = 1}}(tried.data);
}

TEST(FindTopics, RefitsEqualAFirstRunOfTheSameReleases) {
  for (const Released& tried : released()) {
    SCOPED_TRACE(tried.name);
    const TopicOutcome first = outcome_of(tried, 3);
    ASSERT_TRUE(first.measured);
    for (const int topics : tried.others) {
      const TopicOutcome wanted = outcome_of(tried, topics);
      const TopicOutcome again = refit(*first.measured, {.topics = topics, .seed = 1});
      EXPECT_EQ(again.model.topics, wanted.model.topics) << topics;
      EXPECT_EQ(again.model.weights, wanted.model.weights) << topics;
      EXPECT_EQ(again.model.variance, wanted.model.variance) << topics;
      EXPECT_EQ(again.remarks, wanted.remarks) << topics;
    }
  }
}

// Steps of a mixture, and triples in a projected space, were released for one number of components.
TEST(FindTopics, RefitsOfAnotherNumberUseWhatIsForAny) {
  for (const Released& tried : released()) {
    const TopicOutcome first = outcome_of(tried, 3);
    if (tried.name == "Pairs") {
      EXPECT_EQ(refit(*first.measured, {.topics = 2}).model.count(), 2) << "of pairs alone";
    }
    if (tried.name != "Mixture") continue;
    const TopicOutcome two = refit(*first.measured, {.topics = 2});
    EXPECT_EQ(two.model.count(), 2);
    EXPECT_THAT(two.remarks.back(), HasSubstr("in the moments alone"));
  }
}

TEST(FindTopics, RefitsRefuseReleasesThatDoNotGoTogether) {
  for (const Released& tried : released()) {
    SCOPED_TRACE(tried.name);
    const TopicOutcome first = outcome_of(tried, 3);
    EXPECT_THROW(refit(*first.measured, {.topics = 0}), UsageError);
    EXPECT_THROW(refit(*first.measured, {.topics = 301}), UsageError);
    Measurement broken = *first.measured;
    broken.documents.reset();
    EXPECT_THROW(refit(broken, {.topics = 3}), Error);
    for (std::size_t i = 0; i < first.measured->releases.size(); ++i) {
      broken = *first.measured;
      if (broken.releases[i].id == "last step") continue;  // then the moments alone are used
      broken.releases[i].values.push_back(0.5);
      EXPECT_THROW(refit(broken, {.topics = 3}), Error) << broken.releases[i].id;
    }
    broken = *first.measured;
    broken.method = "power";
    EXPECT_THROW(refit(broken, {.topics = 3}), Error);
  }
}

// Without privacy what was counted is exact.
TEST(FindTopics, PlainRunsKeepNoReleases) {
  EXPECT_FALSE(TopicRun{.method = "plain"}(made_up(true_topics(8, 3), 200, 3, 1)).measured);
}

}  // namespace
}  // namespace tulle
