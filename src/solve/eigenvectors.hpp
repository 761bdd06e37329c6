// Leading eigenvectors of symmetric matrices, by LAPACK.
#pragma once

#include <tulle/tensor/matrix.hpp>

namespace tulle {

// Of the largest eigenvalues, largest first, as columns. Bit by bit the same for any number of threads.
Matrix leading_eigenvectors(Matrix symmetric, int count);

}  // namespace tulle
