#include "fourier.hpp"

#include <cmath>
#include <limits>
#include <numbers>

namespace tulle::account {

RealFourier::RealFourier(std::size_t size)
    : fft_(size / 2), cos_(size / 4 + 1), re_(size / 2), im_(size / 2), scratch_(fft_.scratch_samples()) {
  // One eighth of the circle by cos, one by sin, so that the rounding of an angle is at most that of the
  // result.
  const std::size_t quarter = size / 4;
  for (std::size_t k = 0; k <= quarter / 2; ++k) {
    const double angle = std::numbers::pi * static_cast<double>(k) / static_cast<double>(size / 2);
    cos_[k] = std::cos(angle);
    cos_[quarter - k] = std::sin(angle);
  }
}

// With z_j = x_2j + i x_(2j+1) and Z its transform of half the length,
//   X_k = (Z_k + conj Z_-k) / 2 + e^(-2 pi i k / size) (Z_k - conj Z_-k) / (2 i).
// Frequencies k and half - k come from the same pair of Z: their roots of unity are c - i s and -c - i s.
std::vector<std::complex<double>> RealFourier::forward(std::span<const double> x) {
  const std::size_t half = fft_.length(), quarter = half / 2;
  for (std::size_t j = 0; j < half; ++j) {
    re_[j] = x[2 * j];
    im_[j] = x[2 * j + 1];
  }
  fft_.forward(re_.data(), im_.data(), 1, scratch_.data());
  std::vector<std::complex<double>> result(half + 1);
  result[0] = re_[0] + im_[0];
  result[half] = re_[0] - im_[0];
  for (std::size_t k = 1; k <= quarter; ++k) {
    const double even_re = (re_[k] + re_[half - k]) / 2, even_im = (im_[k] - im_[half - k]) / 2;
    const double odd_re = (im_[k] + im_[half - k]) / 2, odd_im = (re_[half - k] - re_[k]) / 2;
    const double c = cos_[k], s = cos_[quarter - k];
    const double turned_re = c * odd_re + s * odd_im, turned_im = c * odd_im - s * odd_re;
    result[k] = {even_re + turned_re, even_im + turned_im};
    result[half - k] = {even_re - turned_re, turned_im - even_im};
  }
  return result;
}

// The inverse transform is the conjugate of the transform of the conjugate, divided by the length. Packs
// conj(Z_k), again k and half - k together.
std::vector<double> RealFourier::inverse(std::span<const std::complex<double>> transformed) {
  const std::size_t half = fft_.length(), quarter = half / 2;
  const auto ends = std::pair(transformed[0].real(), transformed[half].real());
  re_[0] = (ends.first + ends.second) / 2;
  im_[0] = -(ends.first - ends.second) / 2;
  for (std::size_t k = 1; k <= quarter; ++k) {
    const std::complex<double> here = transformed[k], mirror = std::conj(transformed[half - k]);
    const std::complex<double> even = (here + mirror) / 2.0, odd = (here - mirror) / 2.0;
    const double c = cos_[k], s = cos_[quarter - k];
    const double turned_re = c * odd.real() - s * odd.imag(), turned_im = c * odd.imag() + s * odd.real();
    re_[k] = even.real() - turned_im;
    im_[k] = -(even.imag() + turned_re);
    re_[half - k] = even.real() + turned_im;
    im_[half - k] = even.imag() - turned_re;
  }
  fft_.forward(re_.data(), im_.data(), 1, scratch_.data());
  std::vector<double> result(size());
  const double scale = 1 / static_cast<double>(half);
  for (std::size_t j = 0; j < half; ++j) {
    result[2 * j] = re_[j] * scale;
    result[2 * j + 1] = -im_[j] * scale;
  }
  return result;
}

double RealFourier::rounding() const {
  return 8 * std::numeric_limits<double>::epsilon() / 2 * (std::log2(static_cast<double>(size())) + 2);
}

}  // namespace tulle::account
