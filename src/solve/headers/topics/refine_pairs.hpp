// As refine.hpp, for counts of word pairs only. Pairs alone do not identify topics, so the start must.
#pragma once

#include <tulle/solve/topics/refine.hpp>

namespace tulle {

// Co-occurrence counts of words, as a symmetric matrix whose entries add up to the number of documents, and
// the variance of the noise on its off-diagonal entries; on the diagonal, where a pair is not counted in
// halves, the variance is four times that.
struct PairCounts {
  const Matrix& counts;
  double noise_variance = 0;
  WordPrior prior = {};
};

Topics refine(Topics model, const PairCounts& data, int iterations = 100);

// The objective of refine(): half the weighted sum of squared residuals, minus the log prior.
double misfit(const Topics& model, const PairCounts& data);

}  // namespace tulle
