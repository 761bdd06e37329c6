// Shares of words over all documents, from their sums with noise.
#pragma once

#include <tulle/privacy/releases.hpp>
#include <tulle/tensor/matrix.hpp>

namespace tulle {

// A distribution over the words, from the sum over so many documents of each word's share: posterior means,
// which under their prior have the least expected log loss of all that can be made of the release, cutting
// the noise off included (the loss is proper). The prior is that of a word drawn at random, which the
// released sums themselves give: the mixture of a grid of sums with the highest likelihood (nonparametric
// empirical Bayes; Kiefer and Wolfowitz 1956).
Vector word_shares(const Release& sums, double documents);
// The same of sums with Gaussian noise of this deviation.
Vector word_shares(const Vector& sums, double deviation, double documents);

}  // namespace tulle
