// Tucker model: x[i,j,k,..] = sum_{p,q,t,..} core[p,q,t,..] A[i,p] B[j,q] C[k,t] .. + biases.
#pragma once

#include <tulle/model/biases.hpp>
#include <tulle/tensor/dense.hpp>
#include <tulle/tensor/matrix.hpp>
#include <tulle/tensor/sparse.hpp>

#include <vector>

#pragma GCC visibility push(default)

namespace tulle {

struct Cp;

struct Tucker {
  DenseTensor core;
  std::vector<Matrix> factors;  // one per mode: size of the mode x size of the core in that mode
  Biases biases;

  Shape shape() const;
  double at(std::span<const Index> cell) const;
  std::vector<double> predict(const Cells& cells) const;
  DenseTensor reconstruct() const;
};

// The same model: a core with the weights on its diagonal.
Tucker tucker_of(const Cp& model);

// An Error unless sizes agree: called for every model read from a file.
void check(const Tucker& model);

}  // namespace tulle

#pragma GCC visibility pop
