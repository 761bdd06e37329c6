// A matrix of low rank, from itself plus noise.
#pragma once

#include <tulle/tensor/matrix.hpp>

namespace tulle {

struct ShrunkMatrix {
  Matrix left, right;  // orthonormal columns
  Vector values;       // singular values, descending: rank of them

  Eigen::Index rank() const { return values.size(); }
  Matrix product() const { return left * values.asDiagonal() * right.transpose(); }
};

// Singular values that noise alone would have are dropped, the others shrunk by what noise added to them: the
// least squared error as the matrix grows (Gavish and Donoho 2017), for independent noise of this deviation
// on every number.
ShrunkMatrix shrink_to_signal(const Matrix& noisy, double deviation);

}  // namespace tulle
