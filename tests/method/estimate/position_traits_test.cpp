#include "estimate/position_traits.hpp"

#include <tulle/base/random.hpp>
#include <tulle/data/generate.hpp>

#include <gtest/gtest.h>

#include <cmath>

namespace tulle {
namespace {

// Rows of one half have cells in one half of the columns, more often than in the other.
Cells two_halves(double here, double there) {
  Random random(1);
  std::vector<std::vector<Index>> columns(2);
  for (Index row = 0; row < 80; ++row)
    for (Index column = 0; column < 60; ++column)
      if (random.uniform() < ((row < 40) == (column < 30) ? here : there))
        columns[0].push_back(row), columns[1].push_back(column);
  return Cells(Shape{80, 60}, columns);
}

double correlation(const Vector& left, const Vector& right) {
  const Vector a = left.array() - left.mean(), b = right.array() - right.mean();
  return std::abs(a.dot(b)) / (a.norm() * b.norm());
}

TEST(PositionTraits, OfCellsDrawnAtRandomAreNone) {
  for (const Matrix& traits : position_traits(two_halves(0.4, 0.4))) EXPECT_EQ(traits.cols(), 0);
  for (const Matrix& traits : position_traits(observe(DenseTensor(Shape{20, 5, 7}), 1, 1).cells()))
    EXPECT_EQ(traits.cols(), 0);
}

TEST(PositionTraits, TellWhichPositionsOccurTogether) {
  const std::vector<Matrix> traits = position_traits(two_halves(0.6, 0.1));
  ASSERT_GE(traits[0].cols(), 1);
  Vector half(80);
  for (Eigen::Index row = 0; row < 80; ++row) half[row] = row < 40;
  EXPECT_GT(correlation(traits[0].col(0), half), 0.95);
}

TEST(PositionTraits, TellHowOftenAPositionOccurs) {
  std::vector<std::vector<Index>> columns(2);
  for (Index row = 0; row < 60; ++row)
    for (Index column = 0; column < 1 + row; ++column)
      columns[0].push_back(row), columns[1].push_back(column);
  const Matrix traits = position_traits(Cells(Shape{60, 60}, columns))[0];
  ASSERT_GE(traits.cols(), 1);
  double mean = 0, square = 0, cells = 60 * 61 / 2;
  for (Eigen::Index row = 0; row < 60; ++row) {
    mean += static_cast<double>(row + 1) * traits(row, 0) / cells;
    square += static_cast<double>(row + 1) * traits(row, 0) * traits(row, 0) / cells;
  }
  for (Eigen::Index row = 1; row < 60; ++row) {
    EXPECT_GT(traits(row, 0), traits(row - 1, 0));
  }
  EXPECT_NEAR(mean, 0, 1e-12);
  EXPECT_NEAR(square, 1, 1e-12);
}

TEST(PositionTraits, ExplainWhatIsLinearInThem) {
  Random random(3);
  Matrix traits(200, 3);
  for (double& trait : traits.reshaped<Eigen::RowMajor>()) trait = random.normal();
  std::vector<double> truth(200), seen(200), nothing(200);
  const std::vector<double> variances(200, 0.04);
  for (Eigen::Index i = 0; i < 200; ++i) {
    truth[i] = 0.2 * traits(i, 0) - 0.1 * traits(i, 2);
    seen[i] = truth[i] + 0.2 * random.normal();
    nothing[i] = 0.2 * random.normal();
  }
  double error = 0, found = 0;
  const std::vector<double> explained = explained_by(traits, seen, variances, 0.4);
  for (const double effect : explained_by(traits, nothing, variances, 0.4)) found += effect * effect / 200;
  for (std::size_t i = 0; i < 200; ++i) error += std::pow(explained[i] - truth[i], 2) / 200;
  EXPECT_LT(error, 0.04 * 3 / 200 * 4);  // three coefficients from 200 numbers
  EXPECT_LT(found, 0.04 * 3 / 200);
  EXPECT_EQ(explained_by(Matrix(200, 0), seen, variances, 0.4), std::vector<double>(200));
}

}  // namespace
}  // namespace tulle
