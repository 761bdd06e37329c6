#include "account/fourier.hpp"

#include <tulle/base/random.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <complex>
#include <numbers>
#include <vector>

namespace tulle {
namespace {

TEST(Fourier, AgreesWithTheDefinitionAndItsInverse) {
  Random random(7);
  for (std::size_t size : {8u, 16u, 32u, 64u, 512u}) {
    std::vector<double> x(size);
    for (double& value : x) value = random.normal();
    account::RealFourier fourier(size);
    const auto transform = fourier.forward(x);
    for (std::size_t k = 0; k <= size / 2; ++k) {
      std::complex<double> sum = 0;
      for (std::size_t j = 0; j < size; ++j)
        sum += x[j] * std::polar(1.0, -2 * std::numbers::pi * static_cast<double>(j * k % size) /
                                          static_cast<double>(size));
      EXPECT_LT(std::abs(sum - transform[k]), 1e-12 * static_cast<double>(size));
    }
    const auto back = fourier.inverse(transform);
    for (std::size_t j = 0; j < size; ++j) EXPECT_NEAR(back[j], x[j], 1e-13);
  }
}

// The bound is on 2-norms: forward and back together stay within twice of it.
TEST(Fourier, RoundingStaysWithinItsBound) {
  Random random(8);
  for (const std::size_t size : {1u << 10, 1u << 13, 1u << 16}) {
    account::RealFourier fourier(size);
    std::vector<double> x(size);
    for (double& value : x) value = random.normal();
    const auto back = fourier.inverse(fourier.forward(x));
    double error = 0, norm = 0;
    for (std::size_t j = 0; j < size; ++j) {
      error += (back[j] - x[j]) * (back[j] - x[j]);
      norm += x[j] * x[j];
    }
    EXPECT_LE(std::sqrt(error), 2 * fourier.rounding() * std::sqrt(norm));
    EXPECT_LT(fourier.rounding(), 1e-13);
  }
}

}  // namespace
}  // namespace tulle
