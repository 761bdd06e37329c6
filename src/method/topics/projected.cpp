#include "projected.hpp"

#include "cube_sum.hpp"
#include "word_moments.hpp"

#include <tulle/tensor/symmetric.hpp>

#include <algorithm>
#include <cmath>

namespace tulle {

ClippedRows clip_rows(const Matrix& whiten, double bound) {
  constexpr double kRoundingUp = 1 + 0x1p-40;
  ClippedRows clipped{whiten, bound};
  for (Eigen::Index row = 0; row < whiten.rows(); ++row)
    clipped.rows.row(row) /= std::max(whiten.row(row).norm(), bound) * kRoundingUp;
  return clipped;
}

double best_bound(const Matrix& whiten, const Vector& shares, double noise) {
  const Vector lengths = whiten.rowwise().norm();
  std::vector<double> sorted(lengths.begin(), lengths.end());
  std::ranges::sort(sorted);
  const double numbers = static_cast<double>(triple_cells(static_cast<std::size_t>(whiten.cols())));
  const auto cost = [&](double bound) {
    double cut = 0;
    for (Eigen::Index word = 0; word < lengths.size(); ++word)
      if (lengths[word] > bound)
        cut += std::max(shares[word], 0.0) * (std::pow(lengths[word], 3) - std::pow(bound, 3));
    return std::pow(cut, 2) + numbers * std::pow(noise * std::pow(bound, 3), 2);
  };
  constexpr std::size_t kCandidates = 64;
  double best = sorted.back(), least = cost(best);
  for (std::size_t i = 1; i < kCandidates; ++i) {
    const double bound = sorted[(sorted.size() - 1) * i / kCandidates];
    if (!(bound > 0)) continue;
    if (const double here = cost(bound); here < least) {
      best = bound;
      least = here;
    }
  }
  return best;
}

std::vector<double> isometric(const Cube& symmetric) {
  const auto size = static_cast<std::size_t>(symmetric.rows());
  std::vector<double> cells(triple_cells(size));
  for_each_triple(size, [&](std::size_t cell, std::size_t a, std::size_t b, std::size_t c) {
    cells[cell] = std::sqrt(orders_of(a, b, c)) * symmetric(a, b * size + c);
  });
  return cells;
}

Cube cube_of(std::span<const double> isometric_cells, Eigen::Index size) {
  const auto count = static_cast<std::size_t>(size);
  Cube cube = Cube::Zero(size, size * size);
  // Fills one order of each cell; the mean over all orders then fills the others with their share.
  for_each_triple(count, [&](std::size_t cell, std::size_t a, std::size_t b, std::size_t c) {
    cube(a, b * count + c) = std::sqrt(orders_of(a, b, c)) * isometric_cells[cell];
  });
  return symmetrised(cube);
}

double replaced_cube(const TopicRequest& request, Eigen::Index size) {
  const std::uint64_t terms = request.length == 3u || request.mixture() ? 1 : kMostWordsOfADocument + 1;
  return 2 + rounding_of_sums(request.documents * terms, static_cast<std::uint64_t>(size) *
                                                             static_cast<std::uint64_t>(size) *
                                                             static_cast<std::uint64_t>(size));
}

}  // namespace tulle
