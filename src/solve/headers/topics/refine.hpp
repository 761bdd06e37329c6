// Topics that fit the counts of triples best, from a start that is near.
#pragma once

#include <tulle/model/topics.hpp>

#include <span>

namespace tulle {

// How often each multiset of three words was drawn from a document, by its cell (tensor/symmetric.hpp),
// perhaps with noise of a known variance.
struct TripleCounts {
  std::span<const double> counts;
  double documents;
  double noise_variance = 0;
};

struct RefineOptions {
  int max_iterations = 400;
  double tolerance = 1e-5;  // stop when no probability changes by more, relative to the largest of its topic
};

// Weighted least squares: the model expects N orders_of(a,b,c) sum_k w_k p_ak p_bk p_ck triples of a kind,
// the count scatters around that with the variance of the noise and, nearly, of a Poisson count.
// Multiplicative updates keep probabilities positive.
Topics refine(Topics start, const TripleCounts& data, const RefineOptions& options = {});

}  // namespace tulle
