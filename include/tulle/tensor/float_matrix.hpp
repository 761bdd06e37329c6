// Matrices of float32: examples, weights and activations of networks, a row each.
// Allocated and freed as matrix.hpp says.
#pragma once

#include <Eigen/Core>

#pragma GCC visibility push(default)

namespace tulle {

using FloatMatrix = Eigen::Matrix<float, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor | Eigen::DontAlign>;
using FloatVector = Eigen::Matrix<float, 1, Eigen::Dynamic, Eigen::RowMajor | Eigen::DontAlign>;

}  // namespace tulle

#pragma GCC visibility pop
