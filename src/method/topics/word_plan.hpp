// Chooses the releases for words and their shares of the budget, from public facts alone: the numbers of
// documents, words and topics, and the budget.
#pragma once

#include <tulle/method/topics.hpp>
#include <tulle/privacy/additive_noise.hpp>
#include <tulle/privacy/curator.hpp>

#include <cstdint>
#include <vector>

namespace tulle {

// Noise on counts of multisets of words (sensitivity: word_moments.hpp) and on third moments of rows of
// length 1 (projected.hpp). `noise`: as Curator::plan returned it.
AdditiveNoise count_noise(Loss loss, double noise, std::uint64_t cells);
AdditiveNoise cube_noise(Loss loss, double noise, const TopicRequest& request);

// Either all triples are counted, or first words and then pairs of the common ones. The stages are words,
// pairs and, if they can stand out of their noise, projected triples.
struct WordPlan {
  bool triples = false;
  std::vector<Stage> stages = {};

  bool cube() const { return stages.size() > 2; }
};

WordPlan plan_words(const TopicRequest& request, const Curator& curator);

// The noise on counts of triples with the smallest standard deviation. If the public length of all documents
// is three words, counts are whole numbers.
AdditiveNoise triple_noise(const TopicRequest& request, const Curator& curator);

}  // namespace tulle
