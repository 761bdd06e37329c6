// Multiplicative updates of topics (Lee and Seung 2001, with weights), which refine() of triples and of pairs
// share.
#pragma once

#include <tulle/solve/topics/refine.hpp>

#include <cmath>

namespace tulle {

inline constexpr double kLeastProbability = 1e-9;  // a probability of 0 would stay 0 under updates
inline constexpr double kLeastWeight = 1e-3;       // of a topic at the start
inline constexpr double kLeastCount = 0.5;         // as a variance; keeps empty cells in bounds

inline void make_distributions(Matrix& topics) {
  topics = topics.cwiseMax(kLeastProbability);
  const Vector sums = topics.colwise().sum();  // before anything changes
  topics *= sums.cwiseInverse().asDiagonal();
}

inline void make_positive(Topics& model) {
  make_distributions(model.topics);
  model.weights = model.weights.cwiseMax(kLeastWeight);
  model.weights /= model.weights.sum();
}

// With v = 1 / variance: the sums of v count R and of v expected R over all cells of a word, where R is the
// contribution of a topic to the expected count of the cell.
struct UpdateSums {
  Matrix found, expected;

  explicit UpdateSums(const Matrix& topics)
      : found(Matrix::Zero(topics.rows(), topics.cols())), expected(found) {}
  UpdateSums(Matrix of_counts, Matrix of_expected)
      : found(std::move(of_counts)), expected(std::move(of_expected)) {}
};

// A word's observed count under the prior follows its share there, the expected count its share in the topic.
inline void add(const WordPrior& prior, const Matrix& topics, UpdateSums& sums) {
  if (prior.words == 0) return;
  sums.found.colwise() += prior.words * prior.shares;
  sums.expected += prior.words * topics;
}

// The square root keeps the step from overshooting where a parameter enters a cell more than once. Returns
// the largest change of a probability, relative to the largest one of its topic.
inline double update(Topics& model, const UpdateSums& sums) {
  const auto ratio = [](const auto& found, const auto& expected) {
    return (found.array().max(0) / expected.array().max(1e-300)).sqrt();
  };
  const Matrix before = model.topics;
  model.topics.array() *= ratio(sums.found, sums.expected);
  make_distributions(model.topics);
  const Vector found = sums.found.colwise().sum(), expected = sums.expected.colwise().sum();
  model.weights.array() *= ratio(found, expected);
  model.weights = model.weights.cwiseMax(kLeastProbability);
  model.weights /= model.weights.sum();
  return ((model.topics - before).cwiseAbs().colwise().maxCoeff().array() /
          model.topics.colwise().maxCoeff().array())
      .maxCoeff();
}

}  // namespace tulle
