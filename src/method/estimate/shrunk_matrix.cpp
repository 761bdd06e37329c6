#include "shrunk_matrix.hpp"

#include <tulle/tensor/decompositions.hpp>

#include <cmath>

namespace tulle {
namespace {

// Multiple of the asymptotic largest singular value of noise: in finite matrices, and with tails as heavy as
// those of Laplace noise, the largest one exceeds its limit.
constexpr double kAboveNoise = 1.1;

// In units of deviation x sqrt(the longer side); `aspect` is the shorter side over the longer.
double shrunk(double value, double aspect) {
  if (value <= kAboveNoise * (1 + std::sqrt(aspect))) return 0;
  const double square = value * value - aspect - 1;
  return std::sqrt(square * square - 4 * aspect) / value;
}

}  // namespace

ShrunkMatrix shrink_to_signal(const Matrix& noisy, double deviation) {
  if (noisy.cols() > noisy.rows()) {
    ShrunkMatrix turned = shrink_to_signal(noisy.transpose(), deviation);
    std::swap(turned.left, turned.right);
    return turned;
  }
  const double unit = deviation * std::sqrt(static_cast<double>(noisy.rows()));
  const double aspect = static_cast<double>(noisy.cols()) / static_cast<double>(noisy.rows());
  const Eigendecomposition eigen = eigendecomposition(noisy.transpose() * noisy);
  const Vector values = eigen.values.reverse().cwiseMax(0).cwiseSqrt();
  ShrunkMatrix result{.left = {}, .right = {}, .values = values};
  Eigen::Index rank = 0;
  while (rank < values.size() && values[rank] > 0) {
    const double kept = unit > 0 ? unit * shrunk(values[rank] / unit, aspect) : values[rank];
    if (kept == 0) break;
    result.values[rank++] = kept;
  }
  result.values.conservativeResize(rank);
  result.right = eigen.vectors.rowwise().reverse().leftCols(rank);
  result.left = noisy * result.right * values.head(rank).cwiseInverse().asDiagonal();
  return result;
}

}  // namespace tulle
