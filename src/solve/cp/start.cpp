#include "start.hpp"

#include <tulle/base/error.hpp>

#include <Eigen/Eigenvalues>

namespace tulle {

std::vector<Matrix> random_factors(const Shape& shape, int rank, std::uint64_t seed) {
  std::vector<Matrix> factors;
  for (int mode = 0; mode < shape.order(); ++mode) {
    Random random(seed, static_cast<std::uint64_t>(mode) + 1);
    Matrix factor(shape[mode], rank);
    for (double& entry : factor.reshaped()) entry = random.normal();
    factors.push_back(std::move(factor));
  }
  return factors;
}

std::vector<Matrix> spectral_factors(const Shape& shape, int rank, std::uint64_t seed,
                                     const ModeProduct& product) {
  const int width =
      2 * rank + 10;  // more test vectors than wanted directions: the surplus sharpens the leading ones
  const std::vector<Matrix> tests = random_factors(shape, width, seed + 1);
  std::vector<Matrix> factors = random_factors(shape, rank, seed);
  for (int mode = 0; mode < shape.order(); ++mode) {
    const Matrix sketch = product(tests, mode);
    // Left singular vectors of the sketch from its small Gram matrix; directions that it does not have stay
    // random.
    const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> eigen(sketch.transpose() * sketch);
    const double largest = eigen.eigenvalues()[width - 1];
    for (int r = 0; r < std::min<int>(rank, static_cast<int>(shape[mode])); ++r) {
      const double square = eigen.eigenvalues()[width - 1 - r];
      if (!(square > 1e-12 * largest)) break;
      factors[mode].col(r) =
          sketch * eigen.eigenvectors().col(width - 1 - r) * std::sqrt(shape[mode] / square);
    }
  }
  return factors;
}

void check_rank(int rank) {
  if (rank < 1) fail_usage("rank: {} is no rank; give 1 or more", rank);
}

}  // namespace tulle
