// Data of all orders, sizes, ranks and layouts, on which kernels and devices are held against their
// definitions.
#pragma once

#include "tensor/kernels/reference.hpp"
#include "tensor/samples.hpp"

#include <gtest/gtest.h>

namespace tulle::conformance {

// All orders up to 5 and the largest, with modes of size 1 in every place.
inline const Shape kShapes[] = {Shape{4, 3},       Shape{1, 5},          Shape{1, 1},
                                Shape{4, 3, 5},    Shape{6, 1, 3},       Shape{1, 2, 1},
                                Shape{3, 2, 4, 2}, Shape{2, 3, 1, 2, 3}, Shape{2, 1, 2, 2, 3, 1, 2, 2}};

// Ranks on both sides of every width of a vector register.
inline constexpr int kRanks[] = {1, 3, 4, 5, 8, 17};

// No cell, one cell, some of the cells (rows stay empty), all of them, and some listed twice.
inline std::vector<SparseTensor> lists_of(const Shape& shape) {
  SparseTensor one(shape, Unlisted::missing);
  const auto last = reference::cell_at(shape, shape.cells() - 1);
  one.append(std::span(last).first(static_cast<std::size_t>(shape.order())), 2);
  std::vector<SparseTensor> lists = {SparseTensor(shape, Unlisted::missing), one,
                                     samples::sparse(shape, 0.3, 1, Unlisted::missing),
                                     samples::sparse(shape, 1, 2, Unlisted::missing)};
  SparseTensor twice = samples::sparse(shape, 0.5, 3, Unlisted::missing);
  for (std::size_t e = 0, count = twice.size(); e < count; e += 2) {
    const auto cell = twice.cells().cell(e);
    twice.append(std::span(cell).first(static_cast<std::size_t>(shape.order())), 0.5F);
  }
  lists.push_back(std::move(twice));
  return lists;
}

// Two rows of more than 2^16 entries, which are cut into pieces in every layout, and one of a few.
inline SparseTensor with_long_rows() {
  const SparseTensor dense = samples::sparse(Shape{3, 300, 250}, 0.95, 4, Unlisted::missing);
  std::vector<std::size_t> kept;
  for (std::size_t e = 0; e < dense.size(); ++e)
    if (dense.column(0)[e] < 2 || e % 1000 == 0) kept.push_back(e);
  return dense.select(kept);
}

inline std::vector<Matrix> factors_of(const Shape& shape, const std::vector<int>& ranks, std::uint64_t seed) {
  std::vector<Matrix> factors;
  for (int mode = 0; mode < shape.order(); ++mode)
    factors.push_back(samples::matrix(shape[mode], static_cast<std::size_t>(ranks[mode]), seed + mode));
  return factors;
}

inline std::vector<Matrix> factors_of(const Shape& shape, int rank, std::uint64_t seed) {
  return factors_of(shape, std::vector<int>(static_cast<std::size_t>(shape.order()), rank), seed);
}

inline std::vector<int> mixed_ranks(const Shape& shape) {  // 2, 3, 1, 2, 3, ..
  std::vector<int> ranks;
  for (int mode = 0; mode < shape.order(); ++mode) ranks.push_back(1 + (mode + 1) % 3);
  return ranks;
}

inline std::vector<Vector> offsets_of(const Shape& shape, std::uint64_t seed) {
  std::vector<Vector> offsets;
  for (const Matrix& column : factors_of(shape, 1, seed)) offsets.emplace_back(column.col(0));
  return offsets;
}

inline std::vector<double> point_of(const ModelLayout& layout, std::uint64_t seed) {
  const Matrix numbers = samples::matrix(layout.size(), 1, seed);
  return {numbers.data(), numbers.data() + numbers.size()};
}

inline void expect_near(std::span<const double> found, std::span<const double> expected, double tolerance) {
  double largest = 0;
  for (double value : expected) largest = std::max(largest, std::abs(value));
  EXPECT_LE(samples::largest_difference(found, expected), tolerance * (1 + largest));
}

inline void expect_near(const Matrix& found, const Matrix& expected, double tolerance) {
  ASSERT_EQ(found.rows(), expected.rows());
  ASSERT_EQ(found.cols(), expected.cols());
  expect_near(std::span(found.data(), static_cast<std::size_t>(found.size())),
              std::span(expected.data(), static_cast<std::size_t>(expected.size())), tolerance);
}

inline void expect_near(const DenseTensor& found, const DenseTensor& expected, double tolerance) {
  ASSERT_EQ(found.shape(), expected.shape());
  expect_near(found.values(), expected.values(), tolerance);
}

inline constexpr double kRounding = 1e-12;  // relative to the largest number of an answer

inline std::vector<ModelLayout> layouts_of(const Shape& shape) {
  std::vector<ModelLayout> layouts = {ModelLayout::tucker(shape, mixed_ranks(shape))};
  for (int rank : {1, 4, 9}) layouts.push_back(ModelLayout::cp(shape, rank));
  return layouts;
}

inline constexpr Standard kStandard{0.2, 1.5};
inline constexpr double kClips[] = {0.1, 3.0, 1e3};  // most are clipped, some are, hardly any is

}  // namespace tulle::conformance
