// The Khatri-Rao product: Kronecker products of columns that belong together.
#pragma once

#include <tulle/tensor/matrix.hpp>

#include <span>

namespace tulle {

// Row i * J + j is a[i] times b[j], entry by entry: the later factor runs fastest, as the later mode does in
// a tensor.
Matrix khatri_rao(const Matrix& a, const Matrix& b);

// Of several factors, the last of which runs fastest. Of none: a row of ones, which is why the number of
// columns is asked for.
Matrix khatri_rao(std::span<const Matrix> factors, int columns);

}  // namespace tulle
