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

  int count() const { return static_cast<int>(weights.size()); }
  bool mixture() const { return variance > 0; }
  Shape shape() const;
  std::vector<double> predict(const Cells& cells) const;
  DenseTensor reconstruct() const;
};

// An Error unless sizes agree: called for every model read from a file.
void check(const Topics& model);

}  // namespace tulle

#pragma GCC visibility pop
