#include "topics/cube_sum.hpp"

#include "method/topics/any_documents.hpp"

#include <gtest/gtest.h>

namespace tulle {
namespace {

using namespace testing;

TEST(CubeSum, AddsRankOneTensors) {
  const Matrix a = any_rows(50, 3, 1), b = any_rows(50, 3, 2), c = any_rows(50, 3, 3);
  Cube expected = Cube::Ones(3, 9), got = expected;
  for (Eigen::Index r = 0; r < 50; ++r)
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j)
        for (int k = 0; k < 3; ++k) expected(i, 3 * j + k) += a(r, i) * b(r, j) * c(r, k);
  add_cubes(a, b, c, got);
  EXPECT_TRUE(got.isApprox(expected, 1e-13));
}

TEST(CubeSum, RoundingIsSmallAgainstTheSensitivity) {
  EXPECT_LT(rounding_of_sums(1'000'000, 8000), 1e-3);
  EXPECT_GT(rounding_of_sums(1'000'000, 8000), rounding_of_sums(1000, 8000));
}

// What floating point does to the change of a sum when one summand is replaced, against the bound.
TEST(CubeSum, TheBoundHoldsForReplacedSummands) {
  Matrix rows = any_rows(3 * kCubePanel, 4, 5);
  for (Eigen::Index r = 0; r < rows.rows(); ++r) rows.row(r) /= std::max(1.0, rows.row(r).norm());
  const auto sum = [](const Matrix& of) {
    Cube cube = Cube::Zero(4, 16);
    for (Eigen::Index first = 0; first < of.rows(); first += kCubePanel) {
      const Matrix panel = of.middleRows(first, kCubePanel);
      add_cubes(panel, panel, panel, cube);
    }
    return cube;
  };
  Matrix other = rows;
  other.row(7) = Vector::Unit(4, 2).transpose();
  Cube exact = Cube::Zero(4, 16);
  add_cubes(other.row(7), other.row(7), other.row(7), exact);
  add_cubes(-rows.row(7), rows.row(7), rows.row(7), exact);
  EXPECT_LE((sum(other) - sum(rows) - exact).norm(),
            rounding_of_sums(static_cast<std::uint64_t>(rows.rows()), 64));
}

}  // namespace
}  // namespace tulle
