#include "noise/check.hpp"
#include "noise/exact.hpp"

#include <tulle/privacy/noise/continuous.hpp>
#include <tulle/privacy/noise/rounded.hpp>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <numbers>

namespace tulle {
namespace {

using exact::Wide;

constexpr double kMaxScale = static_cast<double>(Rational::kLimit);

// A real, uniform on [0, 1), whose digits of 64 bits are drawn when something depends on them: nearly always,
// one.
class LazyUniform {
 public:
  explicit LazyUniform(RandomBits& bits) : bits_(bits) {}

  std::uint64_t digit(std::size_t place) {
    while (drawn_ <= place) {
      if (drawn_ == digits_.size()) exact::fail_source();  // 11 pairs of equal words
      digits_[drawn_++] = bits_.word();
    }
    return digits_[place];
  }

  // True with probability x, given x: another uniform real is smaller.
  bool coin() {
    for (std::size_t place = 0;; ++place) {
      const std::uint64_t other = bits_.word(), own = digit(place);
      if (other != own) return other < own;
    }
  }

  // Whether the real after the first digit is below p/q, 0 < p < q < 2^63: exact::bernoulli on its digits.
  bool rest_below(std::uint64_t p, std::uint64_t q) {
    for (std::size_t place = 1;; ++place) {
      const Wide drawn = Wide{digit(place)} * q, wanted = Wide{p} << 64;
      if (drawn >= wanted) return false;
      if (wanted - drawn >= q) return true;
      p = static_cast<std::uint64_t>(wanted - drawn);
    }
  }

 private:
  RandomBits& bits_;
  std::array<std::uint64_t, 12> digits_;
  std::size_t drawn_ = 0;
};

// scale (whole + x), rounded to the nearest whole number: exactly that of the real number, however near it is
// to a half. With scale = n/2^j and w the first digit of x, the value is (t + n rest) / 2^(64+j) for t =
// whole n 2^64 + w n. Here whole < 2^9 and n <= 2^52, so t < 2^125. A half that lies strictly inside is c/n
// of the way, and the rest of x decides.
std::int64_t round_scaled(Rational scale, std::uint64_t whole, LazyUniform& x) {
  const std::uint64_t n = scale.numerator();
  const int shift = 64 + std::countr_zero(scale.denominator());
  const Wide t = (Wide{whole * n} << 64) + Wide{x.digit(0)} * n + (Wide{1} << (shift - 1));
  const Wide low = t >> shift, high = (t + (n - 1)) >> shift;
  if (low == high) return static_cast<std::int64_t>(low);
  const Wide c = (high << shift) - t;
  return static_cast<std::int64_t>(x.rest_below(static_cast<std::uint64_t>(c), n) ? low : high);
}

std::int64_t with_sign(RandomBits& bits, std::int64_t magnitude) {
  return (bits.word() & 1) != 0 ? -magnitude : magnitude;
}

// The number of coins of exp(-p/q) that succeed in a row.
std::uint64_t sample_run(RandomBits& bits, std::uint64_t p, std::uint64_t q) {
  std::uint64_t run = 0;
  while (exact::bernoulli_exp_fraction(bits, p, q))
    if (++run == exact::kMaxSteps) exact::fail_source();
  return run;
}

// True with probability exp(-1)^count.
bool all_exp_one(RandomBits& bits, std::uint64_t count) {
  for (std::uint64_t i = 0; i < count; ++i)
    if (!exact::bernoulli_exp_one(bits)) return false;
  return true;
}

// True with probability exp(-y), y = x (2k + x) / (2k + 2) <= 1, as in exact::bernoulli_exp_fraction: the
// coin y/n is a coin x, a coin 1/n and a coin (2k + x)/(2k + 2), of which the last draws one of 2k + 2 and
// looks at x for one of them.
bool coin_exp(RandomBits& bits, LazyUniform& x, std::uint64_t k) {
  for (std::uint64_t n = 1; n <= exact::kMaxSteps; ++n) {
    bool success = x.coin() && (n == 1 || exact::bernoulli(bits, std::uint64_t{1}, n));
    if (success) {
      const std::uint64_t part = exact::uniform_below(bits, 2 * k + 2);
      success = part < 2 * k || (part == 2 * k && x.coin());
    }
    if (!success) return n % 2 != 0;
  }
  exact::fail_source();
}

// P(round(Z) = k), taken in the lower tail, where the difference loses nothing.
template <class Noise>
double mass_of(const Noise& noise, std::int64_t k) {
  const double x = -std::fabs(static_cast<double>(k));
  return noise.cdf(x + 0.5) - noise.cdf(x - 0.5);
}

template <class Noise>
double cdf_of(const Noise& noise, std::int64_t k) {
  return noise.cdf(static_cast<double>(k) + 0.5);
}

}  // namespace

RoundedGaussian RoundedGaussian::with_sigma_at_least(double sigma) {
  checked_positive("rounded Gaussian noise", "sigma", sigma);
  return RoundedGaussian(
      Rational::at_least(checked_between("rounded Gaussian noise", "sigma", sigma, 0.0, kMaxScale)));
}

// Karney 2016, Algorithm N, for |Z|/sigma = k + x: k falls by exp(-1/2) and is kept with probability
// exp(-k(k-1)/2), which makes exp(-k^2/2); x is uniform and kept with probability exp(-x(2k+x)/2), by k + 1
// coins; together exp(-(k+x)^2/2).
std::int64_t RoundedGaussian::sample(RandomBits& bits) const {
  for (;;) {
    const std::uint64_t k = sample_run(bits, 1, 2);
    if (!all_exp_one(bits, k * (k - 1) / 2)) continue;
    LazyUniform x(bits);
    std::uint64_t kept = 0;
    while (kept <= k && coin_exp(bits, x, k)) ++kept;
    if (kept > k) return with_sign(bits, round_scaled(sigma_, k, x));
  }
}

double RoundedGaussian::pmf(std::int64_t k) const {
  return mass_of(Gaussian::with_sigma(sigma()), k);
}

double RoundedGaussian::cdf(std::int64_t k) const {
  return cdf_of(Gaussian::with_sigma(sigma()), k);
}

// Sheppard's correction; what it leaves out is of the order of exp(-2 pi^2 sigma^2).
double RoundedGaussian::variance() const {
  if (sigma() > 2) return sigma() * sigma() + 1.0 / 12;
  double sum = 0;
  for (std::int64_t k = 1; k < 100; ++k) sum += 2 * static_cast<double>(k * k) * pmf(k);
  return sum;
}

RoundedLaplace RoundedLaplace::with_scale_at_least(double scale) {
  checked_positive("rounded Laplace noise", "scale", scale);
  return RoundedLaplace(
      Rational::at_least(checked_between("rounded Laplace noise", "scale", scale, 0.0, kMaxScale)));
}

// |Z|/scale = v + x is exponential: v falls by exp(-1), and x is uniform and kept with probability exp(-x),
// where the coin exp(-x) throws x, x/2, x/3, ..
std::int64_t RoundedLaplace::sample(RandomBits& bits) const {
  for (;;) {
    LazyUniform x(bits);
    std::uint64_t n = 1;
    while (x.coin() && (n == 1 || exact::bernoulli(bits, std::uint64_t{1}, n)))
      if (++n > exact::kMaxSteps) exact::fail_source();
    if (n % 2 == 0) continue;
    std::uint64_t v = 0;
    while (exact::bernoulli_exp_one(bits))
      if (++v == exact::kMaxSteps) exact::fail_source();
    return with_sign(bits, round_scaled(scale_, v, x));
  }
}

double RoundedLaplace::pmf(std::int64_t k) const {
  const double rate = 1 / scale();
  if (k == 0) return -std::expm1(-rate / 2);
  return std::exp(-rate * std::fabs(static_cast<double>(k))) * std::sinh(rate / 2);
}

double RoundedLaplace::cdf(std::int64_t k) const {
  return cdf_of(Laplace::with_scale(scale()), k);
}

double RoundedLaplace::variance() const {  // 2 sinh(rate/2) sum_k k^2 a^k, a = exp(-rate)
  const double rate = 1 / scale(), a = std::exp(-rate);
  return -std::expm1(-rate) * std::exp(rate / 2) * a * (1 + a) / std::pow(-std::expm1(-rate), 3);
}

}  // namespace tulle
