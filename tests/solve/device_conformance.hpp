// A device against the naive one: a test of it includes this file and instantiates DeviceConformance. The
// suites of solvers and methods run on it too (naive_device.hpp).
#pragma once

#include "solve/naive_device.hpp"
#include "solve/network/some_network.hpp"
#include "tensor/kernels/conformance.hpp"

#include <tulle/solve/device.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

namespace tulle {
namespace {

using namespace conformance;
using testing::naive;

std::vector<std::uint64_t> all_of(std::size_t count) {
  std::vector<std::uint64_t> all(count);
  std::iota(all.begin(), all.end(), std::uint64_t{0});
  return all;
}

class DeviceConformance : public ::testing::TestWithParam<const Device*> {
 protected:
  const Device& device() const { return *GetParam(); }

  template <class Tensor>
  void expect_same_products(const Tensor& tensor, std::span<const Matrix> matrices) const {
    const auto found = device().cp_sweeps(tensor), expected = naive().cp_sweeps(tensor);
    EXPECT_NEAR(found->norm(), expected->norm(), kRounding * (1 + expected->norm()));
    for (int mode = 0; mode < tensor.order(); ++mode)
      expect_near(found->mttkrp(matrices, mode), expected->mttkrp(matrices, mode), kRounding);
  }

  template <class Tensor>
  void expect_same_sweeps(const Tensor& tensor, int rank) const {
    const auto found = device().cp_sweeps(tensor), expected = naive().cp_sweeps(tensor);
    auto grams = found->start(factors_of(tensor.shape(), rank, 5));
    expected->start(factors_of(tensor.shape(), rank, 5));
    for (int sweep = 0; sweep < 2; ++sweep)
      for (int mode = 0; mode < tensor.order(); ++mode) {
        Matrix system = Matrix::Identity(rank, rank);  // far from singular, whatever the factors are
        for (int other = 0; other < tensor.order(); ++other)
          if (other != mode) system += grams[static_cast<std::size_t>(other)];
        const auto one = found->update(mode, system), other = expected->update(mode, system);
        expect_near(one.gram, other.gram, kSweeps);
        expect_near(one.lengths, other.lengths, kSweeps);
        if (mode + 1 == tensor.order()) {
          EXPECT_NEAR(one.inner, other.inner, kSweeps * (1 + other.inner));
        }
        grams[static_cast<std::size_t>(mode)] = one.gram;
      }
    const auto factors = std::move(*found).take(), naive_factors = std::move(*expected).take();
    for (std::size_t mode = 0; mode < factors.size(); ++mode)
      expect_near(factors[mode], naive_factors[mode], kSweeps);
  }

  template <class Tensor>
  void expect_same_cores(const Tensor& tensor) const {
    const std::vector<int> ranks(static_cast<std::size_t>(tensor.order()), 1);
    const auto found = device().tucker_sweeps(tensor), expected = naive().tucker_sweeps(tensor);
    const double square = expected->squared_norm();
    EXPECT_NEAR(found->squared_norm(), square, kRounding * (1 + square));
    for (const auto& sweeps : {found.get(), expected.get()}) sweeps->start(factors_of(tensor.shape(), 1, 6));
    for (int sweep = 0; sweep < 3; ++sweep)
      EXPECT_NEAR(found->sweep(), expected->sweep(), kSweeps * (1 + square));
    // Vectors are unique up to their signs.
    expect_near(std::move(*found).take().reconstruct(), std::move(*expected).take().reconstruct(), kSweeps);
  }

  static constexpr double kSweeps = 1e-8;  // rounding grows with the condition of the systems on the way
};

TEST_P(DeviceConformance, CpSweeps) {
  for (const Shape& shape : kShapes)
    for (int rank : kRanks) {
      const auto factors = factors_of(shape, rank, 2);
      expect_same_products(samples::dense(shape, 1), factors);
      expect_same_sweeps(samples::dense(shape, 1), rank);
      for (const SparseTensor& tensor : lists_of(shape)) {
        expect_same_products(tensor, factors);
        expect_same_sweeps(tensor, rank);
      }
    }
  expect_same_products(with_long_rows(), factors_of(with_long_rows().shape(), 3, 1));
}

TEST_P(DeviceConformance, TuckerSweeps) {
  for (const Shape& shape : kShapes) {
    expect_same_cores(samples::dense(shape, 1));
    expect_same_cores(samples::sparse(shape, 0.7, 2));
  }
}

CompletionState some_state(const Shape& shape, int rank, bool biases) {
  CompletionState state{.level = 0.25, .scale = 2, .biases = biases};
  for (const Matrix& factor : factors_of(shape, rank, 3)) state.factors.emplace_back(factor);
  state.offsets = offsets_of(shape, 4);
  for (Vector& offsets : state.offsets)
    if (!biases) offsets.setZero();
  state.fitted.resize(state.factors.size());
  std::iota(state.fitted.begin(), state.fitted.end(), 0);
  return state;
}

void expect_same_state(const CompletionState& found, const CompletionState& expected, double tolerance) {
  for (std::size_t mode = 0; mode < found.factors.size(); ++mode) {
    expect_near(found.factors[mode].matrix(), expected.factors[mode].matrix(), tolerance);
    expect_near(found.offsets[mode], expected.offsets[mode], tolerance);
  }
}

TEST_P(DeviceConformance, CompletionRowByRow) {
  constexpr double kTolerance = 1e-9;
  using enum CpCompletion::Measure;
  for (const Shape& shape : kShapes)
    for (const SparseTensor& observed : lists_of(shape)) {
      if (observed.size() == 0) continue;
      for (int rank : kRanks)
        for (bool biases : {false, true}) {
          const CompletionState state = some_state(shape, rank, biases);
          const Prior prior{0.5, std::vector<Vector>(state.factors.size(), Vector::Constant(rank + 1, 0.7))};
          const auto found = device().cp_completion(observed, &observed, state);
          const auto expected = naive().cp_completion(observed, &observed, state);
          for (const auto& each : {found.get(), expected.get()}) {
            each->set(state);
            each->balance();
          }
          expect_same_state(found->state(), expected->state(), kTolerance);
          for (auto measure : {errors, inverses, variances, variances}) {
            for (int mode = 0; mode < shape.order(); ++mode) {
              const auto one = found->update(mode, prior, measure);
              const auto other = expected->update(mode, prior, measure);
              EXPECT_NEAR(one.squares, other.squares, kTolerance * (1 + other.squares));
              EXPECT_NEAR(one.uncertainty, other.uncertainty, kTolerance * (1 + other.uncertainty));
              EXPECT_NEAR(one.freedom, other.freedom, kTolerance * (1 + other.freedom));
              expect_near(one.moments, other.moments, kTolerance);
            }
            expect_same_state(found->state(), expected->state(), kTolerance);
            EXPECT_NEAR(found->validation_rmse(), expected->validation_rmse(), kTolerance);
          }
        }
    }
}

TEST_P(DeviceConformance, CompletionWithoutValidationHasNoError) {
  const SparseTensor observed = samples::sparse(Shape{3, 4}, 0.8, 1, Unlisted::missing);
  EXPECT_TRUE(std::isnan(
      device().cp_completion(observed, nullptr, some_state(observed.shape(), 2, true))->validation_rmse()));
}

// Of CP, single gradients may be computed in floats, and only their sum in doubles; the sums are rounded to a
// grid that follows from the clip (base/sum_grid.hpp), and what is clipped is shortened for it.
TEST_P(DeviceConformance, ClippedGradientsOfCells) {
  for (const Shape& shape : kShapes)
    for (const ModelLayout& layout : layouts_of(shape)) {
      const auto numbers = point_of(layout, 1);
      for (const SparseTensor& cells : lists_of(shape))
        for (double clip : kClips) {
          const auto all = all_of(cells.size());
          const auto found = device().clipped_cells(cells, layout, kStandard, 1)->sum(numbers, all, clip);
          const auto expected = naive().clipped_cells(cells, layout, kStandard, 1)->sum(numbers, all, clip);
          EXPECT_EQ(found.whole, expected.whole);
          EXPECT_EQ(found.clipped, expected.clipped);
          expect_near(found.numbers, expected.numbers, layout.has_core() ? 1e-8 : 4e-6);
        }
    }
}

TEST_P(DeviceConformance, ClippedGradientsOfSlices) {
  for (const Shape& shape : kShapes)
    for (const ModelLayout& layout : layouts_of(shape)) {
      const auto numbers = point_of(layout, 1);
      const SparseTensor cells = samples::sparse(shape, 0.4, 2, Unlisted::missing);
      for (int mode = 0; mode < shape.order(); ++mode)
        for (double clip : kClips) {
          const auto all = all_of(shape[mode]);
          const auto slices = device().clipped_slices(cells, layout, mode, kStandard);
          const auto by_definition = naive().clipped_slices(cells, layout, mode, kStandard);
          expect_near(slices->with_own_rows(numbers, 0.3), by_definition->with_own_rows(numbers, 0.3), 1e-9);
          const ClippedSum found = slices->sum(numbers, 0.3, all, clip);
          const ClippedSum expected = by_definition->sum(numbers, 0.3, all, clip);
          EXPECT_EQ(found.whole, expected.whole);
          EXPECT_EQ(found.clipped, expected.clipped);
          // Every number of a slice is rounded to a grid of clip x 2^-23 or finer, so that sums of 2^27
          // slices are exact; what is clipped is shortened by the length of that rounding.
          expect_near(found.numbers, expected.numbers,
                      1e-8 + shape[mode] * (1 + std::sqrt(layout.size())) * clip * 0x1p-23);
        }
    }
}

// Both vectors of an example's gradient are rounded to multiples of 2^-15 of their lengths, and it is
// shortened for that by sqrt(n) 2^-16 for each.
TEST_P(DeviceConformance, ClippedGradientsOfExamples) {
  const NetworkLayout layout({6, 5, 3}, Activation::tanh);
  const std::vector<double> parameters = testing::some_parameters(layout);
  const auto some = testing::some_examples(40, 6, 3);
  const auto found = device().clipped_examples(some.values, some.labels, layout);
  const auto expected = naive().clipped_examples(some.values, some.labels, layout);
  EXPECT_EQ(found->size(), 40u);
  const std::vector<std::uint64_t> chosen{0, 3, 4, 17, 39};
  for (double clip : {0.5, 2.0, 1000.0}) {
    const ClippedSum one = found->sum(parameters, chosen, clip),
                     other = expected->sum(parameters, chosen, clip);
    EXPECT_EQ(one.whole, other.whole);
    EXPECT_EQ(one.clipped, other.clipped);
    EXPECT_LE(samples::largest_difference(one.numbers, other.numbers), 5 * clip * 0x1p-13);
  }
}

GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(DeviceConformance);

inline std::string name_of_device(const ::testing::TestParamInfo<const Device*>& tested) {
  std::string name(tested.param->name());
  std::ranges::replace(name, ':', '_');
  return name;
}

}  // namespace
}  // namespace tulle
