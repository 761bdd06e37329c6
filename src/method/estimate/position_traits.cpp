#include "position_traits.hpp"

#include "position_features.hpp"
#include "seen_effects.hpp"

#include <tulle/tensor/decompositions.hpp>

#include <algorithm>
#include <cmath>

namespace tulle {
namespace {

constexpr int kFeaturesOfAPair = 8;  // at most, to save time; most data have fewer that exceed chance
constexpr double kAboveChance = 2;   // times the variance that counts have by chance

Vector cells_of_positions(const Cells& cells, int mode) {
  Vector counts = Vector::Zero(cells.shape()[mode]);
  for (const Index position : cells.column(mode)) ++counts[position];
  return counts;
}

// The logarithms of counts, if they vary by more than chance, which gives a count of n the variance 1 / n.
Matrix popularity(const Vector& counts) {
  const Vector weights = counts / counts.sum(), logs = counts.cwiseMax(1).array().log();
  const Vector centred = logs.array() - weights.dot(logs);
  const double chance = static_cast<double>((counts.array() > 0).count()) / counts.sum();
  if (weights.dot(centred.cwiseAbs2()) <= kAboveChance * chance) return Matrix(counts.size(), 0);
  return centred;
}

Matrix joined(const Matrix& left, const Matrix& right) {
  Matrix both(left.rows(), left.cols() + right.cols());
  both << left, right;
  return both;
}

}  // namespace

std::vector<Matrix> position_traits(const Cells& cells) {
  std::vector<Matrix> traits;
  std::vector<Vector> counts;
  for (int mode = 0; mode < cells.order(); ++mode)
    traits.push_back(popularity(counts.emplace_back(cells_of_positions(cells, mode))));
  for (const PairFeatures& pair : position_features(cells, kFeaturesOfAPair)) {
    traits[pair.first] = joined(traits[pair.first], pair.of_first);
    traits[pair.second] = joined(traits[pair.second], pair.of_second);
  }
  for (int mode = 0; mode < cells.order(); ++mode) {
    Matrix& of_mode = traits[mode];
    for (Eigen::Index k = 0; k < of_mode.cols(); ++k) {
      of_mode.col(k).array() -= counts[mode].dot(of_mode.col(k)) / counts[mode].sum();
      const double square = counts[mode].dot(of_mode.col(k).cwiseAbs2()) / counts[mode].sum();
      of_mode.col(k) *= square > 1e-12 ? 1 / std::sqrt(square) : 0;
    }
  }
  return traits;
}

// Noise of variance v and effects N(0, t^2) that do not follow leave W = 1 / (v + t^2) of y. With X^T W X =
// Q L Q^T and c = Q^T X^T W y, the log evidence of s and t is
//   sum_i ln W_i / 2 - W_i y_i^2 / 2 + sum_j s^2 c_j^2 / (1 + s^2 l_j) / 2 - ln(1 + s^2 l_j) / 2
// and the mean of the coefficients Q s^2 c / (1 + s^2 l). All are averaged over s and t.
std::vector<double> explained_by(const Matrix& traits, std::span<const double> seen,
                                 std::span<const double> variances, double most) {
  std::vector<double> explained(seen.size());
  if (traits.cols() == 0) return explained;
  const Eigen::Map<const Vector> y(seen.data(), static_cast<Eigen::Index>(seen.size()));
  const Eigen::Map<const Vector> noise(variances.data(), y.size());
  std::vector<std::pair<double, Vector>> found;  // log evidence and coefficients
  double best = -INFINITY, sum = 0;
  for (const double other : deviations()) {
    if (other > most) break;
    const Vector weights = (noise.array() + other * other).inverse();
    const Matrix weighted = weights.asDiagonal() * traits;
    const double without = (weights.array().log() - weights.array() * y.array().square()).sum();
    const Eigendecomposition eigen = eigendecomposition(traits.transpose() * weighted);
    const Vector along = eigen.vectors.transpose() * (weighted.transpose() * y);
    for (const double deviation : deviations()) {
      if (deviation > most) break;
      const double square = deviation * deviation;
      const Eigen::ArrayXd total = 1 + square * eigen.values.array().cwiseMax(0);
      const Vector mean = square * along.array() / total;
      found.emplace_back((without + mean.dot(along) - total.log().sum()) / 2, eigen.vectors * mean);
      best = std::max(best, found.back().first);
    }
  }
  Vector coefficients = Vector::Zero(traits.cols());
  for (const auto& [evidence, mean] : found) {
    const double weight = std::exp(evidence - best);
    coefficients += weight * mean;
    sum += weight;
  }
  Eigen::Map<Vector>(explained.data(), y.size()) = traits * (coefficients / sum);
  return explained;
}

}  // namespace tulle
