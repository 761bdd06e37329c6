// Small dense algebra, by Eigen. Matrices are row-major, as in NumPy: the row of a factor is contiguous.
//
// A program destroys matrices that the library made, and vice versa. How Eigen allocates aligned memory
// depends on flags: by malloc in the library, with a header of its own under -mavx2 or -fsanitize=address.
// DontAlign means malloc and free under any flags. Loads are as fast: malloc aligns to 16 bytes.
#pragma once

#include <Eigen/Core>

#pragma GCC visibility push(default)

namespace tulle {

using Matrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor | Eigen::DontAlign>;
using Vector = Eigen::Matrix<double, Eigen::Dynamic, 1, Eigen::DontAlign>;

}  // namespace tulle

#pragma GCC visibility pop
