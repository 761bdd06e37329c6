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

// The symmetric matrix whose cells {a <= b} have these totals.
Matrix matrix_of_cells(std::span<const double> pairs, Index size);
// The matrix of the pairs in triples: the 3-way tensor summed over its last mode.
Matrix pairs_of_triples(std::span<const double> triples, Index size);
// T(W, W, W) of the symmetric tensor whose cells {a <= b <= c} have these totals.
Cube project(std::span<const double> triples, const Matrix& whiten);

// The standard deviation of an off-diagonal entry of pairs_of_triples, if that of every count of triples is
// 1.
double pair_deviation(Index size);
// The standard deviation of the sum of a row, which is a word's count, under the same noise.
double word_deviation(Index size);

// Eigenvalues of a symmetric matrix of noise reach up to 2 deviation sqrt(size): eigenvalues of M2 below that
// are indistinguishable from noise.
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

// The number of topics that was asked for: adds topics of weight 0 with the shares of words over all
// documents to those that were found. If only one was found, all of them have these shares, and equal
// weights.
Topics filled_up(Topics found, int topics, const Vector& shares);

// w_k = 1 / lambda_k^2 and a_k = lambda_k U D^1/2 v_k; the variance of a mixture is left open.
Topics unwhitened(const Whitening& whitening, const RankOneTerms& terms);
// The same, with every column made a distribution over words.
Topics word_topics(const Whitening& whitening, const RankOneTerms& terms);

}  // namespace tulle
