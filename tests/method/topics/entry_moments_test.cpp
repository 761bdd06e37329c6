#include "topics/entry_moments.hpp"

#include "method/topics/samples.hpp"
#include "topics/mixture.hpp"
#include "topics/word_moments.hpp"

#include <tulle/tensor/symmetric.hpp>

#include <gtest/gtest.h>

namespace tulle {
namespace {

using namespace testing;

// imtiaz2017, algorithm 1: what is released minus its own transpose is free of noise, so that exchanging the
// first two words of one document shows.
TEST(EntryMoments, AsPublishedTheOrderOfWordsLeavesWithoutNoise) {
  const Corpus corpus = made_up(true_topics(8, 3), 500, 3, 6);
  const auto printed = [&](const Corpus& data, std::uint64_t seed) {
    const TopicRequest request = words_request(data, 3);
    const MomentSensitivities changes = moment_sensitivities(request);
    const double multiplier = classical_multiplier(0.5, 5e-7);
    Curator curator = Curator::as_published({"imtiaz2017", {1, 1e-6}, "it leaks"}, Unit::document,
                                            Relation::replace, RandomBits::seeded(seed));
    return moments_as_published(request, curator,
                                {AdditiveNoise::gaussian(changes.low, multiplier, changes.low_numbers),
                                 AdditiveNoise::gaussian(changes.third, multiplier, changes.third_numbers)});
  };
  const auto antisymmetric = [](const Matrix& second) { return Matrix(second - second.transpose()); };
  const Matrix exact = ordered_pairs(corpus.documents) / 500.0;
  for (std::uint64_t seed : {1, 2}) {
    const PublishedMoments moments = printed(corpus, seed);
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

TEST(EntryMoments, CountTheEntriesOfSymmetricTensors) {
  const MomentSensitivities changes =
      moment_sensitivities(words_request(made_up(true_topics(5, 2), 10, 3, 1), 2));
  EXPECT_EQ(changes.low_numbers, 15u);
  EXPECT_EQ(changes.third_numbers, 35u);
  EXPECT_EQ(changes.low.norm(), Norm::l2);
  EXPECT_NEAR(changes.third.value(), std::sqrt(2), 1e-12);
  TopicRequest large = words_request(made_up(true_topics(293, 2), 10, 3, 1), 2);
  EXPECT_THROW(moment_sensitivities(large), UsageError);
}

// Without noise both releases together give the topics back.
TEST(EntryMoments, GiveTheTopicsWithoutNoise) {
  const Matrix truth = true_topics(8, 3);
  const TopicRequest request = words_request(made_up(truth, 20000, 3, 1), 3);
  const MomentSensitivities changes = moment_sensitivities(request);
  Curator curator = Curator::without_privacy();
  Measurement measured{.unit = Unit::document, .shape = {8, 1}, .documents = DocumentFacts{20000, false}};
  measured.releases = release_entries(request, curator,
                                      {AdditiveNoise::gaussian(changes.low, 1, changes.low_numbers),
                                       AdditiveNoise::gaussian(changes.third, 1, changes.third_numbers)});
  const TopicOutcome outcome = topics_of_entries(measured, request.options);
  EXPECT_LT(error_of(outcome, truth), 0.05);
}

// Dwork and Roth 2014, theorem A.1.
TEST(EntryMoments, ClassicalMultiplier) {
  EXPECT_NEAR(classical_multiplier(0.5, 0.01), 2 * std::sqrt(2 * std::log(125.0)), 1e-12);
}

}  // namespace
}  // namespace tulle
