#include <tulle/base/fft.hpp>
#include <tulle/base/random.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <complex>
#include <numbers>
#include <span>
#include <vector>

namespace tulle {
namespace {

// Signals side by side.
struct Signals {
  std::vector<double> re, im;

  Signals(std::size_t samples, std::uint64_t seed) {
    Random random(seed);
    for (std::size_t i = 0; i < samples; ++i) {
      re.push_back(random.normal());
      im.push_back(random.normal());
    }
  }
};

// exp(-2 pi i j / length).
std::vector<std::complex<double>> roots_of_unity(std::size_t length) {
  std::vector<std::complex<double>> roots;
  for (std::size_t j = 0; j < length; ++j)
    roots.push_back(
        std::polar(1.0, -2 * std::numbers::pi * static_cast<double>(j) / static_cast<double>(length)));
  return roots;
}

// The definition, for the signal that begins at `first`.
std::complex<double> coefficient(const Signals& x, std::span<const std::complex<double>> roots,
                                 std::size_t stride, std::size_t first, std::size_t k) {
  std::complex<double> sum = 0;
  for (std::size_t j = 0; j < roots.size(); ++j)
    sum += std::complex(x.re[j * stride + first], x.im[j * stride + first]) * roots[j * k % roots.size()];
  return sum;
}

// The definition in doubles is off by a few units in the last place of `length` terms of size about 1.
void expect_transform(std::size_t length, std::size_t stride) {
  const Signals x(length * stride, length);
  Signals y = x;
  const Fft fft(length);
  const auto roots = roots_of_unity(length);
  std::vector<double> scratch(fft.scratch_samples() * stride);
  fft.forward(y.re.data(), y.im.data(), stride, scratch.data());
  for (std::size_t first = 0; first < stride; first += stride / 2 + 1)
    for (std::size_t k = 0; k < length; ++k) {
      const auto expected = coefficient(x, roots, stride, first, k);
      const std::complex<double> found(y.re[k * stride + first], y.im[k * stride + first]);
      ASSERT_LT(std::abs(found - expected), 1e-15 * (10 + static_cast<double>(length))) << length << " " << k;
    }
  fft.forward(y.im.data(), y.re.data(), stride, scratch.data());  // swapped: the inverse
  for (std::size_t i = 0; i < x.re.size(); ++i) {
    ASSERT_NEAR(y.re[i] / static_cast<double>(length), x.re[i], 1e-13);
    ASSERT_NEAR(y.im[i] / static_cast<double>(length), x.im[i], 1e-13);
  }
}

// Products of 4, 2 and odd primes up to the largest factor, and lengths beyond it, which take the
// convolution.
TEST(Fft, OfSeveralSignalsAgreesWithTheDefinition) {
  for (std::size_t length = 1; length <= 70; ++length) expect_transform(length, Fft::kLanes);
  for (const std::size_t length : {122u, 127u, 134u, 210u}) expect_transform(length, 2 * Fft::kLanes);
}

TEST(Fft, OfOneSignalOfAPowerOfTwoAgreesWithTheDefinition) {
  for (const std::size_t length : {1u, 2u, 4u, 8u, 32u, 512u}) expect_transform(length, 1);
}

}  // namespace
}  // namespace tulle
