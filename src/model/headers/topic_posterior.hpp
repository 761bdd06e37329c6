// What topics say of documents: each is taken to have one topic, or each vector one component of a mixture.
#pragma once

#include <tulle/model/topics.hpp>
#include <tulle/tensor/documents.hpp>

#include <cstdint>

namespace tulle {

struct TopicPosterior {
  Matrix shares;              // units x topics: the probability that a unit has this topic
  double log_likelihood = 0;  // of all words, or vectors
  std::uint64_t words = 0;    // in all documents; or vectors

  // The number of equally likely words that would be as hard to guess.
  double perplexity() const;
};

// A document without words has the topics' own frequencies. A topic gives no word a probability below 1e-12.
TopicPosterior topic_posterior(const Topics& model, const Documents& documents);
// Of a mixture, a row each.
TopicPosterior topic_posterior(const Topics& mixture, const Matrix& rows);

}  // namespace tulle
