#include "multiplicative.hpp"

#include <tulle/base/chunks.hpp>
#include <tulle/solve/topics/refine_pairs.hpp>

namespace tulle {

// Entry (a, b) is expected to be E = N sum_k w_k p_ak p_bk; its variance is that of the noise and about E / 2
// (a pair {a, b} is counted half here and half in (b, a)). A row of words is done at a time, so that no other
// matrix of the size of the counts is held.
Topics refine(Topics start, const PairCounts& data, int iterations) {
  make_positive(start);
  const double documents = data.counts.sum();
  const auto work = static_cast<std::size_t>(data.counts.size() * start.count());
  for (int iteration = 0; iteration < iterations; ++iteration) {
    Topics& model = start;
    const Matrix weighted = documents * model.topics * model.weights.asDiagonal();
    UpdateSums sums(model.topics);
#pragma omp parallel for schedule(static) if (work > kWorthThreads)
    for (Eigen::Index a = 0; a < model.topics.rows(); ++a) {
      const Eigen::RowVectorXd expected = weighted.row(a) * model.topics.transpose();
      const Eigen::ArrayXd precision =
          (data.noise_variance + expected.array().max(kLeastCount) / 2).inverse().transpose();
      const Eigen::RowVectorXd found = (precision.transpose() * data.counts.row(a).array()).matrix();
      const Eigen::RowVectorXd fitted = (precision.transpose() * expected.array()).matrix();
      sums.found.row(a) = (found * model.topics).array() * weighted.row(a).array();
      sums.expected.row(a) = (fitted * model.topics).array() * weighted.row(a).array();
    }
    update(model, sums);
  }
  return start;
}

}  // namespace tulle
