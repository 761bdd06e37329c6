// The cells of a tensor in another layout.
#pragma once

#include <tulle/tensor/dense.hpp>
#include <tulle/tensor/matrix.hpp>

#include <span>

namespace tulle {

// Mode-n unfolding: row i holds the cells at position i of the mode, in C order of the remaining modes (as in
// TensorLy).
Matrix unfold(const DenseTensor& tensor, int mode);

// The tensor of the given shape whose mode-n unfolding this is.
DenseTensor fold(const Matrix& unfolded, int mode, const Shape& shape);

// Reorders the modes: mode m of the result is mode modes[m] of the tensor.
DenseTensor permute(const DenseTensor& tensor, std::span<const int> modes);

}  // namespace tulle
