#include <tulle/base/fft.hpp>
#include <tulle/base/multiarch.hpp>

#include <algorithm>
#include <bit>
#include <cmath>
#include <numbers>

namespace tulle {
namespace {

// One step of Stockham's algorithm: `length` samples of `stride` signals become `length / radix` samples of
// `radix * stride` signals. Sample p + m i (m = length / radix) of the input is a_i; output j of p is
//   y[radix p + j] = w^(p j) sum_i a_i exp(-2 pi i j / radix),   w = exp(-2 pi i / length).
// `roots` holds the roots of unity of the whole transform; every `root_step`-th is one of this step's length.
struct Step {
  std::size_t length, stride;
  const std::complex<double>* roots;
  std::size_t root_step;
  const double *in_re, *in_im;
  double *out_re, *out_im;

  std::complex<double> root(std::size_t power) const { return roots[power * root_step]; }  // power < length
};

// Radices 2 and 4 may write the last step, in which p is always 0, over its input: output q replaces input q.
TULLE_MULTIARCH void radix_2(const Step& step) {
  const std::size_t m = step.length / 2, stride = step.stride;
  for (std::size_t p = 0; p < m; ++p) {
    const double wr = step.root(p).real(), wi = step.root(p).imag();
    const double *ar = step.in_re + p * stride, *ai = step.in_im + p * stride;
    const double *br = ar + m * stride, *bi = ai + m * stride;
    double *sum_re = step.out_re + 2 * p * stride, *sum_im = step.out_im + 2 * p * stride;
    double *turned_re = sum_re + stride, *turned_im = sum_im + stride;
#pragma omp simd
    for (std::size_t q = 0; q < stride; ++q) {
      const double dr = ar[q] - br[q], di = ai[q] - bi[q];
      sum_re[q] = ar[q] + br[q];
      sum_im[q] = ai[q] + bi[q];
      turned_re[q] = dr * wr - di * wi;
      turned_im[q] = dr * wi + di * wr;
    }
  }
}

TULLE_MULTIARCH void radix_4(const Step& step) {
  const std::size_t m = step.length / 4, stride = step.stride;
  for (std::size_t p = 0; p < m; ++p) {
    const double w1r = step.root(p).real(), w1i = step.root(p).imag();
    const double w2r = step.root(2 * p).real(), w2i = step.root(2 * p).imag();
    const double w3r = step.root(3 * p).real(), w3i = step.root(3 * p).imag();
    const double *ar = step.in_re + p * stride, *ai = step.in_im + p * stride;
    const double *br = ar + m * stride, *bi = ai + m * stride;
    const double *cr = br + m * stride, *ci = bi + m * stride;
    const double *dr = cr + m * stride, *di = ci + m * stride;
    double *y0r = step.out_re + 4 * p * stride, *y0i = step.out_im + 4 * p * stride;
    double *y1r = y0r + stride, *y1i = y0i + stride;
    double *y2r = y1r + stride, *y2i = y1i + stride;
    double *y3r = y2r + stride, *y3i = y2i + stride;
#pragma omp simd
    for (std::size_t q = 0; q < stride; ++q) {
      const double acr = ar[q] + cr[q], aci = ai[q] + ci[q], ac_r = ar[q] - cr[q], ac_i = ai[q] - ci[q];
      const double bdr = br[q] + dr[q], bdi = bi[q] + di[q], bd_r = br[q] - dr[q], bd_i = bi[q] - di[q];
      const double t1r = ac_r + bd_i, t1i = ac_i - bd_r;  // a - c - i (b - d)
      const double t2r = acr - bdr, t2i = aci - bdi;
      const double t3r = ac_r - bd_i, t3i = ac_i + bd_r;
      y0r[q] = acr + bdr;
      y0i[q] = aci + bdi;
      y1r[q] = t1r * w1r - t1i * w1i;
      y1i[q] = t1r * w1i + t1i * w1r;
      y2r[q] = t2r * w2r - t2i * w2i;
      y2i[q] = t2r * w2i + t2i * w2r;
      y3r[q] = t3r * w3r - t3i * w3i;
      y3i[q] = t3r * w3i + t3i * w3r;
    }
  }
}

// Any odd radix. Inputs i and radix - i share their cosines and have opposite sines, so one pair of sums
// gives outputs j and radix - j: C = a_0 + sum_i cos(2 pi i j / radix) (a_i + a_-i) and S = sum_i sin(..)
// (a_i - a_-i), as C - i S and C + i S.
TULLE_MULTIARCH void radix_odd(const Step& step, std::size_t radix) {
  constexpr std::size_t lanes = Fft::kLanes;
  const std::size_t m = step.length / radix, stride = step.stride, half = radix / 2;
  double plus_re[Fft::kLargestFactor / 2][lanes], plus_im[Fft::kLargestFactor / 2][lanes];
  double minus_re[Fft::kLargestFactor / 2][lanes], minus_im[Fft::kLargestFactor / 2][lanes];
  for (std::size_t p = 0; p < m; ++p)
    for (std::size_t q = 0; q < stride; q += lanes) {
      const double *ar = step.in_re + p * stride + q, *ai = step.in_im + p * stride + q;
      double *yr = step.out_re + radix * p * stride + q, *yi = step.out_im + radix * p * stride + q;
      double sum_re[lanes], sum_im[lanes];
      for (std::size_t l = 0; l < lanes; ++l) sum_re[l] = ar[l], sum_im[l] = ai[l];
      for (std::size_t i = 1; i <= half; ++i) {
        const double *br = ar + i * m * stride, *bi = ai + i * m * stride;
        const double *cr = ar + (radix - i) * m * stride, *ci = ai + (radix - i) * m * stride;
        for (std::size_t l = 0; l < lanes; ++l) {
          plus_re[i - 1][l] = br[l] + cr[l];
          plus_im[i - 1][l] = bi[l] + ci[l];
          minus_re[i - 1][l] = br[l] - cr[l];
          minus_im[i - 1][l] = bi[l] - ci[l];
          sum_re[l] += plus_re[i - 1][l];
          sum_im[l] += plus_im[i - 1][l];
        }
      }
      for (std::size_t l = 0; l < lanes; ++l) yr[l] = sum_re[l], yi[l] = sum_im[l];
      for (std::size_t j = 1; j <= half; ++j) {
        double cos_re[lanes], cos_im[lanes], sin_re[lanes] = {}, sin_im[lanes] = {};
        for (std::size_t l = 0; l < lanes; ++l) cos_re[l] = ar[l], cos_im[l] = ai[l];
        for (std::size_t i = 1; i <= half; ++i) {
          const std::complex<double> root = step.root(i * j % radix * m);
          const double cosine = root.real(), sine = -root.imag();
          for (std::size_t l = 0; l < lanes; ++l) {
            cos_re[l] += cosine * plus_re[i - 1][l];
            cos_im[l] += cosine * plus_im[i - 1][l];
            sin_re[l] += sine * minus_re[i - 1][l];
            sin_im[l] += sine * minus_im[i - 1][l];
          }
        }
        const std::complex<double> w = step.root(p * j), v = step.root(p * (radix - j));
        double *uj_re = yr + j * stride, *uj_im = yi + j * stride;
        double *vj_re = yr + (radix - j) * stride, *vj_im = yi + (radix - j) * stride;
        for (std::size_t l = 0; l < lanes; ++l) {
          const double ur = cos_re[l] + sin_im[l], ui = cos_im[l] - sin_re[l];
          const double vr = cos_re[l] - sin_im[l], vi = cos_im[l] + sin_re[l];
          uj_re[l] = ur * w.real() - ui * w.imag();
          uj_im[l] = ur * w.imag() + ui * w.real();
          vj_re[l] = vr * v.real() - vi * v.imag();
          vj_im[l] = vr * v.imag() + vi * v.real();
        }
      }
    }
}

// Factors in the order of the steps; empty if a prime factor is too large.
std::vector<std::size_t> factorise(std::size_t length) {
  std::vector<std::size_t> factors;
  for (; length % 4 == 0; length /= 4) factors.push_back(4);
  for (std::size_t factor = 2; factor <= Fft::kLargestFactor && length > 1; ++factor)
    for (; length % factor == 0; length /= factor) factors.push_back(factor);
  if (length > 1) factors.clear();
  return factors;
}

// exp(-2 pi i numerator / denominator) for numerator < denominator. cos and sin get only angles up to pi / 4,
// so that rounding the angle causes no larger an error than rounding the result.
std::complex<double> unit_root(std::size_t numerator, std::size_t denominator) {
  const std::size_t octant = 8 * numerator / denominator, rest = 8 * numerator % denominator;
  const std::size_t eighths = octant % 2 == 0 ? rest : denominator - rest;  // to the nearest axis
  const double angle = std::numbers::pi / 4 * static_cast<double>(eighths) / static_cast<double>(denominator);
  const double near = std::cos(angle), far = std::sin(angle);
  switch (octant) {
    case 0:
      return {near, -far};
    case 1:
      return {far, -near};
    case 2:
      return {-far, -near};
    case 3:
      return {-near, -far};
    case 4:
      return {-near, far};
    case 5:
      return {-far, near};
    case 6:
      return {far, near};
    default:
      return {near, far};
  }
}

// Multiplies samples[j] by factors[j] for every signal.
TULLE_MULTIARCH void multiply(double* re, double* im, std::size_t stride,
                              const std::vector<std::complex<double>>& factors) {
  for (std::size_t j = 0; j < factors.size(); ++j) {
    const double fr = factors[j].real(), fi = factors[j].imag();
    for (std::size_t q = j * stride; q < (j + 1) * stride; ++q) {
      const double r = re[q], i = im[q];
      re[q] = r * fr - i * fi;
      im[q] = r * fi + i * fr;
    }
  }
}

}  // namespace

Fft::Fft(std::size_t length) : length_(length), factors_(factorise(length)) {
  if (!factors_.empty() || length == 1) {
    roots_.resize(length);
    for (std::size_t j = 0; j < length; ++j) roots_[j] = unit_root(j, length);
    return;
  }
  const std::size_t padded = std::bit_ceil(2 * length - 1);
  convolution_ = std::make_unique<const Fft>(padded);
  chirp_.resize(length);
  std::vector<double> re(padded * kLanes), im(padded * kLanes),
      scratch(convolution_->scratch_samples() * kLanes);
  for (std::size_t j = 0; j < length; ++j) {
    chirp_[j] = unit_root(j * j % (2 * length), 2 * length);
    for (std::size_t place : {j, (padded - j) % padded}) {
      re[place * kLanes] = chirp_[j].real();
      im[place * kLanes] = -chirp_[j].imag();
    }
  }
  convolution_->forward(re.data(), im.data(), kLanes, scratch.data());
  chirp_spectrum_.resize(padded);
  for (std::size_t j = 0; j < padded; ++j)
    chirp_spectrum_[j] = std::complex(re[j * kLanes], im[j * kLanes]) / static_cast<double>(padded);
}

std::size_t Fft::scratch_samples() const {
  return convolution_ ? 2 * convolution_->length() + convolution_->scratch_samples() : 2 * length_;
}

void Fft::forward(double* re, double* im, std::size_t stride, double* scratch) const {
  convolution_ ? bluestein(re, im, stride, scratch) : stockham(re, im, stride, scratch);
}

void Fft::stockham(double* re, double* im, std::size_t stride, double* scratch) const {
  double *from_re = re, *from_im = im, *to_re = scratch, *to_im = scratch + length_ * stride;
  std::size_t length = length_, signals = stride;
  for (std::size_t factor : factors_) {
    if (length == factor && factor % 2 == 0 && from_re == re) to_re = re, to_im = im;  // saves a copy
    const Step step{length, signals, roots_.data(), length_ / length, from_re, from_im, to_re, to_im};
    if (factor == 4) {
      radix_4(step);
    } else if (factor == 2) {
      radix_2(step);
    } else {
      radix_odd(step, factor);
    }
    length /= factor;
    signals *= factor;
    std::swap(from_re, to_re);
    std::swap(from_im, to_im);
  }
  if (from_re != re) {
    std::copy_n(from_re, length_ * stride, re);
    std::copy_n(from_im, length_ * stride, im);
  }
}

void Fft::bluestein(double* re, double* im, std::size_t stride, double* scratch) const {
  const std::size_t padded = convolution_->length();
  double *padded_re = scratch, *padded_im = scratch + padded * stride, *rest = scratch + 2 * padded * stride;
  multiply(re, im, stride, chirp_);
  std::fill_n(scratch, 2 * padded * stride, 0.0);
  std::copy_n(re, length_ * stride, padded_re);
  std::copy_n(im, length_ * stride, padded_im);
  convolution_->forward(padded_re, padded_im, stride, rest);
  multiply(padded_re, padded_im, stride, chirp_spectrum_);
  convolution_->forward(padded_im, padded_re, stride, rest);  // swapped: the inverse
  std::copy_n(padded_re, length_ * stride, re);
  std::copy_n(padded_im, length_ * stride, im);
  multiply(re, im, stride, chirp_);
}

}  // namespace tulle
