// Where the CP solvers begin.
#pragma once

#include <tulle/base/random.hpp>
#include <tulle/solve/fit.hpp>
#include <tulle/tensor/matrix.hpp>
#include <tulle/tensor/shape.hpp>

#include <functional>
#include <vector>

namespace tulle {

// Independent normal entries.
std::vector<Matrix> random_factors(const Shape& shape, int rank, std::uint64_t seed);

// The MTTKRP of the data for a mode with the given factors.
using ModeProduct = std::function<Matrix(const std::vector<Matrix>& factors, int mode)>;

// The leading left singular vectors of every unfolding, as a randomised range finder sees them (Halko,
// Martinsson and Tropp 2011): the unfolding is multiplied with a random Khatri-Rao product, which is one
// MTTKRP and never forms the unfolding. Columns have the length sqrt(size of the mode), like those of random
// factors.
std::vector<Matrix> spectral_factors(const Shape& shape, int rank, std::uint64_t seed,
                                     const ModeProduct& product);

// An Error unless a model of this rank can be fitted.
void check_rank(int rank);

}  // namespace tulle
