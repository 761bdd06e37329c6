#include "estimate.hpp"

#include "word_moments.hpp"

#include <tulle/base/chunks.hpp>
#include <tulle/solve/topics/simplex.hpp>
#include <tulle/tensor/decompositions.hpp>
#include <tulle/tensor/symmetric.hpp>

#include <algorithm>
#include <cmath>

namespace tulle {
namespace {

// Bounds the weight w of a topic from below; lambda = 1 / sqrt(w) is at least 1.
constexpr double kLargestLambda = 1e4;

double lambda_in_bounds(double lambda) {
  return std::clamp(lambda, 1.0, kLargestLambda);
}

// A document of 60 words, the most that count, has this many pairs.
constexpr double kMostPairsOfADocument = kMostWordsOfADocument * (kMostWordsOfADocument - 1) / 2.0;

// The margin above the edge that the largest eigenvalue of noise exceeds once in 20 times: its fluctuation is
// of order size^(-2/3) (Tracy and Widom 1994). The factor was chosen on Laplace noise, whose eigenvalues vary
// most.
double margin_of_chance(Eigen::Index size) {
  return 1 + 1.5 * std::pow(static_cast<double>(size), -2.0 / 3);
}

// Variances of counts of pairs if all documents had one topic. The noise of the release has the same variance
// everywhere. Drawing N documents of one pair each gives the entry (a, b) the variance N p_a p_b / 2;
// documents of P pairs each give it a P-th of that.
class PairVariances {
 public:
  explicit PairVariances(const NoisyPairs& pairs)
      : noise_(pairs.deviation * pairs.deviation),
        one_pair_(std::max(pairs.counts.sum(), 0.0) / 2),
        sampling_(one_pair_),
        shares_(pairs.shares) {}

  bool are_positive() const { return rows().minCoeff() > 0; }

  // Estimates P from the counts, since the lengths of documents may be private. Topics add positive
  // eigenvalues only, whereas half of those of noise are negative. So the negative ones are noise: the
  // squares of n of them add up to 2 n^2 v where v is the variance of the noise (Wigner's semicircle).
  void measure_sampling(const Matrix& counts) {
    constexpr Eigen::Index kEnough = 400;
    const Eigen::Index size = std::min(counts.rows(), kEnough);
    if (!are_positive()) return;
    const Matrix part = scaled(counts).topLeftCorner(size, size);
    const Vector values = eigenvalues(part);
    const auto negative = static_cast<double>((values.array() < 0).count());
    const double variance = negative > 0 ? values.cwiseMin(0).squaredNorm() / (2 * negative * negative) : 0;
    const Vector scales = rows().cwiseInverse().head(size);
    const double of_noise = noise_ * std::pow(scales.mean(), 2),
                 of_sampling = one_pair_ * std::pow(scales.cwiseProduct(shares_.head(size)).mean(), 2);
    const double found = of_sampling > 0 ? (variance - of_noise) / of_sampling : 0;
    sampling_ = one_pair_ * std::clamp(found, 1 / kMostPairsOfADocument, 1.0);
  }

  // The matrix with rows and columns divided by the standard deviations of their sums, so that noise has
  // about the same variance everywhere.
  Matrix scaled(const Matrix& counts) const {
    const Vector scales = rows().cwiseSqrt().cwiseInverse();
    return scales.asDiagonal() * counts * scales.asDiagonal();
  }

  Vector scaled(const Vector& side) const { return side.cwiseQuotient(rows().cwiseSqrt()); }
  Vector unscaled(const Vector& side) const { return side.cwiseProduct(rows().cwiseSqrt()); }

  // Eigenvalues of scaled noise reach up to twice the root of the largest sum of the variances of a row.
  // Those of a sample of N documents reach further upwards: (1 + y)^2 - 1 where symmetric noise reaches 2 y,
  // with y^2 = D / N (Marchenko and Pastur 1967).
  double scaled_edge() const {
    const Vector scales = rows().cwiseInverse();
    const Vector drawn = scales.cwiseProduct(sampling_ * shares_.dot(scales) * shares_);
    Eigen::Index row = 0;
    const double largest = (noise_ * scales.sum() * scales + drawn).maxCoeff(&row);
    const double y = one_pair_ > 0 ? std::sqrt(size() / (2 * one_pair_)) : 0;
    return 2 * std::sqrt(largest) * (1 + drawn[row] / largest * y / 2);
  }

 private:
  double size() const { return static_cast<double>(shares_.size()); }

  // Sums of the variances of rows. Every word counts as if it had a mean share more: otherwise a single pair
  // of two rare words would stand out.
  Vector rows() const { return (noise_ * size() + sampling_ * (shares_.array() + 1 / size())).matrix(); }

  double noise_, one_pair_, sampling_;
  const Vector& shares_;
};

// The posterior mean of sqrt(t) v, where t is an eigenvalue of the expected counts and v its vector, given
// those of the noisy counts. In units of half the edge, noise turns t into t + 1 / t, and v into c v plus
// noise of the same variance in every coordinate, where c^2 = 1 - 1 / t^2 (Benaych-Georges and Nadakuditi
// 2011). The prior variances of v are `expected`^2: topics multiply the shares of all words by factors that
// vary alike.
Vector without_noise(double eigenvalue, const Vector& direction, const Vector& expected, double edge) {
  const double x = 2 * eigenvalue / edge, t = (x + std::sqrt(x * x - 4)) / 2, c_squared = 1 - 1 / (t * t);
  const auto prior = expected.array().square();
  const double noise = (1 - c_squared) / static_cast<double>(expected.size());
  const double length = std::sqrt(t * edge / 2 * c_squared);
  return length * direction.array() * prior / (c_squared * prior + noise);
}

}  // namespace

Matrix matrix_of_cells(std::span<const double> pairs, Index size) {
  Matrix matrix(size, size);
  for_each_pair(size, [&](std::size_t cell, std::size_t a, std::size_t b) {
    matrix(a, b) = matrix(b, a) = pairs[cell] / orders_of(a, b);
  });
  return matrix;
}

// A triple has three pairs, each of which is a third of it.
Matrix pairs_of_triples(std::span<const double> triples, Index size) {
  Matrix sums = Matrix::Zero(size, size);
  for_each_triple(size, [&](std::size_t cell, std::size_t a, std::size_t b, std::size_t c) {
    const double third = triples[cell] / 3;
    sums(a, b) += third;
    sums(a, c) += third;
    sums(b, c) += third;
  });
  return (sums + sums.transpose()) / 2;
}

// The cell {a,b,c} adds its total times the mean of W_a x W_b x W_c over the orders of a, b, c: one order is
// added here and the mean taken at the end. The words c are independent of each other.
Cube project(std::span<const double> triples, const Matrix& whiten) {
  const auto size = static_cast<std::size_t>(whiten.rows());
  const Eigen::Index rank = whiten.cols();
  std::vector<Matrix> slices(size);
  const std::size_t work = triples.size() * static_cast<std::size_t>(rank);
#pragma omp parallel for schedule(dynamic) if (work > kWorthThreads)
  for (std::size_t c = 0; c < size; ++c) {
    slices[c] = Matrix::Zero(rank, rank);
    for (std::size_t b = 0; b <= c; ++b) {
      const auto count = static_cast<Eigen::Index>(b) + 1;
      const Eigen::Map<const Eigen::RowVectorXd> row(triples.data() + triple_cell(0, b, c), count);
      const Eigen::RowVectorXd sum = row * whiten.topRows(count);
      slices[c] += whiten.row(b).transpose() * sum;
    }
  }
  Cube tensor = Cube::Zero(rank, rank * rank);
  for (std::size_t c = 0; c < size; ++c)
    tensor +=
        whiten.row(c).transpose() * Eigen::Map<const Vector>(slices[c].data(), slices[c].size()).transpose();
  return symmetrised(tensor);
}

// {a,b,c} adds a sixth of itself to the entry (a,b) for each of the size - 2 other words c; {a,a,b} and
// {a,b,b} a third each.
double pair_deviation(Index size) {
  return std::sqrt((static_cast<double>(size) - 2) / 36 + 2.0 / 9);
}

// {a,b,c} adds a third of itself to the word a, {a,b,b} too, {a,a,b} two thirds and {a,a,a} all.
double word_deviation(Index size) {
  const double others = static_cast<double>(size) - 1;
  return std::sqrt(others * (others - 1) / 2 / 9 + others / 9 + others * 4 / 9 + 1);
}

double noise_edge(double deviation, Index size, double largest) {
  return std::max(2 * deviation * std::sqrt(static_cast<double>(size)), 1e-12 * std::max(largest, 1e-12));
}

ShownTopics topics_above_noise(const NoisyPairs& pairs, int most) {
  PairVariances variances(pairs);
  variances.measure_sampling(pairs.counts);
  if (!variances.are_positive()) return {};
  const Eigen::Index size = pairs.counts.rows();
  const double edge = variances.scaled_edge(), clear = edge * margin_of_chance(size);
  const Whitening found =
      whiten(variances.scaled(pairs.counts), std::min(most, static_cast<int>(size)), clear);
  const auto count = (found.eigenvalues.array() > clear).count();
  const Vector expected = variances.scaled(pairs.shares).normalized();
  Matrix parts(size, count);
  for (Eigen::Index topic = 0; topic < count; ++topic) {
    const double value = found.eigenvalues[topic];
    const Vector direction = found.unwhiten.col(topic) / std::sqrt(value);
    parts.col(topic) = variances.unscaled(without_noise(value, direction, expected, edge));
  }
  return {static_cast<int>(count), parts * parts.transpose()};
}

Topics filled_up(Topics found, int topics, const Vector& shares) {
  const Eigen::Index count = found.count() > 1 ? found.count() : 0;
  Topics model{shares.replicate(1, topics), Vector::Zero(topics)};
  model.topics.leftCols(count) = found.topics.leftCols(count);
  model.weights.head(count) = found.weights.head(count);
  if (count == 0) model.weights.setConstant(1.0 / topics);
  model.stands_out.assign(static_cast<std::size_t>(topics), false);
  std::fill_n(model.stands_out.begin(), count, true);
  return model;
}

Topics unwhitened(const Whitening& whitening, const RankOneTerms& terms) {
  const Vector lambda = terms.values.unaryExpr(&lambda_in_bounds);
  Topics model{whitening.unwhiten * terms.vectors * lambda.asDiagonal(), lambda.cwiseAbs2().cwiseInverse(),
               0};
  model.weights /= model.weights.sum();
  return model;
}

Topics word_topics(const Whitening& whitening, const RankOneTerms& terms) {
  Topics model = unwhitened(whitening, terms);
  for (Eigen::Index topic = 0; topic < model.topics.cols(); ++topic)
    model.topics.col(topic) = nearest_distribution(model.topics.col(topic));
  return model;
}

}  // namespace tulle
