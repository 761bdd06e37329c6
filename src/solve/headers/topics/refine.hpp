// Refines topics to fit the counts of word triples, from a start that is close.
#pragma once

#include <tulle/model/topics.hpp>

#include <span>

namespace tulle {

// Prior of a topic's word shares: as if `words` words of every topic had been seen with these shares.
struct WordPrior {
  Vector shares;
  double words = 0;  // 0: no prior
};

// The number of times that each multiset of three words was drawn from a document, by its cell
// (tensor/symmetric.hpp), possibly with noise of a known variance.
struct TripleCounts {
  std::span<const double> counts;
  double documents;
  double noise_variance = 0;
  WordPrior prior = {};
};

struct RefineOptions {
  int max_iterations = 400;
  double tolerance = 1e-5;  // stop when no probability changes by more, relative to the largest of its topic
};

// Weighted least squares: the expected number of triples {a, b, c} is N orders_of(a,b,c) sum_k w_k p_ak p_bk
// p_ck, and the variance of a count is about that of a Poisson count plus that of the noise. Multiplicative
// updates keep probabilities positive.
Topics refine(Topics start, const TripleCounts& data, const RefineOptions& options = {});

}  // namespace tulle
