#include "completion/user/packed_equations.hpp"

#include <tulle/base/random.hpp>
#include <tulle/base/rounding.hpp>
#include <tulle/base/sum_grid.hpp>
#include <tulle/tensor/matrix.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

namespace tulle {
namespace {

std::vector<double> random_numbers(std::size_t count, Random& random) {
  std::vector<double> numbers(count);
  for (double& number : numbers) number = random.normal();
  return numbers;
}

// Of rows whose product is h: h and ones.
CellEquation equation(const std::vector<double>& h, double rest) {
  static const std::vector<double> ones(64, 1.0);
  return {h.data(), ones.data(), h.size(), rest};
}

TEST(PackedEquations, HoldTheMatrixAndTheRightHandSide) {
  Random random(1);
  for (std::size_t rank : {1, 2, 3, 4, 7, 16, 40}) {
    const std::vector<double> h = random_numbers(rank, random);
    std::vector<double> sums(packed_size(rank));
    add_packed(equation(h, 0.3), 1, sums.data());
    const Eigen::Map<const Vector> row(h.data(), static_cast<Eigen::Index>(rank));
    Matrix matrix(row.size(), row.size());
    unpack_matrix(sums, static_cast<int>(rank),
                  [&](int a, int b, double element) { matrix(a, b) = matrix(b, a) = element; });
    EXPECT_TRUE(matrix.isApprox(row * row.transpose(), 1e-14));
    for (std::size_t r = 0; r < rank; ++r) EXPECT_NEAR(sums[sums.size() - rank + r], 0.3 * h[r], 1e-15);
  }
}

TEST(PackedEquations, AreThoseOfTheProductOfTwoRows) {
  Random random(4);
  for (std::size_t rank : {3, 4, 8, 16, 40}) {
    const std::vector<double> first = random_numbers(rank, random), second = random_numbers(rank, random);
    std::vector<double> h(rank), sums(packed_size(rank)), expected(packed_size(rank));
    for (std::size_t r = 0; r < rank; ++r) h[r] = first[r] * second[r];
    const CellEquation cell{first.data(), second.data(), rank, 0.7};
    add_packed(cell, 0.5, sums.data());
    add_packed(equation(h, 0.7), 0.5, expected.data());
    EXPECT_EQ(sums, expected);
    EXPECT_DOUBLE_EQ(packed_square(cell), packed_square(equation(h, 0.7)));
  }
}

// The length is that of the matrix and the right-hand side together: the sensitivity counts on it.
TEST(PackedEquations, TheSquareIsThatOfTheNumbers) {
  Random random(2);
  for (std::size_t rank : {1, 2, 5, 8, 16, 40}) {
    const std::vector<double> h = random_numbers(rank, random);
    std::vector<double> sums(packed_size(rank));
    add_packed(equation(h, -1.7), 1, sums.data());
    double square = 0;
    for (double number : sums) square += number * number;
    EXPECT_NEAR(packed_square(equation(h, -1.7)), square, 1e-13 * square);
  }
}

// In sums that began with the shift of a grid, rounded down: each number is the multiple of a step next below
// it, whatever is in the sums by then.
TEST(PackedEquations, AreRoundedDownToTheGridOfTheSums) {
  Random random(3);
  const SumGrid grid(1, 1000);
  for (std::size_t rank : {1, 4, 5, 8, 16, 40}) {
    const std::vector<double> h = random_numbers(rank, random), other = random_numbers(rank, random);
    std::vector<double> plain(packed_size(rank)), alone(packed_size(rank), grid.shift()), before = alone;
    add_packed(equation(h, 0.4), 1, plain.data());
    const Rounding rounding = Rounding::down();
    add_packed(equation(other, 0.1), 0.01, before.data());
    std::vector<double> both = before;
    add_packed(equation(h, 0.4), 0.01, alone.data());
    add_packed(equation(h, 0.4), 0.01, both.data());
    for (std::size_t i = 0; i < plain.size(); ++i) {
      const double added = alone[i] - grid.shift();
      EXPECT_EQ(std::remainder(added, grid.step()), 0);
      EXPECT_LT(added, 0.01 * plain[i] + 1e-15);
      EXPECT_GT(added, 0.01 * plain[i] - grid.step() - 1e-15);
      EXPECT_EQ(both[i] - before[i], added);
    }
  }
}

}  // namespace
}  // namespace tulle
