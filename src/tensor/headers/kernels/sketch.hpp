// Count sketches: random combinations of the columns of a matrix, or of its rows, in one pass over its cells.
// Their span is near to that of the leading singular vectors (Halko, Martinsson and Tropp 2011, section 4).
#pragma once

#include <tulle/tensor/kernels/cell_sums.hpp>

#include <span>

namespace tulle {

// sums[i, l] += sum of signs[j] x_ij over the columns j that leave l when divided by `width`
void add_sketch(const RowsInMemoryOf<float>& x, std::span<const double> signs, std::size_t width,
                double* sums);

// The same of the transpose: sums[j, l] += sum of signs[i] x_ij over the rows i that leave l
void add_transposed_sketch(const RowsInMemoryOf<float>& x, std::span<const double> signs, std::size_t width,
                           double* sums);

}  // namespace tulle
