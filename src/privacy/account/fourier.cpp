#include "fourier.hpp"

#include <tulle/base/multiarch.hpp>

#include <cmath>
#include <limits>
#include <numbers>

namespace tulle::account {
namespace {

// One pass of Stockham's algorithm, radix 4: `groups` butterflies with twiddles of angle 2 pi p / (4 groups),
// on runs of `run` numbers. The passes sort as they go, and the inner loop is contiguous.
TULLE_MULTIARCH
void pass4(std::size_t groups, std::size_t run, const double* __restrict cosines,
           const double* __restrict sines, std::size_t step, const double* __restrict re,
           const double* __restrict im, double* __restrict out_re, double* __restrict out_im) {
  const std::size_t quarter = groups * run;
  for (std::size_t p = 0; p < groups; ++p) {
    const double c1 = cosines[p * step], s1 = -sines[p * step];
    const double c2 = cosines[2 * p * step], s2 = -sines[2 * p * step];
    const double c3 = c1 * c2 - s1 * s2, s3 = c1 * s2 + s1 * c2;
    const double *a = re + p * run, *ai = im + p * run;
    double *y = out_re + 4 * p * run, *yi = out_im + 4 * p * run;
    for (std::size_t i = 0; i < run; ++i) {
      const double sum_re = a[i] + a[i + 2 * quarter], sum_im = ai[i] + ai[i + 2 * quarter];
      const double dif_re = a[i] - a[i + 2 * quarter], dif_im = ai[i] - ai[i + 2 * quarter];
      const double odd_re = a[i + quarter] + a[i + 3 * quarter],
                   odd_im = ai[i + quarter] + ai[i + 3 * quarter];
      // i times the difference of the odd pair
      const double rot_re = ai[i + 3 * quarter] - ai[i + quarter],
                   rot_im = a[i + quarter] - a[i + 3 * quarter];
      y[i] = sum_re + odd_re;
      yi[i] = sum_im + odd_im;
      const double b_re = dif_re - rot_re, b_im = dif_im - rot_im;
      y[i + run] = c1 * b_re - s1 * b_im;
      yi[i + run] = c1 * b_im + s1 * b_re;
      const double d_re = sum_re - odd_re, d_im = sum_im - odd_im;
      y[i + 2 * run] = c2 * d_re - s2 * d_im;
      yi[i + 2 * run] = c2 * d_im + s2 * d_re;
      const double e_re = dif_re + rot_re, e_im = dif_im + rot_im;
      y[i + 3 * run] = c3 * e_re - s3 * e_im;
      yi[i + 3 * run] = c3 * e_im + s3 * e_re;
    }
  }
}

// The last pass when the length is twice a power of 4.
TULLE_MULTIARCH
void pass2(std::size_t run, const double* __restrict re, const double* __restrict im,
           double* __restrict out_re, double* __restrict out_im) {
  for (std::size_t i = 0; i < run; ++i) {
    out_re[i] = re[i] + re[i + run];
    out_im[i] = im[i] + im[i + run];
    out_re[i + run] = re[i] - re[i + run];
    out_im[i + run] = im[i] - im[i + run];
  }
}

}  // namespace

RealFourier::RealFourier(std::size_t size)
    : half_(size / 2), cos_(half_), sin_(half_), re_(half_), im_(half_), other_re_(half_), other_im_(half_) {
  // One eighth of the circle by cos and sin, the rest by symmetry.
  const std::size_t quarter = half_ / 2;
  for (std::size_t k = 0; k <= quarter / 2; ++k) {
    const double angle = std::numbers::pi * static_cast<double>(k) / static_cast<double>(half_);
    const double c = std::cos(angle), s = std::sin(angle);
    cos_[k] = sin_[quarter - k] = c;
    sin_[k] = cos_[quarter - k] = s;
  }
  for (std::size_t k = 1; k < quarter; ++k) {
    cos_[quarter + k] = -sin_[k];
    sin_[quarter + k] = cos_[k];
  }
}

void RealFourier::transform() {
  std::size_t length = half_, run = 1;
  while (length > 1) {
    if (length == 2) {
      pass2(run, re_.data(), im_.data(), other_re_.data(), other_im_.data());
      length = 1;
    } else {
      pass4(length / 4, run, cos_.data(), sin_.data(), size() / length, re_.data(), im_.data(),
            other_re_.data(), other_im_.data());
      length /= 4;
      run *= 4;
    }
    re_.swap(other_re_);
    im_.swap(other_im_);
  }
}

// With z_j = x_2j + i x_(2j+1) and Z its transform of half the length,
//   X_k = (Z_k + conj Z_-k) / 2 + e^(-2 pi i k / size) (Z_k - conj Z_-k) / (2 i).
std::vector<std::complex<double>> RealFourier::forward(std::span<const double> x) {
  for (std::size_t j = 0; j < half_; ++j) {
    re_[j] = x[2 * j];
    im_[j] = x[2 * j + 1];
  }
  transform();
  std::vector<std::complex<double>> result(half_ + 1);
  result[0] = re_[0] + im_[0];
  result[half_] = re_[0] - im_[0];
  for (std::size_t k = 1; k < half_; ++k) {
    const double even_re = (re_[k] + re_[half_ - k]) / 2, even_im = (im_[k] - im_[half_ - k]) / 2;
    const double odd_re = (im_[k] + im_[half_ - k]) / 2, odd_im = (re_[half_ - k] - re_[k]) / 2;
    result[k] = {even_re + cos_[k] * odd_re + sin_[k] * odd_im,
                 even_im + cos_[k] * odd_im - sin_[k] * odd_re};
  }
  return result;
}

std::vector<double> RealFourier::inverse(std::span<const std::complex<double>> transformed) {
  // The inverse transform is the conjugate of the transform of the conjugate, divided by the length: pack
  // conj(Z_k).
  for (std::size_t k = 0; k < half_; ++k) {
    const std::complex<double> here = transformed[k], mirror = std::conj(transformed[half_ - k]);
    const std::complex<double> even = (here + mirror) / 2.0, odd = (here - mirror) / 2.0;
    const double odd_re = cos_[k] * odd.real() - sin_[k] * odd.imag(),
                 odd_im = cos_[k] * odd.imag() + sin_[k] * odd.real();
    re_[k] = even.real() - odd_im;
    im_[k] = -(even.imag() + odd_re);
  }
  transform();
  std::vector<double> result(size());
  const double scale = 1 / static_cast<double>(half_);
  for (std::size_t j = 0; j < half_; ++j) {
    result[2 * j] = re_[j] * scale;
    result[2 * j + 1] = -im_[j] * scale;
  }
  return result;
}

double RealFourier::rounding() const {
  return 8 * std::numeric_limits<double>::epsilon() / 2 * (std::log2(static_cast<double>(size())) + 2);
}

}  // namespace tulle::account
