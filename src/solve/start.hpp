// Where the solvers begin.
#pragma once

#include <tulle/tensor/matrix.hpp>
#include <tulle/tensor/shape.hpp>

#include <cstdint>
#include <functional>
#include <vector>

namespace tulle {

// Independent normal entries; one number of columns per mode.
std::vector<Matrix> random_factors(const Shape& shape, const std::vector<int>& columns, std::uint64_t seed);
std::vector<Matrix> random_orthonormal(const Shape& shape, const std::vector<int>& ranks, std::uint64_t seed);

// How many columns a sketch should have for a rank: the surplus sharpens the leading directions.
inline int sketch_width(int rank) {
  return 2 * rank + 10;
}

// The leading left singular vectors of every unfolding, as a randomised range finder sees them (Halko,
// Martinsson and Tropp 2011). sketch(mode) is the unfolding times a random matrix of sketch_width columns or
// more, a Khatri-Rao or Kronecker product, so that the unfolding is never formed. At most as many vectors as
// the mode has positions.
std::vector<Matrix> spectral_factors(const Shape& shape, const std::vector<int>& ranks,
                                     const std::function<Matrix(int mode)>& sketch);

// An Error unless a model of this rank can be fitted.
void check_rank(int rank);

}  // namespace tulle
