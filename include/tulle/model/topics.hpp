// Topics of a collection of documents, each of which has one (single topic model); or, for vectors, the
// components of a mixture of spherical Gaussians. As a tensor: words x topics, whose cell is the probability
// of a word under a topic, or the mean of a coordinate in a component.
#pragma once

#include <tulle/tensor/dense.hpp>
#include <tulle/tensor/matrix.hpp>
#include <tulle/tensor/sparse.hpp>

#include <vector>

#pragma GCC visibility push(default)

namespace tulle {

struct Topics {
  Matrix topics;   // words x topics; a column is a distribution over the words, or the mean of a component
  Vector weights;  // frequencies of the topics; they sum to 1
  double variance = 0;  // of a coordinate around its component's mean; 0 for words
  // For each topic, whether it stands out of the noise of the releases and the sampling noise of the
  // documents. One that does not has the shares of words over all documents. Empty: not known.
  std::vector<bool> stands_out = {};

  int count() const { return static_cast<int>(weights.size()); }
  bool mixture() const { return variance > 0; }
  bool is_noise(int topic) const {
    return !stands_out.empty() && !stands_out[static_cast<std::size_t>(topic)];
  }
  Shape shape() const;
  std::vector<double> predict(const Cells& cells) const;
  DenseTensor reconstruct() const;
};

// An Error unless sizes agree: called for every model read from a file.
void check(const Topics& model);

}  // namespace tulle

#pragma GCC visibility pop
