#include "estimate.hpp"

#include <tulle/base/chunks.hpp>
#include <tulle/solve/topics/simplex.hpp>
#include <tulle/tensor/symmetric.hpp>

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>

namespace tulle {
namespace {

// A topic of a share of less is not found; lambda = 1 / sqrt(w) is at least 1.
constexpr double kLargestLambda = 1e4;

double lambda_in_bounds(double lambda) {
  return std::clamp(lambda, 1.0, kLargestLambda);
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

int topics_above_noise(const Matrix& second, double deviation, int most) {
  const auto size = static_cast<Index>(second.rows());
  const double edge = noise_edge(deviation, size, second.diagonal().maxCoeff()) *
                      (1 + 1.5 * std::pow(static_cast<double>(size), -2.0 / 3));
  const Vector values = whiten(second, std::min(most, static_cast<int>(size)), edge).eigenvalues;
  return static_cast<int>((values.array() > edge).count());
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

Topics marked(Topics model, int above_noise) {
  const Vector parts = model.weights.cwiseProduct(model.topics.colwise().squaredNorm().transpose());
  std::vector<int> order(static_cast<std::size_t>(model.count()));
  std::iota(order.begin(), order.end(), 0);
  std::ranges::stable_sort(order, std::greater(), [&](int topic) { return parts[topic]; });
  model.stands_out.assign(order.size(), false);
  for (int place = 0; place < above_noise; ++place)
    model.stands_out[static_cast<std::size_t>(order[static_cast<std::size_t>(place)])] = true;
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
