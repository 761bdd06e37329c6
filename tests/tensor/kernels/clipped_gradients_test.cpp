#include "solve/absorbing_sum.hpp"
#include "tensor/kernels/reference.hpp"

#include <tulle/base/random.hpp>
#include <tulle/base/threads.hpp>
#include <tulle/tensor/kernels/cell_gradient.hpp>
#include <tulle/tensor/kernels/clipped_gradients.hpp>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <numeric>

namespace tulle {
namespace {

SparseTensor random_cells(const Shape& shape, std::size_t count, std::uint64_t seed) {
  Random random(seed);
  SparseTensor tensor(shape, Unlisted::missing);
  for (std::size_t e = 0; e < count; ++e) {
    std::vector<Index> cell;
    for (Index size : shape.dimensions()) cell.push_back(static_cast<Index>(random.below(size)));
    tensor.append(cell, static_cast<float>(random.normal()));
  }
  return tensor;
}

std::vector<double> random_point(const ModelLayout& layout, std::uint64_t seed) {
  Random random(seed);
  std::vector<double> numbers(layout.size());
  for (double& number : numbers) number = random.normal();
  return numbers;
}

const ModelLayout kLayouts[] = {ModelLayout::cp(Shape{4, 5}, 3),
                                ModelLayout::cp(Shape{4, 3, 5}, 4),
                                ModelLayout::cp(Shape{2, 3, 2, 3, 2, 3, 2, 3}, 2),
                                ModelLayout::tucker(Shape{4, 5}, {2, 3}),
                                ModelLayout::tucker(Shape{4, 3, 5}, {2, 3, 2}),
                                ModelLayout::tucker(Shape{3, 2, 3, 2, 3}, {2, 1, 2, 2, 3})};

TEST(CellGradient, IsTheDerivativeOfTheModel) {
  for (const ModelLayout& layout : kLayouts) {
    const std::vector<double> numbers = random_point(layout, 7);
    const SparseTensor cells = random_cells(layout.shape(), 5, 8);
    CellGradient gradient(layout);
    for (std::size_t e = 0; e < cells.size(); ++e) {
      const auto cell = cells.cells().cell(e);
      const std::span<const Index> positions(cell.data(), static_cast<std::size_t>(layout.order()));
      const double here = gradient.at(numbers.data(), positions);
      const auto [prediction, expected] = reference::derivative(layout, numbers, cell);
      EXPECT_NEAR(here, prediction, 1e-10);
      std::vector<double> full(layout.size());
      for (int mode = 0; mode < layout.order(); ++mode)
        std::ranges::copy(gradient.row(mode),
                          full.begin() + static_cast<std::ptrdiff_t>(layout.row(mode, cell[mode])));
      std::ranges::copy(gradient.core(), full.begin() + static_cast<std::ptrdiff_t>(layout.core_start()));
      for (std::size_t i = 0; i < full.size(); ++i) ASSERT_NEAR(full[i], expected[i], 1e-10);
      EXPECT_NEAR(gradient.squared_length(), std::inner_product(full.begin(), full.end(), full.begin(), 0.0),
                  1e-9);
    }
  }
}

std::vector<std::uint64_t> all(std::size_t count) {
  std::vector<std::uint64_t> list(count);
  std::iota(list.begin(), list.end(), std::uint64_t{0});
  return list;
}

// However long the gradient: floats overflow, or vanish, before doubles do.
TEST(CellGradients, NoCellAddsMoreThanTheClipAtAnyScale) {
  const ModelLayout layout = ModelLayout::cp(Shape{2, 2, 2}, 5);
  const SparseTensor observed = random_cells(layout.shape(), 8, 1);
  const CellGradients gradients(observed, layout, {0, 1e-12});
  for (double scale : {1e-25, 1e-15, 1e-8, 1e8, 1e15, 1e18, 1e30}) {
    std::vector<double> numbers = random_point(layout, 2);
    for (double& number : numbers) number *= scale;
    for (std::uint64_t cell = 0; cell < observed.size(); ++cell) {
      const auto sum = gradients.sum(numbers, std::span(&cell, 1), 0.5).numbers;
      for (double number : sum) EXPECT_TRUE(std::isfinite(number));
      EXPECT_LE(std::sqrt(std::inner_product(sum.begin(), sum.end(), sum.begin(), 0.0)), 0.5);
    }
  }
}

RC_GTEST_PROP(CellGradients, NoCellAddsMoreThanTheClip, ()) {
  const auto& layout = kLayouts[*rc::gen::inRange<std::size_t>(0, std::size(kLayouts))];
  const auto seed = *rc::gen::arbitrary<std::uint64_t>();
  const double clip = *rc::gen::element(1e-3, 0.5, 2.0);
  const SparseTensor observed = random_cells(layout.shape(), 30, seed);
  const std::vector<double> numbers = random_point(layout, seed + 1);
  const CellGradients gradients(observed, layout, {});
  for (std::uint64_t cell = 0; cell < observed.size(); ++cell) {
    const auto sum = gradients.sum(numbers, std::span(&cell, 1), clip).numbers;
    RC_ASSERT(std::sqrt(std::inner_product(sum.begin(), sum.end(), sum.begin(), 0.0)) <= clip * (1 + 1e-12));
  }
}

TEST(CellGradients, DoNotDependOnThreads) {
  for (const ModelLayout& layout :
       {ModelLayout::cp(Shape{300, 200, 50}, 5), ModelLayout::tucker(Shape{300, 200, 50}, {2, 3, 2})}) {
    const SparseTensor observed = random_cells(layout.shape(), 20'000, 5);
    const std::vector<double> numbers = random_point(layout, 6);
    const CellGradients gradients(observed, layout, {});
    const SliceGradients slices(observed, layout, 0, Standard{});
    const int before = threads();
    set_threads(1);
    const auto one = gradients.sum(numbers, all(observed.size()), 1);
    const auto one_by_slice = slices.sum(numbers, 0.1, all(300), 1);
    set_threads(3);
    EXPECT_EQ(gradients.sum(numbers, all(observed.size()), 1), one);
    EXPECT_EQ(slices.sum(numbers, 0.1, all(300), 1), one_by_slice);
    set_threads(before);
  }
}

// Slices with cells in two tables: the first of modes 0, 1, 2, the second of modes 0, 1 at the last position
// of mode 2, whose row is 1. The second alone is a matrix model.
TEST(SliceGradients, ATableWithoutAModeIsTheModelOfTheOthers) {
  const ModelLayout stacked = ModelLayout::cp(Shape{4, 5, 3, 2}, 2), matrix = ModelLayout::cp(Shape{4, 5}, 2);
  const SparseTensor cells = random_cells(matrix.shape(), 15, 3);
  SparseTensor in_stack(stacked.shape(), Unlisted::missing);
  for (std::size_t entry = 0; entry < cells.size(); ++entry) {
    const auto cell = cells.cells().cell(entry);
    in_stack.append(std::array<Index, 4>{cell[0], cell[1], 2, 1}, cells.values()[entry]);
  }
  std::vector<double> numbers = random_point(stacked, 4);
  for (std::size_t i = stacked.row(2, 2); i < stacked.size(); ++i) numbers[i] = 1;  // constants come last
  const SliceGradients both(in_stack, stacked, 0, SliceTables({{7, 3}, {0.2, 0.5}}, 3, {4, 5, 2, 0}));
  const SliceGradients alone(cells, matrix, 0, Standard{0.2, 0.5});
  const ClippedSum sum = both.sum(numbers, 0.3, all(4), 0.7);
  const ClippedSum expected = alone.sum(std::span(numbers).first(matrix.size()), 0.3, all(4), 0.7);
  EXPECT_EQ(sum.whole, expected.whole);
  for (std::size_t i = 0; i < stacked.size(); ++i)
    EXPECT_NEAR(sum.numbers[i], i < matrix.size() ? expected.numbers[i] : 0, 1e-6) << i;
}

TEST(SliceGradients, FitTheirOwnRowFirst) {
  const ModelLayout layout = ModelLayout::cp(Shape{6, 7, 5}, 2);
  const SparseTensor observed = random_cells(layout.shape(), 120, 9);
  const std::vector<double> numbers = random_point(layout, 10);
  const SliceGradients slices(observed, layout, 0, Standard{});
  const double ridge = 0.3;
  const std::vector<double> fitted = slices.with_own_rows(numbers, ridge);
  // Where own rows minimise sum e^2 + ridge |a|^2, the gradient with respect to them is ridge a.
  const std::vector<double> gradient = reference::cell_gradients(observed, layout, {}, fitted, 1e3).numbers;
  for (std::size_t i = 0; i < layout.factor_size(0); ++i) EXPECT_NEAR(gradient[i], ridge * fitted[i], 1e-8);
  // Each of the 6 slices is rounded to a grid of clip x 2^-23 at most: for 2^27 slices, as many as there may
  // be.
  const double clip = 1e3, rounding = 6 * clip * 0x1p-24;
  const std::vector<double> sum = slices.sum(numbers, ridge, all(6), clip).numbers;
  for (std::size_t i = 0; i < layout.size(); ++i)
    EXPECT_NEAR(sum[i], i < layout.factor_size(0) ? 0 : gradient[i], rounding);
  for (std::uint64_t slice = 0; slice < 6; ++slice) {
    const auto clipped = slices.sum(numbers, ridge, std::span(&slice, 1), 0.01).numbers;
    EXPECT_LE(std::sqrt(std::inner_product(clipped.begin(), clipped.end(), clipped.begin(), 0.0)),
              0.01 * (1 + 1e-12));
  }
}

TEST(SliceGradients, CountWhatIsClippedAndLeaveEmptySlicesOut) {
  const ModelLayout layout = ModelLayout::cp(Shape{4, 3, 3}, 1);
  SparseTensor observed(layout.shape(), Unlisted::missing);
  for (Index slice : {0, 1, 3})
    observed.append(std::array<Index, 3>{slice, 1, 2}, slice == 3 ? 100.0f : 0.1f);
  const SliceGradients slices(observed, layout, 0, Standard{});
  const ClippedSum sum = slices.sum(random_point(layout, 1), 1, all(4), 1);
  EXPECT_EQ(sum.whole, 2u);
  EXPECT_EQ(sum.clipped, 1u);
}

using testing::AbsorbingSum;
using testing::l2_distance;

SparseTensor row_of(const std::vector<float>& values) {
  SparseTensor tensor(Shape{1, values.size()}, Unlisted::missing);
  for (Index j = 0; j < values.size(); ++j) tensor.append(std::array<Index, 2>{0, j}, values[j]);
  return tensor;
}

// All cells but one, of a row whose gradients add up to a large sum first: taking the cell away changes the
// sum by no more than the clip. The prediction is 0 and the gradient of a cell is its value, in one number.
TEST(CellGradients, OneCellMoreChangesALongSumByAtMostTheClip) {
  for (const bool tucker : {false, true}) {
    const AbsorbingSum row{16, 1 << 20};
    const std::vector<float> with = row.terms(4);
    std::vector<float> without = with;
    without.erase(without.begin() + static_cast<std::ptrdiff_t>(row.large()));
    const double clip = 1 + 2.4e-6;  // leaves a gradient of 1 whole in float32 too
    const auto sum_of = [&](const std::vector<float>& values) {
      const SparseTensor observed = row_of(values);
      const ModelLayout layout =
          tucker ? ModelLayout::tucker(observed.shape(), {1, 1}) : ModelLayout::cp(observed.shape(), 1);
      std::vector<double> numbers(layout.size(), 1.0);
      numbers[tucker ? layout.core_start() : 0] = 0;
      const auto sum = CellGradients(observed, layout, {}).sum(numbers, all(observed.size()), clip).numbers;
      return sum[tucker ? layout.core_start() : 0];
    };
    EXPECT_LE(std::abs(sum_of(with) - sum_of(without)), clip) << tucker;
  }
}

// A slice with the one value v fits v / 2 under a ridge of 1, and its gradient is v^2 / 4. Slices are summed
// in eight pieces: the first one holds them all, the others are empty.
TEST(SliceGradients, OneSliceMoreChangesALongSumByAtMostTheClip) {
  const AbsorbingSum slices{12, 20'000};
  const std::size_t count = 8 * slices.size();
  const ModelLayout layout = ModelLayout::cp(Shape{count, 1}, 1);
  const auto sum_of = [&](double differs) {
    const std::vector<float> terms = slices.terms(differs);
    SparseTensor observed(layout.shape(), Unlisted::missing);
    for (Index u = 0; u < terms.size(); ++u)
      if (terms[u] > 0) observed.append(std::array<Index, 2>{u, 0}, std::sqrt(terms[u]));
    return SliceGradients(observed, layout, 0, Standard{})
        .sum(std::vector<double>(layout.size(), 1.0), 1, all(count), 0.25)
        .numbers;
  };
  EXPECT_LE(l2_distance(sum_of(1), sum_of(0)), 0.25);
}

// A model that has grown beyond all bounds: what one cell or slice adds must be finite, whatever it holds.
TEST(ClippedGradients, GradientsThatAreNotFiniteAddNothing) {
  for (const ModelLayout& layout :
       {ModelLayout::cp(Shape{2, 2, 2}, 2), ModelLayout::tucker(Shape{2, 2, 2}, {2, 2, 2})}) {
    const SparseTensor observed = random_cells(layout.shape(), 8, 1);
    std::vector<double> numbers = random_point(layout, 2);
    for (double& number : numbers) number *= 1e200;
    for (double number : CellGradients(observed, layout, {}).sum(numbers, all(8), 1).numbers)
      EXPECT_TRUE(std::isfinite(number));
    for (double number : SliceGradients(observed, layout, 0, Standard{}).sum(numbers, 0.1, all(2), 1).numbers)
      EXPECT_TRUE(std::isfinite(number));
  }
}

}  // namespace
}  // namespace tulle
