#include "io/expect_error.hpp"
#include "tensor/tubal/tubes_sample.hpp"

#include <tulle/base/threads.hpp>
#include <tulle/tensor/tubal/tsvd.hpp>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace tulle {
namespace {

using namespace samples;

RC_GTEST_PROP(TSvd, ComposesToTheTensorWithOrthogonalFactors, ()) {
  const auto tubes = *tube_sizes();
  const auto n1 = *rc::gen::inRange<std::uint64_t>(1, 7), n2 = *rc::gen::inRange<std::uint64_t>(1, 7);
  const DenseTensor x = dense(shape_of({n1, n2}, tubes), 3);
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
  const DenseTensor x = t_product(dense({9, 2, 4, 3}, 1), dense({2, 8, 4, 3}, 2));
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
  const DenseTensor x = dense(shape_of({n1, n2}, tubes), 4), p = shrink_tubal(x, t);
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
    Spectrum spectrum(dense(shape, 6));
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
  const DenseTensor x = dense({7, 7, 3}, 7);
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

TEST(ShrinkTubal, DoesNotDependOnThreads) {
  const DenseTensor a = dense({20, 15, 9}, 8);
  const int before = threads();
  set_threads(1);
  const DenseTensor shrunk = shrink_tubal(a, 10);
  for (int count : {2, 3}) {
    set_threads(count);
    EXPECT_EQ(shrink_tubal(a, 10), shrunk);
  }
  set_threads(before);
}

TEST(TSvd, RefusesRanksThatDoNotFit) {
  const DenseTensor a(Shape{2, 3, 4});
  EXPECT_MESSAGE(t_svd(a, 3), "rank 3 of a 2x3x4 tensor: the tubal rank lies between 1 and 2");
}

TEST(TSvd, RefusesValuesThatAreNotFinite) {
  DenseTensor x = dense({3, 3, 4}, 1);
  x.values()[5] = std::numeric_limits<double>::quiet_NaN();
  EXPECT_THROW(t_svd(x), Error);
  EXPECT_THROW(shrink_tubal(x, 1), Error);
}

}  // namespace
}  // namespace tulle
