// Sequential private ridge regression: methods output and factor.
//
// Unit, relation:  entry, replace. Public: shape, positions, range, options.
// Releases:        1. the sums of standardised values and of their squares: change by 2 and 1, that is 3 in
//                  L1, sqrt(5) in L2, and 2 steps each. 2. per block of the model, right-hand sides: change
//                  by 2 max |h|, in L1 or L2, and 2 steps per number; h follows from earlier releases.
// After that free: the matrices of the equations (public), variances, shrinkage.
// Cost:            O(entries x rank^2) per block.
#include "private_ridge.hpp"

#include <tulle/base/chunks.hpp>
#include <tulle/base/error.hpp>
#include <tulle/base/random.hpp>
#include <tulle/base/sum_grid.hpp>
#include <tulle/tensor/decompositions.hpp>
#include <tulle/tensor/group_entries.hpp>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace tulle {

namespace {

constexpr double kShareOfMoments = 0.02;
constexpr double kLargestNumber = 1e30;  // of a piece, where values are about 1
constexpr double kLongestRow = 1.5;      // of the average: a few long rows would make all noise larger

}  // namespace

RidgeNoise RidgeNoise::planned(const PrivateRequest& request, int right_hand_sides, Curator& curator) {
  const bool gaussian = request.terms.budget.delta > 0;
  const Loss loss = gaussian ? Loss::gaussian : Loss::pure;
  const double share = (1 - kShareOfMoments) / right_hand_sides;
  const std::vector<double> noise =
      curator.plan({{.loss = loss, .share = kShareOfMoments},
                    {.loss = loss, .share = share, .count = static_cast<std::uint64_t>(right_hand_sides)}});
  return {gaussian, noise[0], noise[1]};
}

AdditiveNoise RidgeNoise::noise(double parameter, double l1, double l2, std::uint64_t numbers,
                                Relation relation) const {
  return gaussian ? AdditiveNoise::gaussian(Sensitivity::l2(l2, Unit::entry, relation), parameter, numbers)
                  : AdditiveNoise::laplace(Sensitivity::l1(l1, Unit::entry, relation), parameter, numbers);
}

struct PrivateRidge::Rows {
  std::vector<std::size_t> entries;  // row after row
  std::vector<std::size_t> starts;
};

PrivateRidge::~PrivateRidge() = default;

PrivateRidge::PrivateRidge(const PrivateRequest& request, const ModelLayout& layout, const RidgeNoise& noise,
                           Curator& curator)
    : request_(request),
      cells_(request.data.positions()),
      curator_(curator),
      layout_(layout),
      standard_(standard_of(request.data.range())),
      noise_(noise),
      numbers_(layout.size()),
      rows_(static_cast<std::size_t>(pieces())) {
  Random random(request.fit.seed);
  for (double& number : numbers_) number = random.chance(0.5) ? 1 : -1;
  release_moments();
}

// A standardised value lies between -1 and 1: their sum changes by at most 2, the sum of their squares by at
// most 1, and each by two steps of the grid.
void PrivateRidge::release_moments() {
  const auto count = static_cast<double>(cells_.size());
  const Range& range = request_.data.range();
  const SumGrid grid(1, count);
  const double rounding = 4 * grid.step();
  const Noisy sums = curator_.release(
      request_.data.observed(),
      noise_.noise(noise_.moments, 3 + rounding, std::sqrt(5.0) + rounding, 2, request_.relation),
      "sum of the values and of their squares", [&](const SparseTensor& observed) {
        std::vector<double> moments(2);
        for (float value : observed.values()) {
          const double y = range.centred(value) / standard_.scale;
          moments[0] += grid.round(y);
          moments[1] += grid.round(y * y);
        }
        return moments;
      });
  const double mean = std::clamp(sums.values[0] / count, -1.0, 1.0);
  variance_ = std::clamp(sums.values[1] / count - mean * mean, 1e-6, 1.0);
  standard_.level += mean * standard_.scale;
}

std::size_t PrivateRidge::columns(int piece) const {
  return piece < layout_.order() ? layout_.columns(piece) : layout_.core_size();
}

std::size_t PrivateRidge::start(int piece) const {
  return piece < layout_.order() ? layout_.start(piece) : layout_.core_start();
}

std::span<const double> PrivateRidge::derivative(int piece, std::size_t entry, CellGradient& cell) const {
  cell.at(numbers_.data(), cells_.cell(entry));
  return piece < layout_.order() ? cell.row(piece) : cell.core();
}

const PrivateRidge::Rows& PrivateRidge::rows(int piece) {
  Rows& rows = rows_[static_cast<std::size_t>(piece)];
  if (!rows.starts.empty()) return rows;
  rows.entries.resize(cells_.size());
  if (piece == layout_.order()) {  // every cell belongs to the core
    std::iota(rows.entries.begin(), rows.entries.end(), std::size_t{0});
    rows.starts = {0, cells_.size()};
    return rows;
  }
  rows.starts = group_entries(
      cells_.size(), layout_.shape()[piece], [&](std::size_t entry) { return cells_(entry, piece); },
      [&](std::size_t entry, std::size_t place) { rows.entries[place] = entry; });
  return rows;
}

// Standardised values less a mean that was released: at most 2.
SumGrid PrivateRidge::grid_for(double longest) const {
  return {2 * longest, static_cast<double>(cells_.size())};
}

std::vector<double> PrivateRidge::right_hand_sides(int piece, const SparseTensor& observed, double longest) {
  const Rows& of = rows(piece);
  const std::size_t size = columns(piece), count = of.starts.size() - 1;
  const SumGrid grid = grid_for(longest);
  std::vector<double> sums(count * size);
#pragma omp parallel for schedule(dynamic, 16) if (count > 1)
  for (std::size_t row = 0; row < count; ++row) {
    CellGradient cell(layout_);
    double* const sum = sums.data() + row * size;
    for (std::size_t at = of.starts[row]; at < of.starts[row + 1]; ++at) {
      const auto h = derivative(piece, of.entries[at], cell);
      const double value = (observed.values()[of.entries[at]] - standard_.level) / standard_.scale;
      for (std::size_t p = 0; p < size; ++p) sum[p] += grid.round(value * h[p]);
    }
  }
  return sums;
}

struct PrivateRidge::Matrices {
  std::vector<Eigendecomposition> rows;   // of each row
  double longest_l1 = 0, longest_l2 = 0;  // derivative of all
};

PrivateRidge::Matrices PrivateRidge::matrices_of(int piece) {
  const Rows& of = rows(piece);
  const std::size_t count = of.starts.size() - 1;
  const auto width = static_cast<Eigen::Index>(columns(piece));
  Matrices result{std::vector<Eigendecomposition>(count)};
  std::vector<double> longest_l1(count), longest_l2(count);
#pragma omp parallel for schedule(dynamic, 16) if (count > 1)
  for (std::size_t row = 0; row < count; ++row) {
    CellGradient cell(layout_);
    Eigen::MatrixXd matrix = Eigen::MatrixXd::Zero(width, width);
    for (std::size_t at = of.starts[row]; at < of.starts[row + 1]; ++at) {
      const Eigen::Map<const Vector> h(derivative(piece, of.entries[at], cell).data(), width);
      matrix.noalias() += h * h.transpose();
      longest_l1[row] = std::max(longest_l1[row], h.lpNorm<1>());
      longest_l2[row] = std::max(longest_l2[row], h.norm());
    }
    result.rows[row] = eigendecomposition(matrix);
  }
  result.longest_l1 = std::max(*std::ranges::max_element(longest_l1) * (1 + 1e-9), 1e-12);
  result.longest_l2 = std::max(*std::ranges::max_element(longest_l2) * (1 + 1e-9), 1e-12);
  return result;
}

// Sensitivity, unit entry under replace: a value changes by at most the width of the range, 2 in standardised
// values; it belongs to one row, whose right-hand side changes by 2 h_e and by two steps of the grid in each
// number. So all rows together change by no more than 2 max_e |h_e| + that, in L2 and in L1 alike.
Noisy PrivateRidge::release_right_hand_sides(int piece, double l1, double l2) {
  const std::size_t size = columns(piece);
  const std::uint64_t numbers = (rows(piece).starts.size() - 1) * size;
  const double step = grid_for(l2).step(), coordinates = static_cast<double>(size);
  const AdditiveNoise noise =
      noise_.noise(noise_.right_hand_side, 2 * (l1 + coordinates * step),
                   2 * (l2 + std::sqrt(coordinates) * step), numbers, request_.relation);
  const Noisy right =
      curator_.release(request_.data.observed(), noise,
                       piece < layout_.order() ? fmt::format("right-hand sides of mode {}", piece + 1)
                                               : std::string("right-hand side of the core"),
                       [&](const SparseTensor& observed) { return right_hand_sides(piece, observed, l2); });
  return right;
}

// r = L a + (errors of the cells: variance s^2 L) + (noise: variance v). In the directions of L, where it is
// l: E r^2 = l^2 t + s^2 l + v if the numbers have the variance t. The variance of the values that they do
// not explain is error: s^2 = variance - t |h|^2 on average. That gives t by moments, and with it the best
// linear estimate a = t l / (t l^2 + s^2 l + v) r.
void PrivateRidge::fit(int piece, bool last) {
  const Matrices matrices = matrices_of(piece);
  const Noisy right = release_right_hand_sides(piece, matrices.longest_l1, matrices.longest_l2);
  const std::size_t size = columns(piece), count = matrices.rows.size();
  const auto width = static_cast<Eigen::Index>(size);
  const double v = right.deviation * right.deviation;
  std::vector<Vector> turned(count);
  double squares = 0, sum_l = 0, sum_l2 = 0;
  for (std::size_t row = 0; row < count; ++row) {
    const Eigendecomposition& matrix = matrices.rows[row];
    turned[row] =
        matrix.vectors.transpose() * Eigen::Map<const Vector>(right.values.data() + row * size, width);
    squares += turned[row].squaredNorm();
    sum_l += matrix.values.cwiseMax(0).sum();
    sum_l2 += matrix.values.cwiseMax(0).squaredNorm();
  }
  const double length = sum_l / static_cast<double>(rows(piece).entries.size());  // mean |h|^2
  double t = (squares - variance_ * sum_l - static_cast<double>(count * size) * v) /
             std::max(sum_l2 - length * sum_l, 1e-300);
  // Random directions explain no more than chance would have them, even where there is something to explain.
  if (!last) t = std::max(t, variance_ / 2 / std::max(length, 1e-300));
  if (!(t > 0)) return clear(piece);
  const double s2 = std::max(variance_ - t * length, variance_ / 10);
  for (std::size_t row = 0; row < count; ++row) {
    for (Eigen::Index p = 0; p < width; ++p) {
      const double l = std::max(0.0, matrices.rows[row].values[p]);
      turned[row][p] *= t * l / (t * l * l + s2 * l + v + 1e-300);
    }
    Eigen::Map<Vector>(numbers_.data() + start(piece) + row * size, width) =
        matrices.rows[row].vectors * turned[row];
  }
  // A few entries under much noise determine almost nothing, and products of such parameters overflow.
  const auto first = numbers_.begin() + static_cast<std::ptrdiff_t>(start(piece));
  const auto is_usable = [](double number) { return std::abs(number) <= kLargestNumber; };
  if (!std::all_of(first, first + static_cast<std::ptrdiff_t>(count * size), is_usable)) clear(piece);
}

void PrivateRidge::normalise(int piece) {
  if (piece == layout_.order()) return;
  const std::size_t size = columns(piece), count = layout_.shape()[piece];
  for (std::size_t p = 0; p < size; ++p) {
    double squares = 0;
    for (std::size_t i = 0; i < count; ++i) squares += std::pow(numbers_[start(piece) + i * size + p], 2);
    if (squares == 0) continue;
    const double by = std::sqrt(static_cast<double>(count) / squares);
    for (std::size_t i = 0; i < count; ++i) numbers_[start(piece) + i * size + p] *= by;
  }
  for (std::size_t i = 0; i < count; ++i) {
    Eigen::Map<Vector> row(numbers_.data() + start(piece) + i * size, static_cast<Eigen::Index>(size));
    row *= std::min(1.0, kLongestRow * std::sqrt(static_cast<double>(size)) / std::max(row.norm(), 1e-300));
  }
}

void PrivateRidge::clear(int piece) {
  const std::size_t size = piece < layout_.order() ? layout_.factor_size(piece) : layout_.core_size();
  std::fill_n(numbers_.begin() + static_cast<std::ptrdiff_t>(start(piece)), size, 0.0);
}

Model PrivateRidge::model() const {
  return to_model(layout_, numbers_, standard_.level, standard_.scale);
}

}  // namespace tulle
