// Leading eigenvectors of symmetric matrices, by LAPACK.
#pragma once

#include <tulle/tensor/matrix.hpp>

namespace tulle {

struct Eigenpairs {
  Vector values;
  Matrix vectors;  // as columns
};

// Of the largest eigenvalues, largest first, as columns. Bit by bit the same for any number of threads.
Eigenpairs leading_eigenpairs(const Matrix& symmetric, int count);
Matrix leading_eigenvectors(const Matrix& symmetric, int count);

}  // namespace tulle
