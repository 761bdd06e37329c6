#include "start.hpp"

#include "subspace.hpp"

#include <tulle/base/error.hpp>
#include <tulle/base/random.hpp>
#include <tulle/tensor/decompositions.hpp>

namespace tulle {

std::vector<Matrix> random_factors(const Shape& shape, const std::vector<int>& columns, std::uint64_t seed) {
  std::vector<Matrix> factors;
  for (int mode = 0; mode < shape.order(); ++mode) {
    Random random(seed, static_cast<std::uint64_t>(mode) + 1);
    Matrix factor(shape[mode], columns[mode]);
    for (double& entry : factor.reshaped()) entry = random.normal();
    factors.push_back(std::move(factor));
  }
  return factors;
}

std::vector<Matrix> random_orthonormal(const Shape& shape, const std::vector<int>& ranks,
                                       std::uint64_t seed) {
  std::vector<Matrix> factors = random_factors(shape, ranks, seed);
  for (Matrix& factor : factors) factor = orthonormal(factor);
  return factors;
}

std::vector<Matrix> spectral_factors(const Shape& shape, const std::vector<int>& ranks,
                                     const std::function<Matrix(int mode)>& sketch) {
  std::vector<Matrix> factors;
  for (int mode = 0; mode < shape.order(); ++mode)
    factors.push_back(
        leading_left_vectors(sketch(mode), std::min(ranks[mode], static_cast<int>(shape[mode]))));
  return factors;
}

void check_rank(int rank) {
  if (rank < 1) fail_usage("rank: {} is too small; give 1 or more", rank);
}

}  // namespace tulle
