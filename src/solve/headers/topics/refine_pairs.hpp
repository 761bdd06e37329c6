// As refine.hpp, where only pairs of words are counted. Pairs alone do not tell topics apart: it is for a
// start that does.
#pragma once

#include <tulle/model/topics.hpp>

namespace tulle {

// Shares of words that every topic is expected to be near: as if so many words of it had been seen with them.
struct WordPrior {
  Vector shares;
  double words = 0;  // 0: no prior
};

// How often words a and b came together, as a symmetric matrix whose entries add up to the number of
// documents, and the variance of the noise on its entries off the diagonal; on the diagonal, where a pair is
// counted whole, it is four times that.
struct PairCounts {
  const Matrix& counts;
  double noise_variance = 0;
  WordPrior prior = {};
};

Topics refine(Topics model, const PairCounts& data, int iterations = 100);

// Half of the weighted squares that are left, less the logarithm of the prior: what refine() makes small.
double misfit(const Topics& model, const PairCounts& data);

}  // namespace tulle
