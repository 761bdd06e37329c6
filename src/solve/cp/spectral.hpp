// The spectral start of the CP solvers.
#pragma once

#include "../start.hpp"

namespace tulle {

// Sketches by MTTKRP, product(tests, mode), with random test matrices. Columns have the length sqrt(size of
// the mode), like those of random factors; columns beyond the size of the mode are random.
template <class ModeProduct>
std::vector<Matrix> spectral_start(const Shape& shape, int rank, std::uint64_t seed,
                                   const ModeProduct& product) {
  const auto order = static_cast<std::size_t>(shape.order());
  const std::vector<Matrix> tests =
      random_factors(shape, std::vector<int>(order, sketch_width(rank)), seed + 1);
  const std::vector<int> ranks(order, rank);
  std::vector<Matrix> factors = random_factors(shape, ranks, seed);
  const std::vector<Matrix> leading =
      spectral_factors(shape, ranks, [&](int mode) { return product(tests, mode); });
  for (std::size_t mode = 0; mode < order; ++mode)
    factors[mode].leftCols(leading[mode].cols()) =
        std::sqrt(static_cast<double>(factors[mode].rows())) * leading[mode];
  return factors;
}

}  // namespace tulle
