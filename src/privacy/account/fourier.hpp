// The discrete Fourier transform of real sequences whose length is a power of two.
#pragma once

#include <complex>
#include <cstddef>
#include <span>
#include <vector>

namespace tulle::account {

class RealFourier {
 public:
  explicit RealFourier(std::size_t size);  // a power of two, at least 8

  std::size_t size() const { return 2 * half_; }

  // X_k = sum_j x_j exp(-2 pi i j k / size) for k = 0 .. size/2; the rest are their conjugates.
  std::vector<std::complex<double>> forward(std::span<const double> x);

  // The sequence whose transform is given.
  std::vector<double> inverse(std::span<const std::complex<double>> transform);

  // A bound for both directions: the 2-norm of what rounding adds, relative to the 2-norm of the exact result
  // (Higham, Accuracy and Stability of Numerical Algorithms, theorem 24.2, with the constant for radix 4 and
  // exact-to-rounding twiddles, plus the pass that packs real pairs into complex numbers).
  double rounding() const;

 private:
  void transform();  // of re_, im_, in place

  std::size_t half_;
  std::vector<double> cos_, sin_;  // of 2 pi k / size, k < half
  std::vector<double> re_, im_, other_re_, other_im_;
};

}  // namespace tulle::account
