// Shares of words over all documents, from their sums with noise.
#pragma once

#include <tulle/privacy/releases.hpp>
#include <tulle/tensor/matrix.hpp>

namespace tulle {

// A distribution over the words, from each word's sum of shares over `documents` documents: the posterior
// means, which have the least expected log loss of all estimates under their prior. The prior of a word's sum
// is estimated from all released sums: the mixture over a grid of sums with the highest likelihood
// (nonparametric empirical Bayes; Kiefer and Wolfowitz 1956).
Vector word_shares(const Release& sums, double documents);
// The same for sums with Gaussian noise of this standard deviation.
Vector word_shares(const Vector& sums, double deviation, double documents);

}  // namespace tulle
