// Whitening: the subspace in which the topics are orthonormal (Anandkumar et al. 2014, section 4.3.1).
#pragma once

#include <tulle/tensor/matrix.hpp>

namespace tulle {

// From M2 = sum of w_k a_k a_k^T = U D U^T, its `count` largest eigenvalues: W = U D^-1/2 makes W^T M2 W the
// identity, and U D^1/2 leads back.
struct Whitening {
  Matrix whiten;       // W, words x count
  Matrix unwhiten;     // U D^1/2
  Vector eigenvalues;  // of M2 as given, largest first
};

// `second` is symmetric. Noise may have pushed eigenvalues down to `least` or below zero: these count as
// `least`, so nothing is blown up by more than 1 / sqrt(least).
Whitening whiten(const Matrix& second, int count, double least);

}  // namespace tulle
