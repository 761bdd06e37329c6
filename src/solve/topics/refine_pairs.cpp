#include "multiplicative.hpp"

#include <tulle/base/chunks.hpp>
#include <tulle/solve/topics/refine_pairs.hpp>

#include <algorithm>

namespace tulle {
namespace {

constexpr Eigen::Index kPiece = 512;  // words whose values fit into the L1 cache together
using Piece = Eigen::Array<double, 1, Eigen::Dynamic, Eigen::RowMajor, 1, kPiece>;

// The expected entry (a, b) is E = N sum_k w_k p_ak p_bk. Its variance is that of the noise plus about E / 2
// (half of a pair {a, b} is counted here and half in (b, a)), and on the diagonal that of a whole pair.
Piece precision_of(const PairCounts& data, const Piece& expected, Eigen::Index a, Eigen::Index from) {
  Piece precision = (data.noise_variance + expected.max(kLeastCount) / 2).inverse();
  if (const Eigen::Index own = a - from; own >= 0 && own < expected.size())
    precision[own] = 1 / (4 * data.noise_variance + std::max(expected[own], kLeastCount));
  return precision;
}

// Adds the row of word a, a piece of the other words at a time, so that no further matrix of the size of the
// counts is needed.
void add_row(const PairCounts& data, const Matrix& topics, const Matrix& by_topic, const Vector& scale,
             Eigen::Index a, UpdateSums& sums) {
  const Eigen::Index words = topics.rows(), count = topics.cols();
  for (Eigen::Index from = 0; from < words; from += kPiece) {
    const Eigen::Index size = std::min(kPiece, words - from);
    const auto piece_of = [&](Eigen::Index k) { return by_topic.row(k).segment(from, size).array(); };
    Piece expected = Piece::Zero(size);
    for (Eigen::Index k = 0; k < count; ++k) expected += scale[k] * topics(a, k) * piece_of(k);
    const Piece precision = precision_of(data, expected, a, from);
    const Piece found = precision * data.counts.row(a).segment(from, size).array();
    expected *= precision;
    for (Eigen::Index k = 0; k < count; ++k) {
      sums.found(a, k) += (found * piece_of(k)).sum();
      sums.expected(a, k) += (expected * piece_of(k)).sum();
    }
  }
  for (Eigen::Index k = 0; k < count; ++k) {
    sums.found(a, k) *= scale[k] * topics(a, k);
    sums.expected(a, k) *= scale[k] * topics(a, k);
  }
}

}  // namespace

Topics refine(Topics model, const PairCounts& data, int iterations) {
  make_positive(model);
  const double documents = data.counts.sum();
  const auto work = static_cast<std::size_t>(data.counts.size() * model.count());
  for (int iteration = 0; iteration < iterations; ++iteration) {
    const Matrix by_topic = model.topics.transpose();
    const Vector scale = documents * model.weights;
    UpdateSums sums(model.topics);
#pragma omp parallel for schedule(static) if (work > kWorthThreads)
    for (Eigen::Index a = 0; a < model.topics.rows(); ++a)
      add_row(data, model.topics, by_topic, scale, a, sums);
    add(data.prior, model.topics, sums);
    update(model, sums);
  }
  return model;
}

double misfit(const Topics& model, const PairCounts& data) {
  const Matrix scaled = model.topics * (data.counts.sum() * model.weights).asDiagonal();
  double total = 0;
  for (Eigen::Index a = 0; a < model.topics.rows(); ++a)
    for (Eigen::Index from = 0; from < model.topics.rows(); from += kPiece) {
      const Eigen::Index size = std::min(kPiece, model.topics.rows() - from);
      const Piece expected = (scaled.row(a) * model.topics.middleRows(from, size).transpose()).array();
      const Piece left = data.counts.row(a).segment(from, size).array() - expected;
      total += (precision_of(data, expected, a, from) * left.square()).sum() / 4;
    }
  if (data.prior.words > 0)
    total -= data.prior.words * (data.prior.shares.transpose() * model.topics.array().log().matrix()).sum();
  return total;
}

}  // namespace tulle
