#include <tulle/base/random.hpp>
#include <tulle/model/contraction.hpp>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace tulle {
namespace {

struct RandomProduct {
  std::vector<Index> sizes;
  std::vector<Axes> axes;
  std::vector<std::vector<double>> values;

  std::vector<Operand> operands() const {
    std::vector<Operand> all;
    for (std::size_t i = 0; i < axes.size(); ++i) all.push_back({axes[i], values[i]});
    return all;
  }
  std::vector<const double*> pointers() const {
    std::vector<const double*> all;
    for (const auto& array : values) all.push_back(array.data());
    return all;
  }
};

// Indices 0 .. fixed-1 come first in every operand, in ascending order, as those of entities do.
RandomProduct random_product(Random& random) {
  RandomProduct product;
  for (int axis = 0; axis < 5; ++axis) product.sizes.push_back(1 + static_cast<Index>(random.below(4)));
  const std::size_t operands = 1 + random.below(4);
  for (std::size_t i = 0; i < operands; ++i) {
    Axes axes;
    for (int axis = 0; axis < 5; ++axis)
      if (random.chance(0.5)) axes.push_back(axis);
    std::vector<double> values(cells_of(product.sizes, axes));
    for (double& value : values) value = random.normal();
    product.axes.push_back(axes);
    product.values.push_back(values);
  }
  return product;
}

std::size_t offset_of(const RandomProduct& product, const Axes& axes, const std::vector<Index>& at) {
  std::size_t offset = 0;
  for (int axis : axes) offset = offset * product.sizes[axis] + at[axis];
  return offset;
}

// Every combination of all five indices, one after another.
std::vector<double> naive(const RandomProduct& product, const Axes& result) {
  std::vector<double> sums(cells_of(product.sizes, result));
  Axes used = result;
  for (const Axes& axes : product.axes) used = united(used, axes);
  std::vector<Index> at(product.sizes.size());
  for (std::size_t number = 0; number < cells_of(product.sizes, used); ++number) {
    std::size_t rest = number;
    for (int axis : used)
      at[axis] = static_cast<Index>(rest % product.sizes[axis]), rest /= product.sizes[axis];
    double value = 1;
    for (std::size_t i = 0; i < product.axes.size(); ++i)
      value *= product.values[i][offset_of(product, product.axes[i], at)];
    sums[offset_of(product, result, at)] += value;
  }
  return sums;
}

Axes random_axes(Random& random) {
  Axes axes;
  for (int axis = 0; axis < 5; ++axis)
    if (random.chance(0.4)) axes.insert(random.chance(0.5) ? axes.begin() : axes.end(), axis);
  return axes;
}

RC_GTEST_PROP(Contraction, AProductOfArraysIsTheSumOverAllOtherIndices, (std::uint64_t seed)) {
  Random random(seed);
  const RandomProduct product = random_product(random);
  const Axes result = random_axes(random);
  const auto sums = contract(product.sizes, product.operands(), result);
  const auto expected = naive(product, result);
  RC_ASSERT(sums.size() == expected.size());
  for (std::size_t i = 0; i < sums.size(); ++i) RC_ASSERT(std::abs(sums[i] - expected[i]) < 1e-11);
}

RC_GTEST_PROP(Contraction, CellByCellItIsTheSameSum, (std::uint64_t seed)) {
  Random random(seed);
  const RandomProduct product = random_product(random);
  const Axes levels = random.chance(0.5) ? Axes{0, 1} : Axes{1, 0};
  Axes kept;
  for (int axis = 2; axis < 5; ++axis)
    if (random.chance(0.5)) kept.insert(random.chance(0.5) ? kept.begin() : kept.end(), axis);
  const auto expected = naive(product, [&] {
    Axes all = levels;
    all.insert(all.end(), kept.begin(), kept.end());
    return all;
  }());
  const CellContraction contraction(product.sizes, product.axes, levels, kept);
  auto space = contraction.workspace();
  const std::size_t slice = cells_of(product.sizes, kept);
  std::size_t number = 0;
  for (Index first = 0; first < product.sizes[levels[0]]; ++first)
    for (Index second = 0; second < product.sizes[levels[1]]; ++second, ++number) {
      const Index cell[] = {first, second};
      const double* values = contraction(space, product.pointers(), cell, second == 0 ? 0 : 1);
      for (std::size_t i = 0; i < slice; ++i)
        RC_ASSERT(std::abs(values[i] - expected[number * slice + i]) < 1e-11);
    }
}

TEST(Contraction, LongIndicesAreLoopedOverToo) {
  const std::vector<Index> sizes = {3000, 2, 3};
  std::vector<double> left(3000 * 2), right(3000 * 3);
  Random random(4);
  for (double& value : left) value = random.normal();
  for (double& value : right) value = random.normal();
  const auto gram = contract(sizes, {{{0, 1}, left}, {{0, 2}, right}}, {1, 2});
  for (int k = 0; k < 2; ++k)
    for (int l = 0; l < 3; ++l) {
      double sum = 0;
      for (int i = 0; i < 3000; ++i) sum += left[i * 2 + k] * right[i * 3 + l];
      EXPECT_NEAR(gram[k * 3 + l], sum, 1e-9);
    }
}

TEST(Contraction, IndicesOfOneOperandAloneAreSummedFirst) {
  // Together the two long indices have 10^12 combinations.
  const std::vector<Index> sizes = {1'000'000, 1'000'000, 1};
  const std::vector<double> ones(1'000'000, 1.0);
  EXPECT_EQ(contract(sizes, {{{0, 2}, ones}, {{1, 2}, ones}}, {2}), (std::vector<double>{1e12}));
}

TEST(Contraction, ARankOneStepMultipliesOnce) {
  // Rows of two factors of rank 4: the first is taken as it is, the second multiplied to it.
  const CellContraction contraction(std::vector<Index>{5, 6, 4}, {{0, 2}, {1, 2}}, {0, 1}, {2});
  EXPECT_EQ(contraction.work(), 4);
}

}  // namespace
}  // namespace tulle
