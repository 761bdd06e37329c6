#include "completion/entry/als_sweeps.hpp"

#include <tulle/data/generate.hpp>
#include <tulle/tensor/decompositions.hpp>

#include <gtest/gtest.h>

#include <cmath>

namespace tulle {
namespace {

// Without noise a sweep is alternating least squares with a ridge: the same for all rows, and the normal
// equations hold.
TEST(EntrySweeps, WithoutNoiseSolveTheNormalEquations) {
  for (const Shape& shape : {Shape{9, 8}, Shape{8, 7, 6}, Shape{6, 5, 4, 3}}) {
    const SparseTensor observed = observe(generate_cp(shape, 2, 1, 100).noisy, 0.8, 2);
    const PrivateTensor data(observed, {-10, 10}, {Unit::entry, Relation::replace});
    const auto expected = static_cast<Eigen::Index>(observed.size());
    const double spread = 0.01;
    EntrySweeps sweeps(data.positions(), data.range(), Vector::Constant(expected, 0.3), 2, spread, 1);
    Curator curator = Curator::without_privacy();
    for (int mode = 0; mode < shape.order(); ++mode) {
      const std::vector<Matrix> before = sweeps.factors();
      sweeps.update(
          data, mode, false,
          [](double length, std::uint64_t numbers) {
            return AdditiveNoise::gaussian(Sensitivity::l2(length, Unit::entry, Relation::replace), 1,
                                           numbers);
          },
          curator);
      std::vector<Eigen::MatrixXd> left(shape[mode], Eigen::MatrixXd::Zero(2, 2));
      std::vector<Vector> right(shape[mode], Vector::Zero(2));
      for (std::size_t cell = 0; cell < observed.size(); ++cell) {
        Vector h = Vector::Ones(2);
        for (int other = 0; other < shape.order(); ++other)
          if (other != mode)
            h.array() *= before[other].row(observed.cells()(cell, other)).transpose().array();
        const Index i = observed.cells()(cell, mode);
        left[i] += h * h.transpose();
        right[i] += (observed.values()[cell] - 0.3) * h;
      }
      double excess = 0, squares = 0;
      for (std::size_t i = 0; i < left.size(); ++i) {
        excess += right[i].squaredNorm() - spread * left[i].trace();
        squares += left[i].squaredNorm();
      }
      ASSERT_GT(excess, 0);
      const double ridge = spread * squares / excess;
      for (std::size_t i = 0; i < left.size(); ++i) {
        left[i].diagonal().array() += ridge;
        const Vector solved = solve_symmetric(left[i], right[i]);
        EXPECT_LT((sweeps.factors()[mode].row(i).transpose() - solved).norm(), 1e-8);
      }
    }
  }
}

// One row of cells with terms h x value: at first |h| each, up to the cell at which their sum passes 2^12,
// which is the one that changes; then 0.6 units in the last place of that sum each (solve/absorbing_sum.hpp).
TEST(EntrySweeps, OneValueChangesALongRightHandSideByAtMostItsSensitivity) {
  constexpr Index kCells = 30'000;
  SparseTensor row(Shape{1, kCells}, Unlisted::missing);
  for (Index j = 0; j < kCells; ++j) row.append(std::array<Index, 2>{0, j}, 0);
  const PrivateTensor data(row, {-1, 1}, {Unit::entry, Relation::replace});
  const EntrySweeps sweeps(data.positions(), data.range(), Vector::Zero(kCells), 1, 1, 1);
  const Vector h = sweeps.factors()[1].col(0);
  const double longest = h.cwiseAbs().maxCoeff();
  double sum = 0;
  Index changes = 0;
  for (Index j = 0; j < kCells; ++j) {
    const bool large = sum < 0x1p12;
    if (large) changes = j;
    sum += std::abs(h[j]);
    const double term = large ? std::abs(h[j]) : std::ldexp(1.2, 12 - 53);
    row.values()[j] = static_cast<float>(std::min(term / std::abs(h[j]), 1.0) * (h[j] < 0 ? -1 : 1));
  }
  const Matrix one = sweeps.right_sides(row, 0, longest);
  row.values()[changes] = -row.values()[changes];
  const Matrix other = sweeps.right_sides(row, 0, longest);
  EXPECT_LE((one - other).norm(), 2 * std::abs(h[changes]) + 2 * sweeps.grid_for(longest).step());
}

// Where a factor has become zero there is nothing to fit, and nothing is released.
TEST(EntrySweeps, ReleaseNothingForComponentsThatAreZero) {
  const SparseTensor observed = observe(generate_cp(Shape{6, 5, 4}, 1, 1).noisy, 0.8, 2);
  const PrivateTensor data(observed, {-10, 10}, {Unit::entry, Relation::replace});
  // Explained in full by what was expected, the values leave right-hand sides of zero: the mode dies out.
  Vector expected(static_cast<Eigen::Index>(observed.size()));
  for (std::size_t cell = 0; cell < observed.size(); ++cell) expected[cell] = observed.values()[cell];
  EntrySweeps sweeps(data.positions(), data.range(), expected, 2, 1, 1);
  Curator curator = Curator::without_privacy();
  int releases = 0;
  const SweepNoise noise = [&](double length, std::uint64_t numbers) {
    ++releases;
    return AdditiveNoise::laplace(Sensitivity::l1(length, Unit::entry, Relation::replace), 1, numbers);
  };
  sweeps.update(data, 0, true, noise, curator);
  EXPECT_TRUE(sweeps.factors()[0].isZero(0));
  sweeps.update(data, 1, true, noise, curator);
  EXPECT_EQ(releases, 1);
}

}  // namespace
}  // namespace tulle
