// What is released of words, and for which shares of the budget. All of it follows from public facts: how
// many documents, words and topics there are, and the budget.
#pragma once

#include <tulle/method/topics.hpp>
#include <tulle/privacy/additive_noise.hpp>
#include <tulle/privacy/curator.hpp>

#include <cstdint>
#include <vector>

namespace tulle {

// Noise on counts of multisets of words (word_moments.hpp says how far a replaced document moves them) and on
// third moments of rows of length 1 (projected.hpp). `noise`: as Curator::plan returned it.
AdditiveNoise count_noise(Loss loss, double noise, std::uint64_t cells);
AdditiveNoise cube_noise(Loss loss, double noise, const TopicRequest& request);

// Either all triples are counted, or words first and then pairs of the common ones: the stages are those of
// words, of pairs, and of projected triples where they can stand out of their noise.
struct WordPlan {
  bool triples = false;
  std::vector<Stage> stages = {};

  bool cube() const { return stages.size() > 2; }
};

WordPlan plan_words(const TopicRequest& request, const Curator& curator);

// Noise on counts of triples: the one with less deviation. Documents of three words, which is public of a
// table, are counted in whole numbers.
AdditiveNoise triple_noise(const TopicRequest& request, const Curator& curator);

}  // namespace tulle
