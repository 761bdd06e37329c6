// Parts of a tensor.
#pragma once

#include <tulle/tensor/dense.hpp>
#include <tulle/tensor/sparse.hpp>

namespace tulle {

// The part at one position of a mode. It has one mode less, so the tensor needs at least 3 modes.
DenseTensor slice(const DenseTensor& tensor, int mode, Index position);
SparseTensor slice(const SparseTensor& tensor, int mode, Index position);

// The first positions of every mode. An Error unless `shape` has as many modes and is no larger in any.
DenseTensor crop(const DenseTensor& tensor, const Shape& shape);
SparseTensor crop(const SparseTensor& tensor, const Shape& shape);

}  // namespace tulle
