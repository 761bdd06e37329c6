#include "attackers.hpp"

#include <tulle/tensor/decompositions.hpp>
#include <tulle/tensor/matrix.hpp>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <numeric>

namespace tulle::attacks {
namespace {

constexpr std::size_t kMostColumns = 48;  // columns of a trial that an attacker uses
constexpr std::size_t kMostTrainingTrials = 40'000;

Part training_part(Part part) {
  return {part.first, std::min(part.last, part.first + kMostTrainingTrials)};
}

struct Moments {
  double mean[2] = {}, variance[2] = {};

  double pooled() const { return (variance[0] + variance[1]) / 2; }
  // How far the two sides differ, in mean or in spread.
  double contrast() const {
    const double spread = pooled(), apart = std::abs(mean[1] - mean[0]);
    if (spread <= 1e-24 * apart * apart) return apart > 0 ? 1e12 : 0;
    const double ratio = std::log((variance[1] + 1e-300) / (variance[0] + 1e-300));
    return apart * apart / spread + ratio * ratio / 8;
  }
};

Moments moments_of(const View& view, std::span<const std::uint8_t> bits, Part part, std::size_t column) {
  Moments moments;
  double count[2] = {};
  for (std::size_t trial = part.first; trial < part.last; ++trial) {
    const int bit = bits[trial];
    const double x = view.row(trial)[column], before = x - moments.mean[bit];
    moments.mean[bit] += before / ++count[bit];
    moments.variance[bit] += before * (x - moments.mean[bit]);
  }
  for (int bit : {0, 1}) moments.variance[bit] /= std::max(1.0, count[bit] - 1);
  return moments;
}

// The columns that differ most between the sides.
std::vector<std::size_t> most_different_columns(const View& view, std::span<const std::uint8_t> bits,
                                                Part part, std::size_t most) {
  std::vector<std::size_t> columns(view.columns());
  std::iota(columns.begin(), columns.end(), std::size_t{0});
  if (columns.size() <= most) return columns;
  std::vector<double> contrast;
  for (std::size_t column : columns) contrast.push_back(moments_of(view, bits, part, column).contrast());
  std::ranges::stable_sort(columns, std::greater{}, [&](std::size_t column) { return contrast[column]; });
  columns.resize(most);
  return columns;
}

// Solves (matrix + ridge on the diagonal, relative to `scales`) x = right.
Vector solve(Eigen::MatrixXd matrix, const Vector& scales, double ridge, const Vector& right) {
  for (Eigen::Index i = 0; i < matrix.rows(); ++i) matrix(i, i) += ridge * scales[i] + 1e-290;
  return solve_symmetric(matrix, right);
}

}  // namespace

Score learn_linear(const View& view, std::span<const std::uint8_t> bits, Part part) {
  part = training_part(part);
  const std::vector<std::size_t> columns = most_different_columns(view, bits, part, kMostColumns);
  const auto size = static_cast<Eigen::Index>(columns.size());
  Vector means[2] = {Vector::Zero(size), Vector::Zero(size)};
  double count[2] = {};
  const auto numbers = [columns, size](std::span<const double> row) {
    Vector x(size);
    for (Eigen::Index i = 0; i < size; ++i) x[i] = row[columns[static_cast<std::size_t>(i)]];
    return x;
  };
  for (std::size_t trial = part.first; trial < part.last; ++trial) {
    means[bits[trial]] += numbers(view.row(trial));
    ++count[bits[trial]];
  }
  for (int bit : {0, 1}) means[bit] /= std::max(1.0, count[bit]);
  Eigen::MatrixXd within = Eigen::MatrixXd::Zero(size, size);
  for (std::size_t trial = part.first; trial < part.last; ++trial) {
    const Vector off = numbers(view.row(trial)) - means[bits[trial]];
    within.selfadjointView<Eigen::Lower>().rankUpdate(off);
  }
  within = Eigen::MatrixXd(within.selfadjointView<Eigen::Lower>()) / static_cast<double>(part.size());
  const Vector apart = means[1] - means[0];
  const Vector scales = within.diagonal() + Vector(apart.cwiseAbs2());
  const Vector weights = solve(within, scales, 1e-12, apart);
  const double middle = weights.dot(means[0] + means[1]) / 2;
  return [=](std::span<const double> row) { return weights.dot(numbers(row)) - middle; };
}

Score learn_shape(const View& view, std::span<const std::uint8_t> bits, Part part) {
  constexpr std::size_t kMost = 20, kMostProducts = 6;
  constexpr double kFar = 6;  // standard deviations at which values are clamped: noise has long tails
  part = training_part(part);
  const std::vector<std::size_t> columns = most_different_columns(view, bits, part, kMost);
  std::vector<double> centres, scales;
  for (std::size_t column : columns) {
    const Moments moments = moments_of(view, bits, part, column);
    centres.push_back((moments.mean[0] + moments.mean[1]) / 2);
    scales.push_back(std::sqrt(moments.pooled()) + std::abs(moments.mean[1] - moments.mean[0]) + 1e-300);
  }
  const std::size_t products = columns.size() <= kMostProducts ? columns.size() : 0;
  const auto size = static_cast<Eigen::Index>(1 + 3 * columns.size() + products * (products - 1) / 2);
  const auto features = [=](std::span<const double> row) {
    Vector x = Vector::Zero(size);
    Eigen::Index next = 0;
    x[next++] = 1;
    std::vector<double> z(columns.size());
    for (std::size_t i = 0; i < columns.size(); ++i) {
      z[i] = std::clamp((row[columns[i]] - centres[i]) / scales[i], -kFar, kFar);
      x[next++] = z[i];
      x[next++] = std::abs(z[i]);
      x[next++] = z[i] * z[i];
    }
    for (std::size_t i = 0; i < products; ++i)
      for (std::size_t j = i + 1; j < products; ++j) x[next++] = z[i] * z[j];
    return x;
  };
  Matrix rows(static_cast<Eigen::Index>(part.size()), size);
  for (std::size_t trial = part.first; trial < part.last; ++trial)
    rows.row(static_cast<Eigen::Index>(trial - part.first)) = features(view.row(trial)).transpose();

  // Newton's method, with a ridge that keeps it finite if the sides are separable.
  Vector weights = Vector::Zero(size);
  for (int step = 0; step < 12; ++step) {
    Eigen::MatrixXd curvature = Eigen::MatrixXd::Zero(size, size);
    Vector slope = -1e-2 * weights;
    for (Eigen::Index i = 0; i < rows.rows(); ++i) {
      const double p = 1 / (1 + std::exp(-rows.row(i).dot(weights)));
      slope += (bits[part.first + static_cast<std::size_t>(i)] - p) * rows.row(i).transpose();
      curvature.selfadjointView<Eigen::Lower>().rankUpdate(Vector(rows.row(i).transpose()),
                                                           std::max(p * (1 - p), 1e-6));
    }
    const Vector move =
        solve(Eigen::MatrixXd(curvature.selfadjointView<Eigen::Lower>()), Vector::Ones(size), 1e-2, slope);
    weights += move * std::min(1.0, 8 / std::max(move.norm(), 1e-300));
    if (move.norm() < 1e-6) break;
  }
  return [=](std::span<const double> row) { return features(row).dot(weights); };
}

namespace {

constexpr int kLowest = 128;  // kinds of lowest bits: exponents -100 .. 26, and zero

// The exponent of the lowest bit set: x is an odd multiple of 2 to this power.
std::size_t lowest_bit(double x) {
  if (x == 0 || !std::isfinite(x)) return kLowest - 1;
  int exponent = 0;
  const double significand = std::frexp(x, &exponent);
  const auto whole = static_cast<std::uint64_t>(std::abs(std::ldexp(significand, 53)));
  return static_cast<std::size_t>(std::clamp(exponent - 53 + std::countr_zero(whole), -100, 26) + 100);
}

}  // namespace

Score learn_low_bits(const View& view, std::span<const std::uint8_t> bits, Part part) {
  constexpr std::size_t kColumns = 16;
  const std::size_t columns = std::min(kColumns, view.columns());
  using Ratios = std::array<double, kLowest>;
  std::vector<Ratios> ratios;
  for (std::size_t column = 0; column < columns; ++column) {
    std::array<std::array<double, kLowest>, 2> counts;
    for (auto& side : counts) side.fill(1);  // so that unseen values have little weight
    for (std::size_t trial = part.first; trial < part.last; ++trial)
      ++counts[bits[trial]][lowest_bit(view.row(trial)[column])];
    Ratios& of_column = ratios.emplace_back();
    for (std::size_t kind = 0; kind < kLowest; ++kind)
      of_column[kind] = std::log(counts[1][kind] / counts[0][kind]);
  }
  return [ratios](std::span<const double> row) {
    double sum = 0;
    for (std::size_t column = 0; column < ratios.size(); ++column)
      sum += ratios[column][lowest_bit(row[column])];
    return sum;
  };
}

}  // namespace tulle::attacks
