#include "completion/user/packed_equations.hpp"

#include <tulle/base/random.hpp>
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

TEST(PackedEquations, HoldTheMatrixAndTheRightHandSide) {
  Random random(1);
  for (std::size_t rank : {1, 2, 3, 4, 7, 16}) {
    const std::vector<double> h = random_numbers(rank, random);
    std::vector<double> sums(packed_size(rank));
    add_packed({h, 0.3}, sums.data());
    const Eigen::Map<const Vector> row(h.data(), static_cast<Eigen::Index>(rank));
    Matrix matrix(row.size(), row.size());
    unpack_matrix(sums, static_cast<int>(rank),
                  [&](int a, int b, double element) { matrix(a, b) = matrix(b, a) = element; });
    EXPECT_TRUE(matrix.isApprox(row * row.transpose(), 1e-14));
    for (std::size_t r = 0; r < rank; ++r) EXPECT_NEAR(sums[sums.size() - rank + r], 0.3 * h[r], 1e-15);
  }
}

// The length is that of the matrix and the right-hand side together: the sensitivity counts on it.
TEST(PackedEquations, TheSquareIsThatOfTheNumbers) {
  Random random(2);
  for (std::size_t rank : {1, 2, 5, 16}) {
    const std::vector<double> h = random_numbers(rank, random);
    std::vector<double> sums(packed_size(rank));
    add_packed({h, -1.7}, sums.data());
    double square = 0;
    for (double number : sums) square += number * number;
    EXPECT_NEAR(packed_square({h, -1.7}), square, 1e-13 * square);
  }
}

// A number that was computed by a few roundings is within one step of its real value, hence within two steps
// of another computation of it.
TEST(PackedEquations, RoundedNumbersLieOnTheGridNextToTheNumbers) {
  Random random(3);
  const SumGrid grid(1, 1000);
  const std::vector<double> h = random_numbers(5, random);
  std::vector<double> plain(packed_size(5)), rounded(packed_size(5));
  add_packed({h, 0.4}, plain.data());
  add_packed_rounded({h, 0.4}, 0.01, grid.shift(), rounded.data());
  for (std::size_t i = 0; i < plain.size(); ++i) {
    EXPECT_EQ(std::remainder(rounded[i], grid.step()), 0);
    EXPECT_NEAR(rounded[i], 0.01 * plain[i], 2 * grid.step());
  }
}

}  // namespace
}  // namespace tulle
