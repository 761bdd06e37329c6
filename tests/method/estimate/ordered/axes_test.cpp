#include "estimate/ordered/axes.hpp"

#include <gtest/gtest.h>

namespace tulle {
namespace {

using Kind = ModeOrder::Kind;

// The Laplacian of neighbours with bonds of 1 / gap; around a circle the ends are neighbours too.
Eigen::MatrixXd laplacian(const std::vector<double>& gaps, bool closed) {
  const auto size = static_cast<Eigen::Index>(gaps.size()) + (closed ? 0 : 1);
  Eigen::MatrixXd matrix = Eigen::MatrixXd::Zero(size, size);
  for (std::size_t gap = 0; gap < gaps.size(); ++gap) {
    const auto i = static_cast<Eigen::Index>(gap), j = (i + 1) % size;
    matrix(i, i) += 1 / gaps[gap];
    matrix(j, j) += 1 / gaps[gap];
    matrix(i, j) -= 1 / gaps[gap];
    matrix(j, i) -= 1 / gaps[gap];
  }
  return matrix;
}

void expect_waves_of(const OrderedAxis& axis, const Eigen::MatrixXd& matrix) {
  ASSERT_EQ(axis.waves.rows(), matrix.rows());
  EXPECT_LT(
      (axis.waves.transpose() * axis.waves - Eigen::MatrixXd::Identity(matrix.rows(), matrix.rows())).norm(),
      1e-9);
  EXPECT_LT((axis.waves * axis.roughness.asDiagonal() * axis.waves.transpose() - matrix).norm(), 1e-9);
}

TEST(OrderedAxes, HaveTheWavesOfTheirNeighbours) {
  expect_waves_of(axes_of({}, 9).axes[0], laplacian(std::vector<double>(8, 1), false));
  expect_waves_of(axes_of({.kind = Kind::stated, .places = {0, 1, 3, 4, 5}}, 5).axes[0],
                  laplacian({1, 2, 1, 1}, false));
  for (const Index period : {7u, 8u})
    expect_waves_of(axes_of({.kind = Kind::stated, .period = period}, period).axes[0],
                    laplacian(std::vector<double>(period, 1), true));
}

TEST(OrderedAxes, PutPositionsWhereTheirPlacesAre) {
  EXPECT_EQ(axes_of({.kind = Kind::stated, .places = {30, 10, 20}}, 3).place,
            (std::vector<std::size_t>{2, 0, 1}));
  const ModeAxes weeks = axes_of({.kind = Kind::stated, .places = {-1, 0, 8, 20}, .period = 7}, 4);
  ASSERT_EQ(weeks.axes.size(), 2u);
  EXPECT_EQ(weeks.axes[0].size, 4u);  // turns -1 to 2
  EXPECT_EQ(weeks.axes[1].size, 7u);
  EXPECT_EQ(weeks.place, (std::vector<std::size_t>{6, 7, 15, 27}));
}

TEST(OrderedAxes, HaveNoOrderWhereNoneIsStatedOrToBeSeen) {
  EXPECT_FALSE(axes_of({.kind = Kind::none}, 50).has_order());
  EXPECT_FALSE(axes_of({}, 5).has_order());
  EXPECT_TRUE(axes_of({.kind = Kind::stated}, 5).has_order());
  EXPECT_FALSE(axes_of({.kind = Kind::stated}, 5000).has_order());
}

}  // namespace
}  // namespace tulle
