// The discrete Fourier transform of real sequences whose length is a power of two, with a bound on its
// rounding.
#pragma once

#include <tulle/base/fft.hpp>

#include <complex>
#include <cstddef>
#include <span>
#include <vector>

namespace tulle::account {

class RealFourier {
 public:
  explicit RealFourier(std::size_t size);  // a power of two, at least 8

  std::size_t size() const { return 2 * fft_.length(); }

  // X_k = sum_j x_j exp(-2 pi i j k / size) for k = 0 .. size/2; the rest are their conjugates.
  std::vector<std::complex<double>> forward(std::span<const double> x);

  // The sequence with this transform.
  std::vector<double> inverse(std::span<const std::complex<double>> transform);

  // For both directions: a bound on the 2-norm of the rounding error, relative to the 2-norm of the exact
  // result (Higham, Accuracy and Stability of Numerical Algorithms, theorem 24.2, with the constant for radix
  // 4 and exact-to-rounding twiddles, plus the pass that packs real pairs into complex numbers).
  double rounding() const;

 private:
  Fft fft_;                  // of half the length: each complex number holds two real ones
  std::vector<double> cos_;  // of 2 pi k / size, k <= size / 4
  std::vector<double> re_, im_, scratch_;
};

}  // namespace tulle::account
