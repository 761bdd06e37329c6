#include "als_sweeps.hpp"

#include "estimate/shrunk_solve.hpp"

#include <tulle/base/error.hpp>
#include <tulle/base/random.hpp>
#include <tulle/base/unit_blocks.hpp>

namespace tulle {

EntrySweeps::EntrySweeps(const Cells& cells, const Range& range, Vector expected, int rank, double spread,
                         std::uint64_t seed, std::size_t block_size)
    : cells_(&cells),
      range_(range),
      expected_(expected.array() - range.middle()),
      rank_(rank),
      spread_(spread),
      block_size_(block_size) {
  Random random(seed, 1);
  for (int mode = 0; mode < cells_->order(); ++mode) {
    groups_.emplace_back(*cells_, mode);
    Matrix factor(static_cast<Eigen::Index>(cells_->shape()[mode]), rank);
    for (double& entry : factor.reshaped<Eigen::RowMajor>()) entry = random.normal();
    factors_.push_back(std::move(factor));
  }
}

Vector EntrySweeps::others(std::size_t cell, int mode) const {
  Vector product = Vector::Ones(rank_);
  for (int other = 0; other < cells_->order(); ++other)
    if (other != mode) product.array() *= factors_[other].row((*cells_)(cell, other)).transpose().array();
  return product;
}

double EntrySweeps::longest(int mode, bool l1) const {
  double length = 0;
#pragma omp parallel for reduction(max : length)
  for (std::size_t cell = 0; cell < cells_->size(); ++cell) {
    const Vector h = others(cell, mode);
    length = std::max(length, l1 ? h.lpNorm<1>() : h.norm());
  }
  return length * (1 + 1e-9);
}

template <class Term>
Matrix EntrySweeps::add_up(int mode, std::size_t begin, std::size_t end, Term&& term) const {
  Matrix sums = Matrix::Zero(factors_[mode].rows(), rank_);
#pragma omp parallel for schedule(dynamic, 16)
  for (std::size_t i = 0; i < groups_[mode].positions(); ++i)
    for (std::size_t cell : groups_[mode].cells(i, begin, end)) {
      const Vector h = others(cell, mode);
      for (int r = 0; r < rank_; ++r) sums(static_cast<Eigen::Index>(i), r) += term(cell, h[r]);
    }
  return sums;
}

SumGrid EntrySweeps::grid_for(double longest) const {
  return {range_.width() / 2 * longest, static_cast<double>(cells_->size())};
}

Matrix EntrySweeps::right_sides(const SparseTensor& observed, int mode, double longest) const {
  const SumGrid grid = grid_for(longest);
  return add_up_blocks(cells_->size(), block_size_, [&](std::size_t begin, std::size_t end) {
    return add_up(mode, begin, end, [&](std::size_t cell, double h) {
      return grid.round(range_.centred(observed.values()[cell]) * h);
    });
  });
}

// Neighbours differ in the value of one cell, by the largest change. It is in the right-hand side of one
// position alone, which changes by h times as much, and by two steps of the grid in each of its numbers; h is
// made of earlier releases. So the whole release changes by at most this change x the longest h, and those
// steps. The expected values of the cells are public too and are subtracted afterwards.
std::optional<Release> EntrySweeps::update(const PrivateTensor& data, int mode, bool l1,
                                           const SweepNoise& noise, Curator& curator) {
  const double length = longest(mode, l1);
  if (length == 0) return {};
  const double steps = 2 * (l1 ? rank_ : std::sqrt(rank_)) * grid_for(length).step();
  const AdditiveNoise added =
      noise(length + steps / data.largest_change(), static_cast<std::uint64_t>(factors_[mode].size()));
  Noisy released =
      curator.release(data.observed(), added, fmt::format("right-hand sides of mode {}", mode + 1),
                      [&](const SparseTensor& entries) {
                        const Matrix right = right_sides(entries, mode, length);
                        return std::vector<double>(right.data(), right.data() + right.size());
                      });
  Release release = Release::of(kRightSides, curator, std::move(released));
  release.chosen = {static_cast<double>(mode)};
  take(release);
  return release;
}

void EntrySweeps::take(const Release& released) {
  const double stated = released.chosen.empty() ? -1 : released.chosen.front();
  if (!(stated >= 0 && stated < cells_->order()) ||
      released.values.size() != static_cast<std::size_t>(factors_[static_cast<std::size_t>(stated)].size()))
    fail("release '{}' is not of a mode of this tensor; it cannot be refitted", released.id);
  const int mode = static_cast<int>(stated);
  const Matrix expected =
      add_up(mode, 0, cells_->size(), [&](std::size_t cell, double h) { return expected_[cell] * h; });
  solve(mode, Eigen::Map<const Matrix>(released.values.data(), factors_[mode].rows(), rank_) - expected,
        released.deviation);
}

// All rows of a mode share one variance, the moment estimate. It is 0 if the right-hand sides are no longer
// than noise alone would make them: then the factor of the mode is zero, and the sweeps add nothing.
void EntrySweeps::solve(int mode, const Matrix& right, double deviation) {
  const Eigen::Index positions = factors_[mode].rows();
  std::vector<NoisyEquations> equations(static_cast<std::size_t>(positions));
#pragma omp parallel for schedule(dynamic, 16)
  for (Eigen::Index i = 0; i < positions; ++i) {
    Eigen::MatrixXd left = Eigen::MatrixXd::Zero(rank_, rank_);
    for (std::size_t cell : groups_[mode].cells(static_cast<std::size_t>(i))) {
      const Vector h = others(cell, mode);
      left += h * h.transpose();
    }
    equations[static_cast<std::size_t>(i)] = NoisyEquations(left, right.row(i).transpose());
  }
  double excess = 0, squares = 0;
  for (const NoisyEquations& row : equations) {
    excess += row.excess(spread_, deviation);
    squares += row.squares();
  }
  const double variance = std::max(excess, 0.0) / std::max(squares, 1e-300);
  for (Eigen::Index i = 0; i < positions; ++i)
    factors_[mode].row(i) =
        equations[static_cast<std::size_t>(i)].solve(spread_, deviation, variance).transpose();
}

}  // namespace tulle
