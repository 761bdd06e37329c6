// Gram matrices of unfoldings: X_(n) X_(n)^T.
#pragma once

#include <tulle/tensor/dense.hpp>
#include <tulle/tensor/matrix.hpp>
#include <tulle/tensor/sparse.hpp>

namespace tulle {

Matrix gram(const DenseTensor& tensor, int mode);

// Unlisted cells count as zeros. Its size is that of the mode, squared: for modes of up to a few thousand
// positions.
Matrix gram(const SparseTensor& tensor, int mode);

}  // namespace tulle
