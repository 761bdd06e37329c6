// Parts of a tensor.
#pragma once

#include <tulle/tensor/dense.hpp>
#include <tulle/tensor/sparse.hpp>

namespace tulle {

// At one position of a mode. The mode is left out, so the tensor needs 3 modes at least.
DenseTensor slice(const DenseTensor& tensor, int mode, Index position);
SparseTensor slice(const SparseTensor& tensor, int mode, Index position);

// The first positions of every mode. An Error unless `shape` has as many modes and is no larger in any.
DenseTensor crop(const DenseTensor& tensor, const Shape& shape);
SparseTensor crop(const SparseTensor& tensor, const Shape& shape);

}  // namespace tulle
