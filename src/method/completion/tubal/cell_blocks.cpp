#include "cell_blocks.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace tulle {
namespace {

Shape shape_of(const std::vector<Index>& sizes) {
  return Shape(std::vector<std::uint64_t>(sizes.begin(), sizes.end()));
}

// How the entries of a block differ, modelled on pixels of a video (frames 101 to 140 of suzie, from single
// pixels up to 24 x 24 x 20; within a fifth of the truth). Along one mode half the mean squared difference in
// a run grows with a power of its length; several modes add up to less than their sum, since far is far in
// any direction; and no two entries are more unlike than any two.
double within_run(double length) {
  return 0.32 * (std::pow(length, 1.3) - 1);
}
constexpr double kSum = 1.4;  // the norm by which modes add up

// Interpolation between the middles of blocks takes this share of the error of steps, and fitting a model
// this share of the noise; measured on the same video.
constexpr double kAfterInterpolation = 0.77, kAfterFit = 0.6;

// E[1 / c^2 | c > 0] and P(c = 0) for the number c of observed cells among `cells`: binomial.
struct CellCounts {
  double inverse_square, none;
};

CellCounts counts_of(double cells, double observed) {
  constexpr double kFew = 64;
  if (observed >= 1) return {1 / (cells * cells), 0};
  if (cells > kFew) return {1 / std::pow(cells * observed, 2), std::pow(1 - observed, cells)};
  const int n = std::max(1, static_cast<int>(std::lround(cells)));
  double probability = std::pow(1 - observed, n);  // of c, from 0 upwards
  CellCounts counts{0, probability};
  for (int c = 1; c <= n; ++c) {
    probability *= observed / (1 - observed) * (n - c + 1) / c;
    counts.inverse_square += probability / (static_cast<double>(c) * c);
  }
  counts.inverse_square /= 1 - counts.none;
  return counts;
}

class Search {
 public:
  Search(const Shape& cells, double observed, double noise_variance, const Unlikeness& unlike)
      : cells_(cells), observed_(observed), noise_variance_(noise_variance), unlike_(unlike) {}

  // Optimises mode by mode until nothing improves, from several starts, because there are local minima.
  std::vector<Index> best() const {
    std::vector<Index> best(cells_.dimensions().begin(), cells_.dimensions().end());
    double least = std::numeric_limits<double>::infinity();
    for (Index start : {1u, 2u, 4u, 16u, std::numeric_limits<Index>::max()}) {
      std::vector<Index> runs;
      for (int mode = 0; mode < cells_.order(); ++mode)
        runs.push_back(may_cut(mode) ? runs_of_length(mode, start) : cells_[mode]);
      const double error = descend(runs);
      if (error < least) least = error, best = runs;
    }
    return best;
  }

 private:
  bool may_cut(int mode) const { return std::isfinite(unlike_.per_step[static_cast<std::size_t>(mode)]); }

  Index runs_of_length(int mode, Index length) const {
    return static_cast<Index>((std::uint64_t{cells_[mode]} + length - 1) / length);
  }

  double descend(std::vector<Index>& runs) const {
    double least = error(runs);
    for (bool better = true; better;) {
      better = false;
      for (int mode = 0; mode < cells_.order(); ++mode) {
        if (!may_cut(mode)) continue;
        for (Index length = 1;; length += 1 + length / 4) {
          std::vector<Index> other = runs;
          other[static_cast<std::size_t>(mode)] = runs_of_length(mode, length);
          if (const double e = error(other); e < least) least = e, runs = other, better = true;
          if (length >= cells_[mode]) break;
        }
      }
    }
    return least;
  }

  // The mean squared error of a cell: its distance from the block's mean, the noise of that mean, and for
  // blocks without an observed cell the error of interpolating between their neighbours.
  double error(const std::vector<Index>& runs) const {
    double sum = 0, nearest = unlike_.apart, size = 1;
    for (std::size_t mode = 0; mode < runs.size(); ++mode) {
      if (!may_cut(static_cast<int>(mode))) continue;
      const double length = static_cast<double>(cells_[static_cast<int>(mode)]) / runs[mode];
      sum += std::pow(unlike_.per_step[mode] * within_run(length), kSum);
      nearest = std::min(nearest, 2 * unlike_.per_step[mode] * length);
      size *= length;
    }
    const double within = unlike_.apart * -std::expm1(-std::pow(sum, 1 / kSum) / unlike_.apart);
    const CellCounts counts = counts_of(size, observed_);
    return kAfterInterpolation * within + kAfterFit * counts.inverse_square * noise_variance_ +
           counts.none * nearest;
  }

  const Shape& cells_;
  double observed_, noise_variance_;
  const Unlikeness& unlike_;
};

}  // namespace

CellBlocks::CellBlocks(const Shape& cells, const std::vector<Index>& runs)
    : cells_(cells), shape_(shape_of(runs)) {}

Index CellBlocks::run_of(int mode, Index position) const {
  return static_cast<Index>(std::uint64_t{position} * shape_[mode] / cells_[mode]);
}

std::size_t CellBlocks::block_of(const Cells& cells, std::size_t entry) const {
  std::size_t block = 0;
  for (int mode = 0; mode < shape_.order(); ++mode)
    block = block * shape_[mode] + run_of(mode, cells(entry, mode));
  return block;
}

Matrix CellBlocks::interpolation(int mode) const {
  const Index positions = cells_[mode], runs = shape_[mode];
  std::vector<double> middles(runs), counts(runs);
  for (Index position = 0; position < positions; ++position)
    middles[run_of(mode, position)] += position, ++counts[run_of(mode, position)];
  for (Index run = 0; run < runs; ++run) middles[run] /= counts[run];
  Matrix matrix = Matrix::Zero(positions, runs);
  for (Index position = 0; position < positions; ++position) {
    const auto above = static_cast<Index>(std::upper_bound(middles.begin(), middles.end(), double(position)) -
                                          middles.begin());
    if (above == 0 || above == runs) {
      matrix(position, above == 0 ? 0 : runs - 1) = 1;
      continue;
    }
    const double share = (position - middles[above - 1]) / (middles[above] - middles[above - 1]);
    matrix(position, above) = share;
    matrix(position, above - 1) = 1 - share;
  }
  return matrix;
}

CellBlocks best_blocks(const Shape& cells, double observed, double noise_variance, const Unlikeness& unlike) {
  return {cells, Search(cells, observed, noise_variance, unlike).best()};
}

}  // namespace tulle
