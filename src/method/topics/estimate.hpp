// From moments to topics: whitening, power method, un-whitening (Anandkumar et al. 2014, section 4.3). Blind
// to where the moments come from; their noise is known.
#pragma once

#include <tulle/model/topics.hpp>
#include <tulle/solve/topics/power.hpp>
#include <tulle/solve/topics/whiten.hpp>
#include <tulle/tensor/matrix.hpp>

#include <span>
#include <vector>

namespace tulle {

// The full symmetric matrix whose cells {a <= b} have these totals.
Matrix matrix_of_cells(std::span<const double> pairs, Index size);
// The same of the pairs that triples are made of: sums of a 3-way tensor over its last mode.
Matrix pairs_of_triples(std::span<const double> triples, Index size);
// T(W, W, W) of the symmetric tensor whose cells {a <= b <= c} have these totals.
Cube project(std::span<const double> triples, const Matrix& whiten);

// What noise of deviation 1 on every triple of N documents does to an entry of pairs_of_triples off the
// diagonal.
double pair_deviation(Index size);
// The same to the sum of a row, which is a word's share.
double word_deviation(Index size);

// Eigenvalues of a symmetric matrix of noise reach up to 2 deviation sqrt(size): those of M2 below that are
// indistinguishable from noise.
double noise_edge(double deviation, Index size, double largest);

// Counts of pairs of words over all documents, as a symmetric matrix, and the standard deviation of the noise
// on its entries off the diagonal. `shares`: of the words among all of them.
struct NoisyPairs {
  const Matrix& counts;
  double deviation;
  const Vector& shares;
};

// Topics that stand out of the noise of the release and of the sampling noise of the documents: how many, and
// the counts that they explain.
struct ShownTopics {
  int count = 0;
  Matrix pairs = {};
};
ShownTopics topics_above_noise(const NoisyPairs& pairs, int most);

// Words of prior (refine.hpp) that a topic gets with the shares of words over all documents. Chosen on
// made-up documents, of one topic and of several, where half and twice as many do nearly as well.
inline constexpr double kWordsOfPrior = 50;

// As many topics as were asked for: beside those that were found, ones with the shares of words over all
// documents, which no document needs. One alone is no topic but these shares.
Topics filled_up(Topics found, int topics, const Vector& shares);

// w_k = 1 / lambda_k^2 and a_k = lambda_k U D^1/2 v_k; the variance of a mixture is left open.
Topics unwhitened(const Whitening& whitening, const RankOneTerms& terms);
// The same with columns made distributions over words.
Topics word_topics(const Whitening& whitening, const RankOneTerms& terms);

}  // namespace tulle
