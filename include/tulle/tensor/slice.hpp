// The part of a tensor at one position of a mode.
#pragma once

#include <tulle/tensor/dense.hpp>
#include <tulle/tensor/sparse.hpp>

namespace tulle {

// The mode is left out, so the tensor needs 3 modes at least.
DenseTensor slice(const DenseTensor& tensor, int mode, Index position);
SparseTensor slice(const SparseTensor& tensor, int mode, Index position);

}  // namespace tulle
