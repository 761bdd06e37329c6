// Canonical polyadic model: x[i,j,k,..] = sum_r weights[r] A[i,r] B[j,r] C[k,r] .. + biases.
#pragma once

#include <tulle/model/biases.hpp>
#include <tulle/tensor/dense.hpp>
#include <tulle/tensor/matrix.hpp>
#include <tulle/tensor/sparse.hpp>

#include <vector>

#pragma GCC visibility push(default)

namespace tulle {

struct Cp {
  Vector weights;               // one per component
  std::vector<Matrix> factors;  // one per mode: size of the mode x rank
  Biases biases;

  int rank() const { return static_cast<int>(weights.size()); }
  Shape shape() const;
  double at(std::span<const Index> cell) const;
  std::vector<double> predict(const Cells& cells) const;
  DenseTensor reconstruct() const;
};

// The model whose predictions are the sums of both: components side by side.
Cp sum(const Cp& first, const Cp& second);

// An Error unless sizes agree: called for every model read from a file.
void check(const Cp& model);

}  // namespace tulle

#pragma GCC visibility pop
