#include "mixture_steps.hpp"

#include "cube_sum.hpp"
#include "mixture.hpp"

#include <algorithm>
#include <cmath>

namespace tulle {
namespace {

// The unit is the typical distance of a row from its mean, sqrt(D) s. Below 1, the sum shrinks in about the
// same proportion as its noise, so the result depends little on it.
constexpr double kReach = 0.7;
constexpr double kMembership = 0.3;  // in reaches: costs 2 % more noise

// The probabilities that rows belong to the components, from their squared distances to the means.
Matrix memberships(const Matrix& squares, const Topics& mixture) {
  Matrix logs = squares / (-2 * mixture.variance);
  logs.rowwise() += mixture.weights.array().max(1e-300).log().matrix().transpose();
  logs.colwise() -= logs.rowwise().maxCoeff().eval();
  Matrix result = logs.array().exp();
  result.array().colwise() /= result.rowwise().sum().array().eval();
  return result;
}

Vector step_of_panel(const PanelOfRows& panel, const Topics& mixture, const StepBounds& bounds) {
  const Eigen::Index size = mixture.topics.rows(), components = mixture.topics.cols();
  const auto from = [&](Eigen::Index k) -> Matrix {
    return panel.rowwise() - mixture.topics.col(k).transpose();
  };
  Matrix squares(panel.rows(), components);
  for (Eigen::Index k = 0; k < components; ++k) squares.col(k) = from(k).rowwise().squaredNorm();
  const Matrix belong = memberships(squares, mixture);
  const Matrix shares = belong.array() * (bounds.reach / squares.array().sqrt().max(1e-300)).min(1.0);
  Vector sums(components * (size + 1));
  for (Eigen::Index k = 0; k < components; ++k)
    sums.segment(k * size, size) = (shares.col(k).transpose() * from(k)).transpose();
  sums.tail(components) = bounds.membership * belong.colwise().sum().transpose();
  return sums;
}

}  // namespace

StepBounds step_bounds(const Topics& mixture) {
  const double reach = kReach * std::sqrt(static_cast<double>(mixture.topics.rows()) * mixture.variance);
  return {reach, kMembership * reach};
}

std::vector<double> step_sums(const Matrix& rows, const Topics& mixture, const StepBounds& bounds) {
  const Eigen::Index numbers = mixture.topics.size() + mixture.topics.cols();
  const Vector sums = sum_of_panels(
      rows, numbers, [&](const PanelOfRows& panel) { return step_of_panel(panel, mixture, bounds); });
  return {sums.begin(), sums.end()};
}

double replaced_step(const TopicRequest& request, const StepBounds& bounds) {
  const auto numbers = static_cast<std::uint64_t>(request.options.topics) * (request.words + 1);
  return std::sqrt(4 * bounds.reach * bounds.reach + 2 * bounds.membership * bounds.membership) *
             (1 + 0x1p-40) +
         bounds.reach * rounding_of_sums(request.documents, numbers);
}

// A mean moves by the sum divided by the expected number of rows, times 1 / kReach to make up for clipping. A
// sum that is hardly longer than its noise is shrunk to little (James and Stein 1961).
Topics after_step(Topics mixture, const StepBounds& bounds, const Noisy& sums, double rows) {
  const Eigen::Index size = mixture.topics.rows(), components = mixture.topics.cols();
  const Eigen::Map<const Matrix> moves(sums.values.data(), components, size);
  const Eigen::Map<const Vector> counts(sums.values.data() + moves.size(), components);
  const double noise = static_cast<double>(size) * sums.deviation * sums.deviation;
  for (Eigen::Index k = 0; k < components; ++k) {
    const double least = rows * mixture.weights[k] / 4;  // noise may have left less than nothing
    const double count = std::max(counts[k] / bounds.membership, least);
    const double square = moves.row(k).squaredNorm();
    const double keep = square > noise ? 1 - noise / square : 0;
    mixture.topics.col(k) += keep / (kReach * count) * moves.row(k).transpose();
    mixture.weights[k] = count;
  }
  mixture.weights /= mixture.weights.sum();
  shorten_means(mixture);
  return mixture;
}

}  // namespace tulle
