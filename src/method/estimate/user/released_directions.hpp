// The directions of a symmetric matrix whose eigenvalues exceed known noise.
#pragma once

#include <tulle/tensor/matrix.hpp>

#include <optional>

namespace tulle {

// The part of low rank of a symmetric matrix that was seen with noise of this standard deviation: eigenvalues
// within what noise alone would have are dropped, the others shrunk (Gavish and Donoho 2017; the edge of a
// symmetric matrix is the same). Elements with a weight below 1, such as the diagonal, are completed by the
// others. A column per direction, the largest first, scaled by the root of its variance, and at most `most`.
Matrix released_directions(const Matrix& seen, const Matrix& weights, double deviation,
                           std::optional<int> most = {});

}  // namespace tulle
