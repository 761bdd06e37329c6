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

// How many topics second moments show, of at most so many: they have as many eigenvalues above the edge, with
// the margin that the largest eigenvalue of noise needs so as to exceed it once in 20 times (its fluctuation
// is of order size^(-2/3); Tracy and Widom 1994; the factor was chosen on Laplace noise, whose eigenvalues
// vary most). `deviation` is that of an entry off the diagonal.
int topics_above_noise(const Matrix& second, double deviation, int most);

// As many topics as were asked for: beside those that were found, ones with the shares of words over all
// documents, which no document needs. One alone is no topic but these shares.
Topics filled_up(Topics found, int topics, const Vector& shares);

// So many of these topics stand out: those with the largest parts w_k |a_k|^2 in the second moment.
Topics marked(Topics model, int above_noise);

// w_k = 1 / lambda_k^2 and a_k = lambda_k U D^1/2 v_k; the variance of a mixture is left open.
Topics unwhitened(const Whitening& whitening, const RankOneTerms& terms);
// The same with columns made distributions over words.
Topics word_topics(const Whitening& whitening, const RankOneTerms& terms);

}  // namespace tulle
