// Starting points of the solvers.
#pragma once

#include <tulle/tensor/matrix.hpp>
#include <tulle/tensor/shape.hpp>

#include <cstdint>
#include <functional>
#include <vector>

namespace tulle {

// Factors with independent normal entries; `columns` has one number per mode.
std::vector<Matrix> random_factors(const Shape& shape, const std::vector<int>& columns, std::uint64_t seed);
std::vector<Matrix> random_orthonormal(const Shape& shape, const std::vector<int>& ranks, std::uint64_t seed);

// The number of columns of a sketch for a rank: oversampling improves the leading directions.
inline int sketch_width(int rank) {
  return 2 * rank + 10;
}

// The leading left singular vectors of every unfolding, approximated by a randomised range finder (Halko,
// Martinsson and Tropp 2011). sketch(mode) is the unfolding times a random matrix of at least sketch_width
// columns, a Khatri-Rao or Kronecker product, so that the unfolding is never formed. There are at most as
// many vectors as the mode has positions.
std::vector<Matrix> spectral_factors(const Shape& shape, const std::vector<int>& ranks,
                                     const std::function<Matrix(int mode)>& sketch);

// Throws a UsageError unless the rank is 1 or more.
void check_rank(int rank);

}  // namespace tulle
