#include "tensor/kernels/reference.hpp"

#include <tulle/base/error.hpp>
#include <tulle/base/random.hpp>
#include <tulle/base/threads.hpp>
#include <tulle/tensor/tubal/spectrum.hpp>
#include <tulle/tensor/tubal/tproduct.hpp>
#include <tulle/tensor/tubal/tsvd.hpp>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <numbers>

namespace tulle {
namespace {

DenseTensor random_tensor(const Shape& shape, std::uint64_t seed) {
  Random random(seed);
  DenseTensor tensor(shape);
  for (double& value : tensor.values()) value = random.normal();
  return tensor;
}

double distance(const DenseTensor& a, const DenseTensor& b) {
  EXPECT_EQ(a.shape(), b.shape());
  double largest = 0;
  for (std::size_t i = 0; i < a.size(); ++i)
    largest = std::max(largest, std::abs(a.values()[i] - b.values()[i]));
  return largest;
}

Shape shape_of(std::initializer_list<std::uint64_t> first, const std::vector<std::uint64_t>& tubes) {
  std::vector<std::uint64_t> sizes(first);
  sizes.insert(sizes.end(), tubes.begin(), tubes.end());
  return Shape(sizes);
}

rc::Gen<std::vector<std::uint64_t>> tube_sizes() {  // of 1 to 3 modes, odd and even and 1
  return rc::gen::mapcat(rc::gen::inRange<std::size_t>(1, 4), [](std::size_t modes) {
    return rc::gen::container<std::vector<std::uint64_t>>(modes, rc::gen::inRange<std::uint64_t>(1, 7));
  });
}

DenseTensor compose(const TSvd& svd) {
  const Shape& u = svd.u.shape();
  DenseTensor s(u.with(0, u[1]));
  const std::size_t depth = u.stride(1), rank = u[1];
  for (std::size_t r = 0; r < rank; ++r)
    for (std::size_t k = 0; k < depth; ++k)
      s.values()[(r * rank + r) * depth + k] = svd.s.values()[r * depth + k];
  return t_product(t_product(svd.u, s), t_transpose(svd.v));
}

DenseTensor tube(std::vector<double> values) {
  const std::uint64_t length = values.size();
  return DenseTensor(Shape{1, 1, length}, std::move(values));
}

TEST(Spectrum, TwoSlicesAreSumAndDifference) {
  const DenseTensor x = random_tensor({3, 4, 2}, 1);
  const Spectrum spectrum(x);
  ASSERT_EQ(spectrum.slices(), 2u);
  for (std::size_t slice : {0u, 1u}) {
    ASSERT_TRUE(spectrum.is_real(slice));
    for (Index i = 0; i < 3; ++i)
      for (Index j = 0; j < 4; ++j) {
        const Index first[] = {i, j, 0}, second[] = {i, j, 1};
        EXPECT_DOUBLE_EQ(spectrum.real(slice)(i, j),
                         slice == 0 ? x[first] + x[second] : x[first] - x[second]);
      }
  }
}

// 4 x 6 tubes: k = (0 or 2, 0 or 3) are their own partners, the other 20 slices make 10 pairs.
TEST(Spectrum, HoldsHalfOfTheSlices) {
  const Spectrum spectrum(Shape{2, 2, 4, 6});
  std::vector<std::size_t> real;
  for (std::size_t slice = 0; slice < spectrum.slices(); ++slice)
    if (spectrum.is_real(slice)) real.push_back(spectrum.frequency(slice));
  EXPECT_EQ(real, (std::vector<std::size_t>{0, 3, 12, 15}));
  EXPECT_EQ(spectrum.slices(), 14u);
  EXPECT_EQ(Spectrum(Shape{2, 2, 5, 3}).slices(), 8u);
}

void expect_transform(const DenseTensor& x) {
  const Shape& shape = x.shape();
  const Spectrum spectrum(x);
  const std::size_t depth = spectrum.depth();
  for (std::size_t slice = 0; slice < spectrum.slices(); ++slice)
    for (std::size_t cell = 0; cell < x.size() / depth; ++cell) {
      std::complex<double> expected = 0;
      for (std::size_t place = 0; place < depth; ++place) {
        double turns = 0;
        for (int mode = 2; mode < shape.order(); ++mode) {
          const std::size_t stride = shape.stride(mode), size = shape[mode];
          turns += static_cast<double>(place / stride % size * (spectrum.frequency(slice) / stride % size) %
                                       size) /
                   size;
        }
        expected += x.values()[cell * depth + place] * std::polar(1.0, -2 * std::numbers::pi * turns);
      }
      const auto row = static_cast<Eigen::Index>(cell / shape[1]),
                 column = static_cast<Eigen::Index>(cell % shape[1]);
      const std::complex<double> found =
          spectrum.is_real(slice) ? spectrum.real(slice)(row, column) : spectrum.complex(slice)(row, column);
      ASSERT_LT(std::abs(found - expected), 1e-12 * depth)
          << shape.text() << " slice " << slice << " cell " << cell;
    }
  EXPECT_LT(distance(spectrum.inverse(), x), 1e-13 * std::log2(2.0 * depth));
}

// Every kind of step: 4, 2, small and large odd primes, and primes that go through a convolution (67, 251, 2
// * 71).
TEST(Spectrum, IsTheFourierTransformForAnyLength) {
  for (std::uint64_t length :
       {1, 2, 3, 4, 5, 6, 7, 8, 12, 16, 17, 30, 32, 40, 49, 50, 61, 64, 67, 97, 120, 122, 142, 251})
    expect_transform(random_tensor({3, 6, length}, length));
}

RC_GTEST_PROP(Spectrum, IsTheFourierTransformInManyModes, ()) {
  const auto tubes = *tube_sizes();
  const auto rows = *rc::gen::inRange<std::uint64_t>(1, 6);
  expect_transform(random_tensor(shape_of({rows, 3}, tubes), 5));
}

TEST(Spectrum, UpdatesTubesInPlace) {
  const DenseTensor x = random_tensor({5, 7, 6}, 2);
  Spectrum spectrum(x);
  spectrum.update_tubes([&](std::size_t block, std::span<double> tubes) {
    const std::size_t begin = block * Spectrum::kTubesPerBlock * 6;
    for (std::size_t i = 0; i < tubes.size(); ++i) {
      EXPECT_NEAR(tubes[i], x.values()[begin + i], 1e-14);
      tubes[i] = static_cast<double>(begin + i);
    }
  });
  const DenseTensor changed = spectrum.inverse();
  for (std::size_t i = 0; i < changed.size(); ++i)
    EXPECT_NEAR(changed.values()[i], static_cast<double>(i), 1e-11);
}

TEST(TProduct, OfTubesIsCircularConvolution) {
  EXPECT_LT(distance(t_product(tube({1, 2}), tube({3, 4})), tube({11, 10})), 1e-14);
}

RC_GTEST_PROP(TProduct, IsTheBlockCirculantProduct, ()) {
  const auto tubes = *tube_sizes();
  const auto n1 = *rc::gen::inRange<std::uint64_t>(1, 5), m = *rc::gen::inRange<std::uint64_t>(1, 5),
             n2 = *rc::gen::inRange<std::uint64_t>(1, 5);
  const DenseTensor a = random_tensor(shape_of({n1, m}, tubes), 1),
                    b = random_tensor(shape_of({m, n2}, tubes), 2);
  const DenseTensor product = t_product(a, b);
  RC_ASSERT(distance(product, reference::t_product(a, b)) < 1e-11);
  RC_ASSERT(distance(t_transpose(product), t_product(t_transpose(b), t_transpose(a))) < 1e-11);
  RC_ASSERT(t_transpose(t_transpose(a)) == a);
  RC_ASSERT(distance(t_product(t_identity(shape_of({n1, n1}, tubes)), a), a) < 1e-12);
}

// Slice k of the transpose is slice -k transposed: here slices 1 and 2 change places.
TEST(TProduct, TransposeTurnsTheSlicesRound) {
  const DenseTensor a(Shape{1, 2, 3}, {1, 2, 3, 4, 5, 6});
  EXPECT_EQ(t_transpose(a), DenseTensor(Shape({2, 1, 3}), {1, 3, 2, 4, 6, 5}));
}

RC_GTEST_PROP(TSvd, ComposesToTheTensorWithOrthogonalFactors, ()) {
  const auto tubes = *tube_sizes();
  const auto n1 = *rc::gen::inRange<std::uint64_t>(1, 7), n2 = *rc::gen::inRange<std::uint64_t>(1, 7);
  const DenseTensor x = random_tensor(shape_of({n1, n2}, tubes), 3);
  const TSvd svd = t_svd(x);
  const std::uint64_t r = std::min(n1, n2);
  RC_ASSERT(svd.u.shape() == shape_of({n1, r}, tubes));
  RC_ASSERT(svd.s.shape() == shape_of({r}, tubes));
  RC_ASSERT(distance(compose(svd), x) < 1e-12);
  RC_ASSERT(distance(t_product(t_transpose(svd.u), svd.u), t_identity(shape_of({r, r}, tubes))) < 1e-13);
  RC_ASSERT(distance(t_product(t_transpose(svd.v), svd.v), t_identity(shape_of({r, r}, tubes))) < 1e-13);
  RC_ASSERT(svd.residual < 1e-13);
}

TEST(TSvd, TruncationFindsATensorOfThatRank) {
  const DenseTensor x = t_product(random_tensor({9, 2, 4, 3}, 1), random_tensor({2, 8, 4, 3}, 2));
  EXPECT_LT(distance(compose(t_svd(x, 2)), x), 1e-12);

  const TSvd rank_1 = t_svd(x, 1);
  const DenseTensor nearest = compose(rank_1);
  double square = 0;
  for (std::size_t i = 0; i < x.size(); ++i) square += std::pow(x.values()[i] - nearest.values()[i], 2);
  EXPECT_NEAR(rank_1.residual, std::sqrt(square), 1e-11);
  EXPECT_GT(rank_1.residual, 1);
}

TEST(TubalNuclearNorm, OfATubeOfTwoIsTheLarger) {
  EXPECT_NEAR(tubal_nuclear_norm(tube({3, 1})), 3, 1e-14);
  EXPECT_NEAR(tubal_nuclear_norm(tube({-2, 5})), 5, 1e-14);
}

TEST(ShrinkTubal, OfATube) {  // Fourier (4, 2) -> (3, 1)
  EXPECT_LT(distance(shrink_tubal(tube({3, 1}), 1), tube({2, 1})), 1e-14);
}

// With d = x - p, p = prox(x), optimality says d / t is a subgradient of the norm at p: <d, p> = t |p|, and
// the spectral norm of every slice of d is t at most, so that shrinking d by t leaves nothing.
RC_GTEST_PROP(ShrinkTubal, IsTheProximalOperator, ()) {
  const auto tubes = *tube_sizes();
  const auto n1 = *rc::gen::inRange<std::uint64_t>(1, 9), n2 = *rc::gen::inRange<std::uint64_t>(1, 9);
  const double t = *rc::gen::element(0.0, 1e-9, 0.3, 2.0, 8.0);
  const DenseTensor x = random_tensor(shape_of({n1, n2}, tubes), 4), p = shrink_tubal(x, t);
  DenseTensor d = x;
  double product = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    d.values()[i] -= p.values()[i];
    product += d.values()[i] * p.values()[i];
  }
  RC_ASSERT(std::abs(product - t * tubal_nuclear_norm(p)) < 1e-10 * (1 + product));
  RC_ASSERT(tubal_nuclear_norm(shrink_tubal(d, t + 1e-12)) < 1e-10);
}

TEST(SpectralShrinkage, GivesTheFactorsOfItsResult) {
  for (const Shape& shape : {Shape{8, 6, 5}, Shape{6, 9, 4, 2}}) {
    Spectrum spectrum(random_tensor(shape, 6));
    SpectralShrinkage shrinkage;
    const auto outcome = shrinkage.shrink(spectrum, 5.0, 0);
    ASSERT_GT(outcome.rank, 0);
    ASSERT_LT(outcome.rank, 6);
    const DenseTensor result = spectrum.inverse();
    const TSvd svd = shrinkage.factors(spectrum);
    const std::uint64_t r = outcome.rank;
    EXPECT_EQ(svd.u.shape()[1], r);
    EXPECT_LT(distance(compose(svd), result), 1e-12);
    EXPECT_LT(distance(t_product(t_transpose(svd.u), svd.u), t_identity(shape.with(0, r).with(1, r))), 1e-13);
    EXPECT_LT(distance(t_product(t_transpose(svd.v), svd.v), t_identity(shape.with(0, r).with(1, r))), 1e-13);
    EXPECT_NEAR(outcome.nuclear_norm, tubal_nuclear_norm(result), 1e-11);
  }
}

TEST(SpectralShrinkage, ReportsTheChangeAndKeepsToTheRankLimit) {
  const DenseTensor x = random_tensor({7, 7, 3}, 7);
  Spectrum spectrum(x);
  SpectralShrinkage shrinkage;
  const auto outcome = shrinkage.shrink(spectrum, 0.5, 2);
  EXPECT_EQ(outcome.rank, 2);
  const DenseTensor result = spectrum.inverse();
  double change = 0;
  for (std::size_t i = 0; i < x.size(); ++i) change += std::pow(x.values()[i] - result.values()[i], 2);
  EXPECT_NEAR(outcome.squared_change, change, 1e-10);
}

TEST(SpectralShrinkage, OfZeroIsZero) {
  Spectrum spectrum(Shape{3, 4, 5});
  SpectralShrinkage shrinkage;
  EXPECT_EQ(shrinkage.shrink(spectrum, 1, 0).rank, 0);
  EXPECT_EQ(compose(shrinkage.factors(spectrum)), DenseTensor(Shape{3, 4, 5}));
}

TEST(TProduct, DoesNotDependOnThreads) {
  const DenseTensor a = random_tensor({20, 15, 9}, 8), b = random_tensor({15, 10, 9}, 9);
  const int before = threads();
  set_threads(1);
  const DenseTensor product = t_product(a, b), shrunk = shrink_tubal(a, 10);
  for (int count : {2, 3}) {
    set_threads(count);
    EXPECT_EQ(t_product(a, b), product);
    EXPECT_EQ(shrink_tubal(a, 10), shrunk);
  }
  set_threads(before);
}

template <class F>
std::string error_of(F&& f) {
  try {
    f();
  } catch (const Error& error) {
    return error.what();
  }
  return "no error";
}

TEST(TProduct, RefusesWhatDoesNotFit) {
  const DenseTensor a(Shape{2, 3, 4}), matrix(Shape{2, 3});
  EXPECT_EQ(error_of([&] { t_product(a, a); }),
            "the t-product of a 2x3x4 and a 2x3x4 tensor: the second size of the one must be the first of "
            "the other, and modes "
            "3 on must agree");
  EXPECT_EQ(error_of([&] { t_transpose(matrix); }),
            "the t-product needs 3 modes or more, but this is a 2x3 matrix; use a cp model for matrices");
  EXPECT_EQ(error_of([&] { t_identity(a.shape()); }),
            "the identity of the t-product has equal first two sizes; 2x3x4 has not");
  EXPECT_EQ(error_of([&] { t_svd(a, 3); }), "rank 3 of a 2x3x4 tensor: the tubal rank lies between 1 and 2");
  EXPECT_EQ(error_of([&] { shrink_tubal(a, -1); }), "the threshold -1 is negative");
}

TEST(TSvd, RefusesValuesThatAreNotFinite) {
  DenseTensor x = random_tensor({3, 3, 4}, 1);
  x.values()[5] = std::numeric_limits<double>::quiet_NaN();
  EXPECT_NE(error_of([&] { t_svd(x); }), "no error");
  EXPECT_NE(error_of([&] { shrink_tubal(x, 1); }), "no error");
}

}  // namespace
}  // namespace tulle
