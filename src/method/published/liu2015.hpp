// Method liu2015: one sample of a factorization's posterior by Langevin steps (Liu, Wang and Smola 2015).
#pragma once

#include <tulle/method/private_completion.hpp>
#include <tulle/tensor/kernels/clipped_gradients.hpp>

#include <span>
#include <vector>

namespace tulle {

// The posterior that is to be sampled from: exp(-F),
//   F = temper sum over the cells of (x - f)^2 + ridge / 2 sum of squared parameters, in standardised values.
struct TemperedPosterior {
  double temper;  // epsilon / (4 B)
  double ridge;

  // -dF / d(factor of a mode); cells: their numbers, each of which counts 1 / rate times.
  std::vector<double> slope(const SparseTensor& observed, const Standard& standard, const ModelLayout& layout,
                            std::span<const double> parameters, int mode,
                            std::span<const std::uint64_t> cells, double rate) const;
};

}  // namespace tulle
