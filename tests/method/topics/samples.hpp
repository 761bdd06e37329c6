// Documents and vectors made up for tests, and runs on them.
#pragma once

#include <tulle/base/error.hpp>
#include <tulle/base/random.hpp>
#include <tulle/data/component_error.hpp>
#include <tulle/method/topics.hpp>

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace tulle::testing {

inline Matrix true_topics(Index words, int count) {
  Random random(words);
  Matrix topics(words, count);
  for (double& value : topics.reshaped()) value = std::pow(random.uniform(), 4);
  const Vector sums = topics.colwise().sum();
  return topics * sums.cwiseInverse().asDiagonal();
}

inline Index draw(const Matrix& topics, int topic, Random& random) {
  double left = random.uniform();
  Index word = 0;
  while (word + 1 < topics.rows() && (left -= topics(word, topic)) >= 0) ++word;
  return word;
}

// Topics are equally common.
inline Corpus made_up(const Matrix& topics, std::size_t documents, std::size_t length, std::uint64_t seed) {
  Random random(seed);
  Corpus corpus{Documents(static_cast<Index>(topics.rows())), length, {}};
  std::vector<Index> words(length);
  for (std::size_t i = 0; i < documents; ++i) {
    const auto topic = static_cast<int>(random.below(static_cast<std::uint64_t>(topics.cols())));
    for (Index& word : words) word = draw(topics, topic, random);
    corpus.documents.append(words, "made up");
  }
  return corpus;
}

inline Samples made_up_mixture(const Matrix& means, double deviation, std::size_t rows, std::uint64_t seed) {
  Random random(seed);
  Samples samples{Matrix(rows, means.rows()), 2, {}};
  for (Eigen::Index row = 0; row < samples.rows.rows(); ++row) {
    const auto k = static_cast<Eigen::Index>(random.below(static_cast<std::uint64_t>(means.cols())));
    for (Eigen::Index i = 0; i < means.rows(); ++i)
      samples.rows(row, i) = means(i, k) + deviation * random.normal();
  }
  return samples;
}

struct TopicRun {
  std::string method = "histogram";
  Terms terms{.budget = {1, 0}, .unit = Unit::document, .seed = 1};
  TopicOptions options{.topics = 3, .seed = 1};

  TopicOutcome operator()(TopicData data) const {
    return find_topics(find_method(method, Job::topics), std::move(data), terms, options);
  }
  std::string refusal(TopicData data) const {
    try {
      (*this)(std::move(data));
    } catch (const Error& error) {
      return error.what();
    }
    return "no error";
  }
};

inline double error_of(const TopicOutcome& outcome, const Matrix& truth) {
  return component_error(outcome.model.topics, truth);
}

// The same documents with the words of each in another order.
inline Corpus reordered(const Corpus& corpus) {
  Random random(99);
  Corpus result{Documents(corpus.documents.vocabulary()), corpus.length, corpus.sites};
  for (std::size_t i = 0; i < corpus.documents.size(); ++i) {
    std::vector<Index> words(corpus.documents[i].begin(), corpus.documents[i].end());
    random.shuffle(std::span(words));
    result.documents.append(words, "reordered");
  }
  return result;
}

// What a method is handed, where a test calls its parts.
inline TopicRequest words_request(Corpus corpus, int topics) {
  return {.words = corpus.documents.vocabulary(),
          .documents = corpus.documents.size(),
          .length = corpus.length,
          .norm = 1,
          .budget = {1, 1e-6},
          .options = {.topics = topics, .seed = 1},
          .data = Protected(std::move(corpus.documents))};
}

}  // namespace tulle::testing
