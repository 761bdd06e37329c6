#include "word_shares.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

namespace tulle {
namespace {

constexpr double kRatioOfGrid = 1.1;  // of a sum to the one before
constexpr int kStepsOfPrior = 100;    // of expectation maximisation
constexpr double kLeastShare = 1e-9;  // of the mean share; a model must not exclude a word

enum class Tails { laplace, gaussian };

// 0, and then from far below the noise, or the mean, up to the number of documents. Sums are exact to one
// part in 2^52 of that number.
Vector grid_of_sums(Eigen::Index words, double deviation, double documents) {
  const double least =
      1e-3 * std::max(std::min(deviation, documents / static_cast<double>(words)), 0x1p-52 * documents);
  std::vector<double> grid = {0};
  for (double sum = least; sum < kRatioOfGrid * documents; sum *= kRatioOfGrid) grid.push_back(sum);
  return Eigen::Map<const Vector>(grid.data(), static_cast<Eigen::Index>(grid.size()));
}

// The density of every released sum under every sum of the grid, relative to the largest in its row.
Matrix likelihoods(const Vector& sums, const Vector& grid, double deviation, Tails tails) {
  Matrix log(sums.size(), grid.size());
  for (Eigen::Index word = 0; word < sums.size(); ++word) {
    const auto distance = (sums[word] - grid.transpose().array()).abs() / deviation;
    if (tails == Tails::laplace)
      log.row(word) = -std::sqrt(2) * distance;
    else
      log.row(word) = -distance.square() / 2;
  }
  const Vector largest = log.rowwise().maxCoeff();
  log.colwise() -= largest;
  return log.array().exp();
}

Vector posterior_means(const Vector& sums, double deviation, double documents, Tails tails) {
  const Vector grid = grid_of_sums(sums.size(), deviation, documents);
  const Matrix density = likelihoods(sums, grid, deviation, tails);
  Vector prior = Vector::Constant(grid.size(), 1 / static_cast<double>(grid.size()));
  for (int step = 0; step < kStepsOfPrior; ++step) {
    const Vector scale = (density * prior).cwiseInverse() / static_cast<double>(sums.size());
    prior.array() *= (density.transpose() * scale).array();
  }
  const Vector means = (density * prior.cwiseProduct(grid)).cwiseQuotient(density * prior);
  // Above this, steps of the grid are larger than the noise, and the prior is nearly constant within it.
  const double clear = deviation / (kRatioOfGrid - 1);
  return (sums.array() > clear).select(sums, means);
}

Vector distribution(const Vector& sums, double deviation, double documents, Tails tails) {
  Vector means = deviation > 0 ? posterior_means(sums, deviation, documents, tails) : sums;
  means = means.cwiseMax(kLeastShare * documents / static_cast<double>(sums.size()));
  return means / means.sum();
}

}  // namespace

Vector word_shares(const Release& sums, double documents) {
  const Eigen::Map<const Vector> values(sums.values.data(), static_cast<Eigen::Index>(sums.values.size()));
  const Tails tails = sums.noise.find("Laplace") != std::string::npos ? Tails::laplace : Tails::gaussian;
  return distribution(values, sums.deviation, documents, tails);
}

Vector word_shares(const Vector& sums, double deviation, double documents) {
  return distribution(sums, deviation, documents, Tails::gaussian);
}

}  // namespace tulle
