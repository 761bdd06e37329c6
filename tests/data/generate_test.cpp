#include "expect_error.hpp"

#include <tulle/base/threads.hpp>
#include <tulle/data/generate.hpp>
#include <tulle/data/metrics.hpp>
#include <tulle/tensor/decompositions.hpp>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <complex>
#include <numbers>
#include <numeric>

namespace tulle {
namespace {

double mean(std::span<const double> values) {
  return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

double variance(std::span<const double> values) {
  const double center = mean(values);
  double squares = 0;
  for (double value : values) squares += (value - center) * (value - center);
  return squares / static_cast<double>(values.size());
}

std::vector<double> difference(const DenseTensor& a, const DenseTensor& b) {
  std::vector<double> result(a.size());
  for (std::size_t cell = 0; cell < a.size(); ++cell) result[cell] = a.values()[cell] - b.values()[cell];
  return result;
}

Shape some_shape() {
  const auto sizes =
      *rc::gen::suchThat(rc::gen::container<std::vector<std::uint64_t>>(rc::gen::inRange(2, 5)),
                         [](const auto& s) { return s.size() >= 2 && s.size() <= 5; });
  return Shape(sizes);
}

int numerical_rank(const Eigen::MatrixXd& matrix) {
  const Vector values = thin_svd(matrix).values;
  return static_cast<int>((values.array() > 1e-10 * values[0]).count());
}

// How many dimensions the mode's fibres span: the rank of the unfolding.
int unfolding_rank(const DenseTensor& tensor, int mode) {
  const Shape& shape = tensor.shape();
  Eigen::MatrixXd unfolding = Eigen::MatrixXd::Zero(shape[mode], tensor.size() / shape[mode]);
  const std::size_t stride = shape.stride(mode);
  for (std::size_t cell = 0; cell < tensor.size(); ++cell)
    unfolding(cell / stride % shape[mode], cell / (stride * shape[mode]) * stride + cell % stride) =
        tensor.values()[cell];
  return numerical_rank(unfolding);
}

RC_GTEST_PROP(DrawCp, ColumnsHaveUnitLength, ()) {
  const Cp model = draw_cp(some_shape(), 3, *rc::gen::arbitrary<std::uint64_t>());
  for (const Matrix& factor : model.factors)
    RC_ASSERT((factor.colwise().norm().array() - 1).abs().maxCoeff() < 1e-12);
}

RC_GTEST_PROP(DrawTucker, ColumnsAreOrthonormal, ()) {
  const Shape shape = some_shape();
  const std::vector<Index> ranks(shape.order(), 2);
  const Tucker model = draw_tucker(shape, ranks, *rc::gen::arbitrary<std::uint64_t>());
  for (const Matrix& factor : model.factors)
    RC_ASSERT((factor.transpose() * factor - Matrix::Identity(2, 2)).cwiseAbs().maxCoeff() < 1e-12);
  RC_ASSERT(model.core.shape() == Shape(std::vector<std::uint64_t>(shape.order(), 2)));
}

RC_GTEST_PROP(Generate, TruthIsScaledToTheUnitInterval, ()) {
  const Shape shape = some_shape();
  const auto seed = *rc::gen::arbitrary<std::uint64_t>();
  const std::vector<Index> ranks(shape.order(), 2);
  for (const Synthetic& data : {generate_cp(shape, 2, seed), generate_tucker(shape, ranks, seed)}) {
    const auto [low, high] = std::minmax_element(data.truth.values().begin(), data.truth.values().end());
    RC_ASSERT(*low == 0);
    RC_ASSERT(*high == 1);
    RC_ASSERT(data.truth.shape() == shape);
    RC_ASSERT(data.truth != data.noisy);
  }
}

// Scaled truth against the sum of outer products, cell by cell.
TEST(GenerateCp, IsTheScaledModel) {
  const Shape shape{4, 3, 2, 3};
  const Cp model = draw_cp(shape, 3, 5);
  const DenseTensor truth = generate_cp(shape, 3, 5).truth;
  DenseTensor expected(shape);
  for (Index i = 0; i < 4; ++i)
    for (Index j = 0; j < 3; ++j)
      for (Index k = 0; k < 2; ++k)
        for (Index l = 0; l < 3; ++l) {
          const std::array<Index, 4> cell = {i, j, k, l};
          for (int r = 0; r < 3; ++r)
            expected[cell] += model.factors[0](i, r) * model.factors[1](j, r) * model.factors[2](k, r) *
                              model.factors[3](l, r);
        }
  const auto [low, high] = std::minmax_element(expected.values().begin(), expected.values().end());
  for (std::size_t cell = 0; cell < truth.size(); ++cell)
    EXPECT_NEAR(truth.values()[cell], (expected.values()[cell] - *low) / (*high - *low), 1e-12);
}

TEST(GenerateTucker, IsTheScaledModel) {
  const Shape shape{4, 3, 5};
  const std::array<Index, 3> ranks = {2, 3, 2};
  const Tucker model = draw_tucker(shape, ranks, 5);
  const DenseTensor truth = generate_tucker(shape, ranks, 5).truth;
  DenseTensor expected(shape);
  for (Index i = 0; i < 4; ++i)
    for (Index j = 0; j < 3; ++j)
      for (Index k = 0; k < 5; ++k)
        for (Index p = 0; p < 2; ++p)
          for (Index q = 0; q < 3; ++q)
            for (Index t = 0; t < 2; ++t)
              expected[std::array<Index, 3>{i, j, k}] += model.core[std::array<Index, 3>{p, q, t}] *
                                                         model.factors[0](i, p) * model.factors[1](j, q) *
                                                         model.factors[2](k, t);
  const auto [low, high] = std::minmax_element(expected.values().begin(), expected.values().end());
  for (std::size_t cell = 0; cell < truth.size(); ++cell)
    EXPECT_NEAR(truth.values()[cell], (expected.values()[cell] - *low) / (*high - *low), 1e-12);
}

// The setting of Wei et al. 2022, 5.1. Scaling adds a constant, hence one dimension more than the rank of 3.
TEST(Generate, RanksArePaperRanks) {
  const Shape shape{20, 20, 20};
  const std::array<Index, 3> ranks = {3, 3, 3};
  for (int mode = 0; mode < 3; ++mode) {
    EXPECT_EQ(unfolding_rank(generate_cp(shape, 3, 1).truth, mode), 4);
    EXPECT_EQ(unfolding_rank(generate_tucker(shape, ranks, 1).truth, mode), 4);
  }
}

// 8000 noise values: their variance has a relative standard error of sqrt(2 / 8000) = 0.016, their mean of 1
// / sqrt(8000); 6 of either is a false alarm of 2e-9.
TEST(Generate, NoiseHasTheStatedSnr) {
  const Shape shape{20, 20, 20};
  const std::array<Index, 3> ranks = {3, 3, 3};
  for (double snr : {1.0, 25.0}) {
    for (const Synthetic& data : {generate_cp(shape, 3, 1, snr), generate_tucker(shape, ranks, 1, snr),
                                  generate_tubal(shape, 2, 1, snr)}) {
      const auto noise = difference(data.noisy, data.truth);
      const double expected = variance(data.truth.values()) / snr;
      EXPECT_NEAR(variance(noise) / expected, 1, 6 * std::sqrt(2.0 / 8000));
      EXPECT_NEAR(mean(noise) / std::sqrt(expected), 0, 6 / std::sqrt(8000));
    }
  }
}

TEST(Generate, NoiselessIsTheTruth) {
  const Synthetic cp = generate_cp(Shape{3, 4, 5}, 2, 1, kNoiseless),
                  tubal = generate_tubal(Shape{3, 4, 5}, 2, 1);
  EXPECT_EQ(cp.truth, cp.noisy);
  EXPECT_EQ(tubal.truth, tubal.noisy);
}

TEST(Generate, SnrDoesNotChangeTheTruthAndSeedsDo) {
  const Shape shape{3, 4, 5};
  EXPECT_EQ(generate_cp(shape, 2, 1, 1).truth, generate_cp(shape, 2, 1, 9).truth);
  EXPECT_NE(generate_cp(shape, 2, 1).truth, generate_cp(shape, 2, 2).truth);
  EXPECT_NE(generate_tubal(shape, 2, 1).truth, generate_tubal(shape, 2, 2).truth);
}

TEST(Generate, ThreadsDoNotMatter) {
  const Shape shape{60, 50, 40};  // more than one piece of noise
  const std::array<Index, 3> ranks = {3, 3, 3};
  const int before = threads();
  set_threads(1);
  const Synthetic cp = generate_cp(shape, 3, 1), tucker = generate_tucker(shape, ranks, 1),
                  tubal = generate_tubal(shape, 2, 1, 1);
  for (int count : {2, 3}) {
    set_threads(count);
    EXPECT_LT(rse(cp.noisy.values(), generate_cp(shape, 3, 1).noisy.values()), 1e-14);
    EXPECT_EQ(tucker.noisy, generate_tucker(shape, ranks, 1).noisy);
    EXPECT_EQ(tubal.noisy, generate_tubal(shape, 2, 1, 1).noisy);
  }
  set_threads(before);
}

// The slice of the discrete Fourier transform along modes 3..N at one frequency, by the definition.
Eigen::MatrixXcd fourier_slice(const DenseTensor& x, std::span<const Index> frequency) {
  const Shape& shape = x.shape();
  Eigen::MatrixXcd slice = Eigen::MatrixXcd::Zero(shape[0], shape[1]);
  const std::size_t tube = shape.stride(1);
  for (std::size_t cell = 0; cell < x.size(); ++cell) {
    double turns = 0;
    for (int mode = 2; mode < shape.order(); ++mode)
      turns +=
          static_cast<double>(cell / shape.stride(mode) % shape[mode]) * frequency[mode - 2] / shape[mode];
    slice(cell / tube / shape[1], cell / tube % shape[1]) +=
        x.values()[cell] * std::polar(1.0, -2 * std::numbers::pi * turns);
  }
  return slice;
}

// A + iB as the real matrix (A, -B; B, A), which has every singular value twice.
int rank_of(const Eigen::MatrixXcd& matrix) {
  Eigen::MatrixXd both(2 * matrix.rows(), 2 * matrix.cols());
  both << matrix.real(), -matrix.imag(), matrix.imag(), matrix.real();
  return numerical_rank(both) / 2;
}

// The tubal rank is the largest rank of a slice in the Fourier domain; here all have it. A tube of 70
// positions takes more than one block of columns.
TEST(GenerateTubal, EveryFourierSliceHasTheRank) {
  const DenseTensor order3 = generate_tubal(Shape{7, 6, 5}, 2, 1).truth;
  for (Index a = 0; a < 5; ++a) EXPECT_EQ(rank_of(fourier_slice(order3, std::array<Index, 1>{a})), 2);
  const DenseTensor order4 = generate_tubal(Shape{5, 6, 10, 7}, 3, 1).truth;
  for (Index a = 0; a < 10; ++a)
    for (Index b = 0; b < 7; ++b) EXPECT_EQ(rank_of(fourier_slice(order4, std::array<Index, 2>{a, b})), 3);
}

// Cells are sums of rank * tube products of independent standard normals: variance 2 * 20 = 40. The variance
// of 200 x 200 x 20 such cells is within 25 % of it by far (each factor's norms vary by a few per cent).
TEST(GenerateTubal, HasTheSpreadOfNormalFactors) {
  const DenseTensor truth = generate_tubal(Shape{200, 200, 20}, 2, 3).truth;
  EXPECT_NEAR(variance(truth.values()), 40, 10);
}

TEST(Generate, RefusesBadRequests) {
  const Shape shape{3, 4, 5};
  const std::array<Index, 3> too_large = {3, 4, 6};
  const std::array<Index, 2> too_few = {3, 4};
  expect_error<UsageError>([&] { generate_cp(shape, 0, 1); }, "rank 0");
  expect_error<UsageError>([&] { generate_tubal(shape, -1, 1); }, "rank -1");
  expect_error<UsageError>([&] { generate_tubal(Shape{3, 4}, 1, 1); }, "has no tubes");
  expect_error<UsageError>([&] { generate_tucker(shape, too_large, 1); }, "rank 6 of mode 3: give 1 to 5");
  expect_error<UsageError>([&] { generate_tucker(shape, too_few, 1); }, "2 ranks for a 3x4x5 tensor");
  expect_error<UsageError>([&] { generate_cp(shape, 1, 1, 0); }, "signal-to-noise ratio 0");
}

RC_GTEST_PROP(Observe, TakesExactlyTheShareOfDistinctCells, ()) {
  const Shape shape = some_shape();
  const DenseTensor truth = generate_cp(shape, 1, 1).truth;
  const double fraction = *rc::gen::inRange(25, 101) / 100.0;
  const SparseTensor seen = observe(truth, fraction, *rc::gen::arbitrary<std::uint64_t>());
  RC_ASSERT(seen.size() ==
            static_cast<std::size_t>(std::lround(fraction * static_cast<double>(truth.size()))));
  RC_ASSERT(seen.unlisted() == Unlisted::missing);
  std::size_t next = 0;
  for (std::size_t entry = 0; entry < seen.size(); ++entry) {
    const auto cell = seen.cells().cell(entry);
    const std::size_t offset = shape.offset(std::span(cell).first(shape.order()));
    RC_ASSERT(offset >= next);  // ascending, so distinct
    RC_ASSERT(seen.values()[entry] == static_cast<float>(truth.values()[offset]));
    next = offset + 1;
  }
}

TEST(Observe, RefusesBadFractions) {
  const DenseTensor tensor(Shape{2, 2});
  expect_error<UsageError>([&] { observe(tensor, 0, 1); }, "observed fraction 0");
  expect_error<UsageError>([&] { observe(tensor, 1.5, 1); }, "observed fraction 1.5");
  expect_error([&] { observe(tensor, 0.1, 1); }, "0.1 of 4 cells is none");
}

// Rates of mean 4, and counts whose errors have the variance of a Poisson: 6 standard errors.
TEST(GenerateCounts, ArePoissonAroundALowRank) {
  const Synthetic made = generate_counts(Shape{60, 50}, 2, 3);
  double rates = 0, errors = 0, squares = 0;
  for (std::size_t i = 0; i < made.truth.size(); ++i) {
    const double rate = made.truth.values()[i], count = made.noisy.values()[i];
    EXPECT_EQ(count, std::floor(count));
    rates += rate;
    errors += (count - rate) / std::sqrt(rate);
    squares += (count - rate) * (count - rate) / rate;
  }
  EXPECT_NEAR(rates, 3000 * kMeanCount, 1e-8);
  EXPECT_NEAR(errors / 3000, 0, 6 / std::sqrt(3000.0));
  EXPECT_NEAR(squares / 3000, 1, 6 * 3 / std::sqrt(3000.0));
  const Eigen::Map<const Matrix> matrix(made.truth.values().data(), 60, 50);
  const Vector squares_of_values = eigenvalues(matrix.transpose() * matrix);  // ascending
  EXPECT_LT(squares_of_values[47], 1e-10 * squares_of_values[49]);
}

}  // namespace
}  // namespace tulle
