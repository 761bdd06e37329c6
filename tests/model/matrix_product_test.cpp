#include "matrix_product.hpp"

#include <tulle/base/random.hpp>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace tulle {
namespace {

Axes joined(Axes first, const Axes& second, bool second_first) {
  if (second_first) return joined(second, first, false);
  first.insert(first.end(), second.begin(), second.end());
  return first;
}

std::vector<double> normals(std::size_t count, Random& random) {
  std::vector<double> values(count);
  for (double& value : values) value = random.normal();
  return values;
}

// All orders of rows, terms and columns, of which one may have two indices. Sums of up to 60 products.
RC_GTEST_PROP(MatrixProduct, IsTheSumThatALoopComputes, (std::uint64_t seed)) {
  Random random(seed);
  std::vector<Index> sizes = {17, 60, 5, 3};
  random.shuffle(std::span(sizes));
  Axes groups[] = {{0}, {1}, {2}};
  groups[random.below(3)].push_back(3);
  const Axes &rows = groups[0], &terms = groups[1], &columns = groups[2];
  const Axes result = joined(rows, columns, random.chance(0.5)),
             left = joined(rows, terms, random.chance(0.5)),
             right = joined(terms, columns, random.chance(0.5));
  const auto product = MatrixProduct::find(sizes, result, left, right);
  RC_ASSERT(product.has_value());
  const std::vector<double> a = normals(cells_of(sizes, left), random),
                            b = normals(cells_of(sizes, right), random);
  std::vector<double> sums(cells_of(sizes, result)), expected(sums.size());
  product->run(sums.data(), a.data(), b.data());
  PairLoop(sizes, result, left, right).run(expected.data(), a.data(), b.data());
  for (std::size_t i = 0; i < sums.size(); ++i) RC_ASSERT(std::abs(sums[i] - expected[i]) < 1e-11);
}

TEST(MatrixProduct, IsNotFoundWhereTheSumIsNoProduct) {
  const std::vector<Index> sizes = {100, 100, 10, 2};
  EXPECT_TRUE(MatrixProduct::find(sizes, {0, 2}, {0, 1}, {1, 2}));
  EXPECT_FALSE(MatrixProduct::find(sizes, {0, 1}, {0, 1}, {1, 0})) << "nothing is summed";
  EXPECT_FALSE(MatrixProduct::find(sizes, {0, 2}, {0, 2}, {1, 2})) << "an index of all three";
  EXPECT_FALSE(MatrixProduct::find(sizes, {0, 3, 2}, {0, 1}, {1, 2})) << "an index of the result alone";
  EXPECT_FALSE(MatrixProduct::find(sizes, {0, 2}, {0, 1, 3}, {3, 1, 2})) << "terms in another order";
  EXPECT_FALSE(MatrixProduct::find(sizes, {0, 2}, {0, 1}, {1, 2, 3})) << "an index of one operand alone";
  EXPECT_FALSE(MatrixProduct::find(sizes, {2, 3}, {2, 0}, {0, 3})) << "few products";
}

}  // namespace
}  // namespace tulle
