#include "counts/maximum_entropy.hpp"

#include "counts/table_sums.hpp"

#include <gtest/gtest.h>

#include <array>

namespace tulle {
namespace {

TEST(MaximumEntropy, OfSingleModesIsTheirProduct) {
  const std::vector<double> rows = {10, 30}, columns = {8, 12, 20};
  const std::array parents = {TableOfSums{0b01, rows}, TableOfSums{0b10, columns}};
  const std::vector<double> table = maximum_entropy({2, 3}, 0b11, parents);
  for (std::size_t row = 0; row < 2; ++row)
    for (std::size_t column = 0; column < 3; ++column)
      EXPECT_NEAR(table[3 * row + column], rows[row] * columns[column] / 40, 1e-12);
}

TEST(MaximumEntropy, HasTheSumsOfPairsOfModes) {
  const Shape shape{2, 2, 3};
  const std::vector<double> counts = {1, 5, 2, 9, 4, 3, 8, 1, 6, 2, 7, 5};
  const std::vector<double> first = summed(shape, counts, 0b111, 0b011),
                            second = summed(shape, counts, 0b111, 0b101),
                            third = summed(shape, counts, 0b111, 0b110);
  const std::array parents = {TableOfSums{0b011, first}, TableOfSums{0b101, second},
                              TableOfSums{0b110, third}};
  const std::vector<double> table = maximum_entropy(shape, 0b111, parents);
  for (const TableOfSums& parent : parents) {
    const std::vector<double> sums = summed(shape, table, 0b111, parent.modes);
    for (std::size_t i = 0; i < sums.size(); ++i) EXPECT_NEAR(sums[i], parent.values[i], 0.06);
  }
}

TEST(MaximumEntropy, OfNothingIsAboutNothing) {
  const std::vector<double> rows = {0, 0}, columns = {0, 0, 0};
  const std::array parents = {TableOfSums{0b01, rows}, TableOfSums{0b10, columns}};
  for (const double count : maximum_entropy({2, 3}, 0b11, parents)) EXPECT_EQ(count, 0);
}

}  // namespace
}  // namespace tulle
