#include "tensor/tubal/tubes_sample.hpp"

#include <tulle/tensor/tubal/spectrum.hpp>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <numbers>

namespace tulle {
namespace {

using namespace samples;

TEST(Spectrum, TwoSlicesAreSumAndDifference) {
  const DenseTensor x = dense({3, 4, 2}, 1);
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
    expect_transform(dense({3, 6, length}, length));
}

RC_GTEST_PROP(Spectrum, IsTheFourierTransformInManyModes, ()) {
  const auto tubes = *tube_sizes();
  const auto rows = *rc::gen::inRange<std::uint64_t>(1, 6);
  expect_transform(dense(shape_of({rows, 3}, tubes), 5));
}

TEST(Spectrum, UpdatesTubesInPlace) {
  const DenseTensor x = dense({5, 7, 6}, 2);
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

}  // namespace
}  // namespace tulle
