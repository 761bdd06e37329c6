// Matrices of float32 for examples, weights and activations of networks, one row each. Allocated and freed as
// matrix.hpp describes.
#pragma once

#include <Eigen/Core>

#pragma GCC visibility push(default)

namespace tulle {

using FloatMatrix = Eigen::Matrix<float, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor | Eigen::DontAlign>;
using FloatVector = Eigen::Matrix<float, 1, Eigen::Dynamic, Eigen::RowMajor | Eigen::DontAlign>;

}  // namespace tulle

#pragma GCC visibility pop
