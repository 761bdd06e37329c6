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

// Drops singular values that noise alone would have and shrinks the others by what noise added to them: for
// independent noise of this standard deviation in every element, the least squared error as the matrix grows
// (Gavish and Donoho 2017).
ShrunkMatrix shrink_to_signal(const Matrix& noisy, double deviation);

}  // namespace tulle
