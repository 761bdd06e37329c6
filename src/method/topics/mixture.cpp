#include "mixture.hpp"

#include "cube_sum.hpp"
#include "estimate.hpp"

#include <tulle/base/chunks.hpp>
#include <tulle/tensor/decompositions.hpp>
#include <tulle/tensor/symmetric.hpp>

#include <cmath>

namespace tulle {
namespace {

// For each j, the sums of the cells {i <= j <= k} of a cube, by i and k - j.
using Slices = std::vector<Matrix>;

Slices zero_slices(Eigen::Index size) {
  Slices slices;
  for (Eigen::Index j = 0; j < size; ++j) slices.push_back(Matrix::Zero(j + 1, size - j));
  return slices;
}

constexpr Eigen::Index kRowsInCache = 256;

Matrix slice_of(const PanelOfRows& panel, Eigen::Index j) {
  const Eigen::Index size = panel.cols();
  Matrix slice = Matrix::Zero(j + 1, size - j);
  for (Eigen::Index first = 0; first < panel.rows(); first += kRowsInCache) {
    const auto rows = panel.middleRows(first, std::min(kRowsInCache, panel.rows() - first));
    const Matrix scaled = rows.col(j).asDiagonal() * rows.rightCols(size - j);
    slice.noalias() += rows.leftCols(j + 1).transpose() * scaled;
  }
  return slice;
}

std::uint64_t cube_numbers(std::uint64_t size) {
  return size * size * size;
}

// All eigenvalues of the covariance but the K - 1 largest equal s^2; their mean has less noise than the
// smallest.
double spherical_variance(const LowMoments& low, int components) {
  const Eigen::MatrixXd covariance = low.second - low.mean * low.mean.transpose();
  const Eigen::Index alike = std::max<Eigen::Index>(1, covariance.rows() - components + 1);
  constexpr double kLeastVariance = 1e-12;  // of rows of length 1
  return std::max(kLeastVariance, eigenvalues(covariance).head(alike).mean());
}

}  // namespace

// No row is longer than 1, so no mean is.
void shorten_means(Topics& mixture) {
  for (Eigen::Index k = 0; k < mixture.topics.cols(); ++k)
    mixture.topics.col(k) /= std::max(1.0, mixture.topics.col(k).norm());
}

std::vector<double> low_moments(const Matrix& rows) {
  const Eigen::Index size = rows.cols();
  const Vector sums = sum_of_panels(rows, size + size * size, [&](const PanelOfRows& panel) {
    Vector part(size + size * size);
    part.head(size) = panel.colwise().sum().transpose();
    Eigen::Map<Matrix>(part.data() + size, size, size) = panel.transpose() * panel;
    return part;
  });
  std::vector<double> result(sums.begin(), sums.begin() + size);
  for_each_pair(static_cast<std::size_t>(size), [&](std::size_t, std::size_t a, std::size_t b) {
    result.push_back(std::sqrt(orders_of(a, b)) *
                     sums[size + static_cast<Eigen::Index>(a) * size + static_cast<Eigen::Index>(b)]);
  });
  return result;
}

// One thread computes a slice for all panels, so that no thread waits for another between panels.
std::vector<double> third_moment(const Matrix& rows) {
  Slices sums = zero_slices(rows.cols());
  const auto work =
      static_cast<std::size_t>(rows.rows()) * triple_cells(static_cast<std::size_t>(rows.cols()));
#pragma omp parallel if (work > kWorthThreads)
  for (Eigen::Index first = 0; first < rows.rows(); first += kCubePanel) {
    const auto panel = rows.middleRows(first, std::min(kCubePanel, rows.rows() - first));
#pragma omp for schedule(static, 1) nowait
    for (Eigen::Index j = 0; j < rows.cols(); ++j) sums[static_cast<std::size_t>(j)] += slice_of(panel, j);
  }
  std::vector<double> cells;
  for_each_triple(static_cast<std::size_t>(rows.cols()),
                  [&](std::size_t, std::size_t a, std::size_t b, std::size_t c) {
                    cells.push_back(sums[b](static_cast<Eigen::Index>(a), static_cast<Eigen::Index>(c - b)));
                  });
  return cells;
}

Cube projected_moment(const Matrix& rows, const Matrix& whiten, double bound) {
  Cube cube = Cube::Zero(whiten.cols(), whiten.cols() * whiten.cols());
  for (Eigen::Index first = 0; first < rows.rows(); first += kCubePanel) {
    const auto panel = rows.middleRows(first, std::min(kCubePanel, rows.rows() - first));
    const Matrix projected = clip_rows(panel * whiten, bound).rows;
    add_cubes(projected, projected, projected, cube);
  }
  return cube;
}

// The product p + p^2 (mixture.hpp) is at most 2 and at least -1/4.
double replaced_low_moments(const TopicRequest& request) {
  return std::sqrt(2 * 2 + 2 * 0.25) + rounding_of_sums(request.documents, cube_numbers(request.words));
}

std::vector<double> weighted_moments(const Matrix& rows, const MomentWeights& weights) {
  std::vector<double> result = low_moments(rows);
  for (std::size_t i = 0; i < result.size(); ++i)
    result[i] *= i < static_cast<std::size_t>(rows.cols()) ? weights.first : weights.second;
  const std::vector<double> third = third_moment(rows);
  for_each_triple(static_cast<std::size_t>(rows.cols()),
                  [&](std::size_t cell, std::size_t a, std::size_t b, std::size_t c) {
                    result.push_back(weights.third * (std::sqrt(orders_of(a, b, c)) * third[cell]));
                  });
  return result;
}

// With a, b and c the squared weights, the product of two rows' vectors is k(p) = a p + b p^2 + c p^3. Its
// minimum is at -1 or where its derivative is 0.
double replaced_moments(const TopicRequest& request, const MomentWeights& weights) {
  const double a = weights.first * weights.first, b = weights.second * weights.second,
               c = weights.third * weights.third;
  const auto product = [&](double p) { return p * (a + p * (b + p * c)); };
  double least = std::min(product(-1), 0.0);
  if (const double root = b * b - 3 * a * c; root >= 0)
    for (double sign : {-1.0, 1.0})
      least = std::min(least, product(std::clamp((-b + sign * std::sqrt(root)) / (3 * c), -1.0, 1.0)));
  const double largest = std::max({weights.first, weights.second, weights.third});
  return std::sqrt(2 * (product(1) - least)) * (1 + 0x1p-40) +
         largest * rounding_of_sums(request.documents, cube_numbers(request.words));
}

LowMoments low_moments_of(const Noisy& means, Index words) {
  const auto size = static_cast<Eigen::Index>(words);
  LowMoments low{Eigen::Map<const Vector>(means.values.data(), size), Matrix(size, size),
                 means.deviation / std::sqrt(2)};
  for_each_pair(words, [&](std::size_t cell, std::size_t a, std::size_t b) {
    low.second(a, b) = low.second(b, a) = means.values[words + cell] / std::sqrt(orders_of(a, b));
  });
  return low;
}

MixtureSubspace subspace_of(const LowMoments& low, int components) {
  const double variance = spherical_variance(low, components);
  const Matrix second = low.second - variance * Matrix::Identity(low.second.rows(), low.second.cols());
  const Whitening whitening =
      whiten(second, components,
             noise_edge(low.deviation, static_cast<Index>(second.rows()), second.diagonal().maxCoeff()));
  const Vector mean = whitening.whiten.transpose() * low.mean;
  const Matrix gram = whitening.whiten.transpose() * whitening.whiten;
  const Cube product = mean * Eigen::Map<const Vector>(gram.data(), gram.size()).transpose();
  return {variance, whitening, 3 * variance * symmetrised(product)};
}

Topics mixture_of(const MixtureSubspace& subspace, const RankOneTerms& terms) {
  Topics model = unwhitened(subspace.whitening, terms);
  model.variance = subspace.variance;
  shorten_means(model);
  return model;
}

Topics mixture_of(const MixtureSubspace& subspace, const Cube& third, const TopicOptions& options) {
  const RankOneTerms terms = decompose(third - subspace.correction, options.topics, {.seed = options.seed});
  return mixture_of(subspace, terms);
}

Cube project(const Cube& cube, const Matrix& whiten) {
  const Eigen::Index size = cube.rows(), rank = whiten.cols();
  const Matrix first = whiten.transpose() * cube;  // rank x (size x size)
  Cube result(rank, rank * rank);
  for (Eigen::Index i = 0; i < rank; ++i) {
    const Matrix row = first.row(i);
    const Eigen::Map<const Matrix> slice(row.data(), size, size);
    const Matrix projected = whiten.transpose() * slice * whiten;
    result.row(i) = Eigen::Map<const Eigen::RowVectorXd>(projected.data(), projected.size());
  }
  return result;
}

}  // namespace tulle
