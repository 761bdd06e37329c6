// Leading eigenvectors of symmetric matrices, by LAPACK.
#pragma once

#include <tulle/tensor/matrix.hpp>

namespace tulle {

struct Eigenpairs {
  Vector values;
  Matrix vectors;  // as columns
};

// The pairs of the `count` largest eigenvalues, largest first. Bit-identical for any number of threads.
Eigenpairs leading_eigenpairs(const Matrix& symmetric, int count);
Matrix leading_eigenvectors(const Matrix& symmetric, int count);

}  // namespace tulle
