#include <tulle/base/error.hpp>
#include <tulle/data/class_scores.hpp>

#include <algorithm>
#include <cmath>

namespace tulle {

ClassScores score_classes(const FloatMatrix& probabilities, std::span<const int> labels) {
  constexpr double kLeast = 1e-30;
  if (static_cast<std::size_t>(probabilities.rows()) != labels.size())
    fail("{} predictions for {} labels; give one for each", probabilities.rows(), labels.size());
  const auto count = static_cast<double>(labels.size());
  ClassScores scores{.examples = labels.size()};
  const auto bins = static_cast<double>(scores.bins.size());
  for (std::size_t i = 0; i < labels.size(); ++i) {
    const auto row = probabilities.row(static_cast<Eigen::Index>(i));
    Eigen::Index best = 0;
    const double confidence = row.maxCoeff(&best);
    const bool right = best == labels[i], known = labels[i] >= 0 && labels[i] < row.size();
    scores.accuracy += right;
    scores.cross_entropy -= std::log(std::max(kLeast, known ? static_cast<double>(row[labels[i]]) : 0.0));
    for (const double p : row) scores.entropy -= p > 0 ? p * std::log(p) : 0;
    // NaN probabilities, from a network whose values overflow, count as 0.
    const double certain = confidence > 0 ? std::min(confidence, 1.0) : 0;
    ConfidenceBin& bin = scores.bins[static_cast<std::size_t>(std::min(certain * bins, bins - 1))];
    bin.examples += 1;
    bin.confidence += certain;
    bin.accuracy += right;
  }
  for (ConfidenceBin& bin : scores.bins) {
    scores.calibration_error += std::abs(bin.confidence - bin.accuracy);
    for (double* sum : {&bin.confidence, &bin.accuracy})
      if (bin.examples > 0) *sum /= static_cast<double>(bin.examples);
  }
  for (double* sum : {&scores.accuracy, &scores.cross_entropy, &scores.calibration_error, &scores.entropy})
    *sum /= count;
  return scores;
}

}  // namespace tulle
