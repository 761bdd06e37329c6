#include "released_directions.hpp"

#include <tulle/tensor/decompositions.hpp>

#include <algorithm>
#include <cmath>

namespace tulle {
namespace {

constexpr int kCompletions = 30;

}  // namespace

Matrix released_directions(const Matrix& seen, const Matrix& weights, double deviation,
                           std::optional<int> most) {
  const double edge = 2 * deviation * std::sqrt(static_cast<double>(seen.rows()));
  const Matrix known = weights.cwiseProduct(seen);
  Matrix completed = Matrix::Zero(seen.rows(), seen.cols()), columns(seen.rows(), 0);
  for (int step = 0; step < kCompletions; ++step) {
    const Eigendecomposition all = eigendecomposition(known + completed - weights.cwiseProduct(completed));
    Eigen::Index kept = 0;
    while (kept < all.values.size() && all.values[all.values.size() - 1 - kept] > edge) ++kept;
    const Vector values = (all.values.tail(kept).array().square() - edge * edge).sqrt().reverse();
    columns = all.vectors.rightCols(kept).rowwise().reverse() * values.cwiseSqrt().asDiagonal();
    if (kept == 0) break;
    completed = columns * columns.transpose();
  }
  return columns.leftCols(most ? std::min<Eigen::Index>(*most, columns.cols()) : columns.cols());
}

}  // namespace tulle
