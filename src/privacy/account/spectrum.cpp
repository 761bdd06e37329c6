#include "composed.hpp"
#include "constants.hpp"
#include "fourier.hpp"
#include "search.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <complex>
#include <numbers>
#include <utility>

namespace tulle::account {
namespace {

using Complex = std::complex<double>;

constexpr double kNegligible = -80;  // ln of transforms that count as 0
constexpr std::size_t kMostFrequencies = 4096, kMostWork = std::size_t{1} << 26;

// The frequency, in radians per grid step, beyond which |product of p^count| is below e^kNegligible; 0 if
// none is found.
//
// A transform of `size` points gives p on a lattice of frequencies 2 pi / size apart. Between them, |p| is at
// most its value at the nearest one plus the distance times the mean absolute deviation of the loss, which
// bounds its slope. Near 0, where that is not enough, 1 - |p(w)|^2 = E[1 - cos(w (L - L'))] for two
// independent losses; with 1 - cos x >= x^2/2 - x^4/24,
//   |p(w)|^2 <= 1 - v w^2 + c w^4,  v the variance, c = (fourth central moment + 3 v^2) / 12.
double last_frequency(const TiltedLosses& losses, std::size_t size) {
  RealFourier fourier(size);
  const double half_step = std::numbers::pi / static_cast<double>(size);
  std::vector<double> log_bound(size / 2 + 1, 0.0), folded(size);
  struct Moments {
    double count, v, c;
  };
  std::vector<Moments> moments;
  double falling_to = kInfinity;  // where the last bound stops falling
  for (const TiltedLoss& loss : losses.parts) {
    std::fill(folded.begin(), folded.end(), 0.0);
    const auto place = [&](std::size_t i) { return static_cast<double>(loss.index[i]); };
    double mean = 0, deviation = 0, square = 0, fourth = 0, norm = 0;
    for (std::size_t i = 0; i < loss.mass.size(); ++i) {
      folded[static_cast<std::size_t>(loss.index[i]) & (size - 1)] += loss.mass[i];
      mean += place(i) * loss.mass[i];
    }
    for (std::size_t i = 0; i < loss.mass.size(); ++i) {
      const double d = place(i) - mean, d2 = d * d;
      deviation += std::abs(d) * loss.mass[i];
      square += d2 * loss.mass[i];
      fourth += d2 * d2 * loss.mass[i];
    }
    for (double x : folded) norm += x * x;
    // Moments, with room for their rounding.
    moments.push_back({loss.count, square * (1 - 1e-9), (fourth + 3 * square * square) / 12 * (1 + 1e-9)});
    falling_to = std::min(falling_to, std::sqrt(moments.back().v / (2 * moments.back().c)));
    const double room =
        deviation * (1 + 1e-9) * half_step + fourier.rounding() * std::sqrt(norm * static_cast<double>(size));
    const std::vector<Complex> transform = fourier.forward(folded);
    for (std::size_t k = 0; k < log_bound.size(); ++k)
      log_bound[k] += loss.count * std::log(std::min(1.0, std::sqrt(std::norm(transform[k])) + room));
  }
  std::size_t last = log_bound.size();
  while (last > 0 && log_bound[last - 1] < kNegligible) --last;
  if (last == log_bound.size()) return 0;
  const double by_lattice = (2 * static_cast<double>(last) + 1) * half_step;
  const auto negligible = [&](double w) {
    double log = 0;
    for (const Moments& m : moments) log += m.count / 2 * std::log1p(-m.v * w * w + m.c * w * w * w * w);
    return log < kNegligible;
  };
  if (by_lattice > falling_to || !negligible(by_lattice)) return by_lattice;
  return last_place(by_lattice, 0, 1e-3, negligible);
}

// e^(-2 pi i k index / period), reduced exactly by whole turns.
Complex turned(std::size_t k, std::int64_t index, std::int64_t period) {
  const auto rest = static_cast<std::int64_t>(static_cast<__int128>(k) * index % period);
  return std::polar(1.0, -2 * std::numbers::pi * static_cast<double>(rest) / static_cast<double>(period));
}

// p at the frequencies 2 pi k / period, k < count, computed directly. Blocks of points turn together from one
// frequency to the next and are recomputed every 64 frequencies.
std::vector<Complex> transform_directly(const TiltedLoss& loss, std::int64_t period, std::size_t count) {
  constexpr std::size_t kBlock = 64;
  std::vector<Complex> result(count), part(count);
  std::array<double, kBlock> re, im, turn_re, turn_im;
  const auto collect = [&] {
    for (std::size_t k = 0; k < count; ++k) result[k] += std::exchange(part[k], Complex(0));
  };
  for (std::size_t at = 0, block = 1; at < loss.mass.size(); at += kBlock, ++block) {
    const std::size_t size = std::min(kBlock, loss.mass.size() - at);
    const auto place = [&](std::size_t k, double weight, std::size_t j, double& to_re, double& to_im) {
      const Complex value = weight == 0 ? 0 : weight * turned(k, loss.index[at + j], period);
      to_re = value.real();
      to_im = value.imag();
    };
    for (std::size_t j = 0; j < kBlock; ++j) place(1, j < size ? 1 : 0, j, turn_re[j], turn_im[j]);
    for (std::size_t k = 0; k < count; ++k) {
      if (k % kBlock == 0)
        for (std::size_t j = 0; j < kBlock; ++j) place(k, j < size ? loss.mass[at + j] : 0, j, re[j], im[j]);
      double sum_re = 0, sum_im = 0;
      for (std::size_t j = 0; j < kBlock; ++j) {
        sum_re += re[j];
        sum_im += im[j];
        const double next = re[j] * turn_re[j] - im[j] * turn_im[j];
        im[j] = re[j] * turn_im[j] + im[j] * turn_re[j];
        re[j] = next;
      }
      part[k] += Complex(sum_re, sum_im);
    }
    if (block % kBlock == 0)
      collect();  // sums of sums, so that rounding does not grow with the number of blocks
  }
  collect();
  return result;
}

// A bound on the rounding of a frequency: 64 turns of 4 units, sums of 64, 64 and up to 2^20 / 4096 terms.
constexpr double kDirectRounding = (4 * 64 + 64 + 64 + 256) * kUnit;

class Spectrum : public Composed {
 public:
  Spectrum(const TiltedLosses& losses, const Plan& plan, std::size_t frequencies);

  double delta_upper(double epsilon) const override {
    if (epsilon >= top_) return std::min(1.0, slack(epsilon));
    return std::min(1.0, std::exp(log_scale_ + growth_ - theta_ * epsilon) * std::max(0.0, series(epsilon)) +
                             slack(epsilon));
  }

  double epsilon_upper(double delta) const override {
    if (delta_upper(top_) > delta) return kInfinity;
    if (delta_upper(bottom_) <= delta) return -kInfinity;
    return last_place(top_, bottom_, 1e-13, [&](double epsilon) { return delta_upper(epsilon) <= delta; });
  }

  double slack(double epsilon) const override {
    return rounding_ * std::exp(log_scale_ - theta_ * epsilon) + fixed_;
  }

 private:
  // The sum over grid points l from above epsilon to the top of tilted mass times e^(-theta (l - epsilon)) (1
  // - e^(epsilon - l)).
  double series(double epsilon) const;
  // sum of e^(-(slope - i turn) m) for m < terms
  static Complex geometric_sum(double slope, double turn, double terms);

  double theta_, width_, log_scale_, growth_, bottom_, top_;
  double rounding_ = 0, fixed_ = 0;  // as in Window
  std::int64_t period_, last_index_;
  std::vector<Complex> product_;
};

Complex Spectrum::geometric_sum(double slope, double turn, double terms) {
  // (1 - r^terms) / (1 - r) with r = e^(-slope + i turn); 1 - e^(-a + ib) = (1 - e^-a) + e^-a (2 sin^2(b/2) -
  // i sin b).
  const auto one_minus = [](double a, double b) {
    const double decay = std::exp(-a), half = std::sin(b / 2);
    return Complex(-std::expm1(-a) + 2 * decay * half * half, -decay * std::sin(b));
  };
  const Complex all = 1.0 / one_minus(slope, turn);
  return std::isfinite(terms) ? one_minus(slope * terms, turn * terms) * all : all;
}

double Spectrum::series(double epsilon) const {
  const double index = std::floor(epsilon / width_) + 1, gap = index * width_ - epsilon;
  const double terms = static_cast<double>(last_index_) - index + 1;
  if (terms <= 0) return 0;
  const double outer = std::exp(-theta_ * gap), inner = std::exp(-(theta_ + 1) * gap);
  double sum = 0;
  for (std::size_t k = 0; k < product_.size(); ++k) {
    const double turn = 2 * std::numbers::pi * static_cast<double>(k) / static_cast<double>(period_);
    const Complex start = std::conj(turned(k, static_cast<std::int64_t>(index), period_));
    const Complex weight = outer * geometric_sum(theta_ * width_, turn, terms) -
                           inner * geometric_sum((theta_ + 1) * width_, turn, terms);
    sum += (k == 0 ? 1 : 2) * (product_[k] * start * weight).real();
  }
  return sum / static_cast<double>(period_);
}

Spectrum::Spectrum(const TiltedLosses& losses, const Plan& plan, std::size_t frequencies)
    : theta_(losses.theta),
      width_(losses.width),
      log_scale_(losses.log_scale),
      growth_(losses.growth),
      period_(static_cast<std::int64_t>(plan.size)) {
  const std::int64_t first = static_cast<std::int64_t>(std::floor(plan.centre / width_)) - period_ / 2;
  last_index_ = first + period_ - 1;
  bottom_ = static_cast<double>(first) * width_;
  top_ = static_cast<double>(last_index_) * width_;

  // As in Window: products of powers, with their errors.
  std::vector<double> log_size(frequencies, 0.0), angle(frequencies, 0.0), log_bound(frequencies, 0.0),
      share(frequencies, 0.0);
  for (const TiltedLoss& loss : losses.parts) {
    const std::vector<Complex> transform = transform_directly(loss, period_, frequencies);
    for (std::size_t k = 0; k < frequencies; ++k) {
      const double size = std::abs(transform[k]), error = kDirectRounding, bound = size + error;
      log_bound[k] += loss.count * std::log(bound);
      share[k] += loss.count * error / bound;
      log_size[k] += loss.count * std::log(size);
      angle[k] += loss.count * std::arg(transform[k]);
    }
  }
  // The errors have the weights of series(), at most twice those of an endless sum from distance 0; moving by
  // the distance to the next grid point changes the two parts by theta h and (theta + 1) h of themselves.
  double error = 0;
  for (std::size_t k = 0; k < frequencies; ++k) {
    product_.push_back(std::polar(std::exp(log_size[k]), angle[k]));
    const double turn = 2 * std::numbers::pi * static_cast<double>(k) / static_cast<double>(period_);
    const double outer_step = theta_ * width_, inner_step = (theta_ + 1) * width_;
    const Complex outer = geometric_sum(outer_step, turn, kInfinity),
                  inner = geometric_sum(inner_step, turn, kInfinity);
    const double weight =
        2 * (std::abs(outer - inner) + outer_step * std::abs(outer) + inner_step * std::abs(inner));
    error += 2 * (share[k] + 16 * kUnit * (losses.count + 16 + 1 / theta_)) *
             std::exp(std::min(0.0, log_bound[k])) * weight;
  }
  // The frequencies left out, with the largest possible weight.
  error += std::exp(kNegligible) * (1 + losses.count) * static_cast<double>(period_) *
           static_cast<double>(period_);
  rounding_ = error / static_cast<double>(period_);
  fixed_ = losses.infinite + losses.above(top_ + width_, static_cast<double>(last_index_) + 1);
  // After an overflow nothing is known.
  if (!std::isfinite(log_scale_ + growth_ + rounding_)) {
    log_scale_ = growth_ = rounding_ = 0;
    fixed_ = kInfinity;
  }
}

}  // namespace

std::unique_ptr<Composed> compose_spectrum(const std::vector<Release>& releases, Direction direction,
                                           const Plan& plan) {
  const TiltedLosses losses(releases, direction, plan);
  // The lattice has a spacing of at most a tenth of the loss's own scale.
  const double points = 64 * plan.single_deviation / plan.width;
  if (!(points < 1 << 20)) return nullptr;
  const std::size_t lattice = std::bit_ceil(static_cast<std::size_t>(std::max(points, 1024.0)));
  const double last = last_frequency(losses, lattice);
  const double frequencies = std::ceil(last * static_cast<double>(plan.size) / (2 * std::numbers::pi)) + 1;
  std::size_t work = 0;
  for (const TiltedLoss& loss : losses.parts) work += loss.mass.size();
  if (last == 0 || frequencies > kMostFrequencies || static_cast<double>(work) * frequencies > kMostWork)
    return nullptr;
  return std::make_unique<Spectrum>(losses, plan, static_cast<std::size_t>(frequencies));
}

}  // namespace tulle::account
