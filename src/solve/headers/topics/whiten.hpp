// Whitening: the subspace in which the topics are orthonormal (Anandkumar et al. 2014, section 4.3.1).
#pragma once

#include <tulle/tensor/matrix.hpp>

namespace tulle {

// From the `count` largest eigenvalues of M2 = sum of w_k a_k a_k^T = U D U^T: W = U D^-1/2 makes W^T M2 W
// the identity, and U D^1/2 reverses the whitening.
struct Whitening {
  Matrix whiten;       // W, words x count
  Matrix unwhiten;     // U D^1/2
  Vector eigenvalues;  // of M2 as given, largest first
};

// `second` is symmetric. Eigenvalues below `least`, some of them negative because of noise, are raised to
// `least`, so nothing is amplified by more than 1 / sqrt(least).
Whitening whiten(const Matrix& second, int count, double least);

}  // namespace tulle
