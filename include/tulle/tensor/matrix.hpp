// Small dense algebra, by Eigen. Matrices are row-major, as in NumPy: the row of a factor is contiguous.
#pragma once

#include <Eigen/Core>

#pragma GCC visibility push(default)

namespace tulle {

using Matrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
using Vector = Eigen::VectorXd;

}  // namespace tulle

#pragma GCC visibility pop
