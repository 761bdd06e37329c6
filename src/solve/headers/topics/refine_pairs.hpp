// As refine.hpp, where only pairs of words are counted. Pairs alone do not tell topics apart: it is for a
// start that does.
#pragma once

#include <tulle/model/topics.hpp>

namespace tulle {

// How often words a and b came together, as a symmetric matrix whose entries add up to the number of
// documents, and the variance of the noise on its entries off the diagonal.
struct PairCounts {
  const Matrix& counts;
  double noise_variance = 0;
};

Topics refine(Topics model, const PairCounts& data, int iterations = 100);

}  // namespace tulle
