// Tubal model, in the form of the t-SVD: X = U * S * V^T with the t-product *, circular convolution along
// modes 3..N, plus biases. S is f-diagonal, so only its diagonal tubes are stored.
#pragma once

#include <tulle/model/biases.hpp>
#include <tulle/tensor/dense.hpp>
#include <tulle/tensor/sparse.hpp>

#include <vector>

#pragma GCC visibility push(default)

namespace tulle {

struct Tubal {
  DenseTensor u;  // n1 x r x n3 x .. x nN
  DenseTensor s;  // the diagonal tubes (at least 2 modes, so the model has order 3 or more)
  DenseTensor v;  // n2 x r x n3 x .. x nN
  Biases biases;

  int rank() const { return static_cast<int>(s.shape()[0]); }
  Shape shape() const;
  std::vector<double> predict(const Cells& cells) const;
  DenseTensor reconstruct() const;
};

// An Error unless sizes agree: called for every model read from a file.
void check(const Tubal& model);

}  // namespace tulle

#pragma GCC visibility pop
