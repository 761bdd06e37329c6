// The discrete Fourier transform of one or several signals, of any length.
#pragma once

#include <complex>
#include <cstddef>
#include <memory>
#include <vector>

namespace tulle {

// Signals are interleaved: sample j of all of them is the contiguous run [j * stride, (j + 1) * stride),
// with real and imaginary parts in separate arrays, so that every inner loop runs over neighbours and uses
// vector instructions. Kissfft takes one signal at a time and is slower by at least the width of a vector.
// One long signal has stride 1: every step multiplies the stride, so all steps but the first use vector
// instructions too.
//
// Stockham's self-sorting algorithm: factors 4, 2 and any odd prime up to kLargestFactor; lengths with a
// larger prime factor use a convolution of a length that is a power of 2 (Bluestein 1970), so that no length
// takes quadratic time.
class Fft {
 public:
  static constexpr std::size_t kLargestFactor = 61;
  static constexpr std::size_t kLanes =
      8;  // strides are multiples of this, unless the length is a power of 2

  explicit Fft(std::size_t length);

  std::size_t length() const { return length_; }

  // In place: X[k] = sum_j x[j] exp(-2 pi i j k / length). Swapping re and im gives the inverse, without its
  // factor 1 / length. `scratch` holds scratch_samples() * stride doubles. Roots of unity are exact to
  // rounding.
  void forward(double* re, double* im, std::size_t stride, double* scratch) const;
  std::size_t scratch_samples() const;

 private:
  void stockham(double* re, double* im, std::size_t stride, double* scratch) const;
  void bluestein(double* re, double* im, std::size_t stride, double* scratch) const;

  std::size_t length_;
  std::vector<std::size_t> factors_;         // empty for Bluestein
  std::vector<std::complex<double>> roots_;  // exp(-2 pi i j / length)

  // Bluestein: jk = (j^2 + k^2 - (k - j)^2) / 2 makes the transform a convolution with a chirp.
  std::unique_ptr<const Fft> convolution_;
  std::vector<std::complex<double>> chirp_;           // exp(-pi i j^2 / length)
  std::vector<std::complex<double>> chirp_spectrum_;  // of the conjugate chirp, over the convolution's length
};

}  // namespace tulle
