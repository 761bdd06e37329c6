#include "noise/check.hpp"
#include "noise/exact.hpp"
#include "noise/gaussian_pieces.hpp"

#include <tulle/privacy/noise/continuous.hpp>
#include <tulle/privacy/noise/rounded.hpp>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <numbers>
#include <optional>

namespace tulle {
namespace {

using exact::Wide;

constexpr double kMaxScale = static_cast<double>(Rational::kLimit);

// A real, uniform on [0, 1), whose digits of 64 bits are drawn only when needed: nearly always, only one is.
class LazyUniform {
 public:
  explicit LazyUniform(RandomBits& bits) : bits_(bits) {}
  LazyUniform(std::uint64_t first_digit, RandomBits& bits) : bits_(bits), drawn_(1) {
    digits_[0] = first_digit;
  }

  std::uint64_t digit(std::size_t place) {
    while (drawn_ <= place) {
      if (drawn_ == digits_.size()) exact::fail_source();  // 11 pairs of equal words
      digits_[drawn_++] = bits_.word();
    }
    return digits_[place];
  }

  // True with probability x, given x: whether another uniform real is smaller.
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

// scale (whole + x) / 2^places, rounded to the nearest whole number exactly as the real number would be,
// however near it is to a half. With scale = n/2^j and w the first digit of x, the value is (t + n rest) /
// 2^(64+j+places) for t = whole n 2^64 + w n. Here whole < 2^10, n <= 2^52 and j + places < 62, so t < 2^126.
class ScaledRounding {
 public:
  ScaledRounding(Rational scale, int places)
      : n_(scale.numerator()),
        places_(std::countr_zero(scale.denominator()) + places),
        mask_((std::uint64_t{1} << places_) - 1) {}

  // The high word of t nearly always decides: the rest is less than two of its units.
  std::int64_t operator()(std::uint64_t whole, LazyUniform& x) const {
    const std::uint64_t high =
        whole * n_ + static_cast<std::uint64_t>((Wide{x.digit(0)} * n_) >> 64) + (mask_ / 2 + 1);
    if (places_ > 0 && (high & mask_) + 2 <= mask_) return static_cast<std::int64_t>(high >> places_);
    return near_half(whole, x);
  }

 private:
  // A half strictly inside is c/n of the way, and the rest of x decides.
  __attribute__((noinline)) std::int64_t near_half(std::uint64_t whole, LazyUniform& x) const {
    const int shift = 64 + places_;
    const Wide t = (Wide{whole * n_} << 64) + Wide{x.digit(0)} * n_ + (Wide{1} << (shift - 1));
    const Wide low = t >> shift, high = (t + (n_ - 1)) >> shift;
    if (low == high) return static_cast<std::int64_t>(low);
    const Wide c = (high << shift) - t;
    return static_cast<std::int64_t>(x.rest_below(static_cast<std::uint64_t>(c), n_) ? low : high);
  }

  std::uint64_t n_;
  int places_;
  std::uint64_t mask_;
};

std::int64_t with_sign(RandomBits& bits, std::int64_t magnitude) {
  return (bits.word() & 1) != 0 ? -magnitude : magnitude;
}

// True with probability exp(-t), t = x (2i + x) / 2048, given that a coin of (i+1)/1024 succeeded. As in
// exact::bernoulli_exp_fraction, coins t, t/2, t/3, .. are thrown until one fails. A coin t is a coin
// (i+1)/1024, a coin x and a coin (2i + x)/(2i + 2); the last one draws one of 2i + 2 parts and throws x for
// one of them.
bool keep_in_piece(RandomBits& bits, LazyUniform& x, std::uint64_t i) {
  constexpr std::uint64_t kParts = std::uint64_t{1} << (2 * GaussianPieces::kShift);
  for (std::uint64_t n = 1; n <= exact::kMaxSteps; ++n) {
    bool success = (n == 1 || exact::bernoulli(bits, i + 1, n * kParts)) && x.coin();
    if (success) {
      const std::uint64_t part = exact::uniform_below(bits, 2 * i + 2);
      success = part < 2 * i || (part == 2 * i && x.coin());
    }
    if (!success) return n % 2 != 0;
  }
  exact::fail_source();
}

// |Z|/sigma = (i + x)/32: see gaussian_pieces.hpp. (Exact sampling with lazy digits is Karney's idea, 2016;
// his algorithm throws more coins.)
class GaussianDraw {
 public:
  explicit GaussianDraw(Rational sigma)
      : pieces_(GaussianPieces::table()), round_(sigma, GaussianPieces::kShift) {}

  // The 11 bits of `word` that do not affect the choice of i hold the sign and the first coin for x (ten
  // bits). Nothing if the sample is not kept.
  std::optional<std::int64_t> attempt(std::uint64_t word, std::uint64_t digit, RandomBits& bits) const {
    const std::size_t piece = pieces_.choose(word, bits);
    if (piece == GaussianPieces::kPieces) return std::nullopt;
    LazyUniform x(digit, bits);
    const std::uint64_t spare = word & ((1U << GaussianPieces::kSpareBits) - 1);
    if ((spare >> 1) <= piece && !keep_in_piece(bits, x, piece)) return std::nullopt;
    const std::int64_t magnitude = round_(piece, x);
    return (spare & 1) != 0 ? -magnitude : magnitude;
  }

  std::int64_t operator()(RandomBits& bits) const {
    for (;;) {
      const std::uint64_t word = bits.word();
      if (const auto sample = attempt(word, bits.word(), bits)) return *sample;
    }
  }

 private:
  const GaussianPieces& pieces_;
  ScaledRounding round_;
};

// Drawn noise is as secret as the values it hides: it is not left in memory.
void wipe(std::span<std::uint64_t> words) {
  for (volatile std::uint64_t& word : words) word = 0;
}

// P(round(Z) = k), computed in the lower tail, where the difference loses nothing.
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

std::int64_t RoundedGaussian::sample(RandomBits& bits) const {
  return GaussianDraw(sigma_)(bits);
}

void RoundedGaussian::fill(std::span<std::int64_t> values, RandomBits& bits) const {
  constexpr std::size_t kBatch = 510;  // their words fill a block of the stream
  std::array<std::uint64_t, 2 * kBatch> words;
  const GaussianDraw draw(sigma_);
  for (std::size_t start = 0; start < values.size(); start += kBatch) {
    const auto batch = values.subspan(start, std::min(kBatch, values.size() - start));
    bits.fill(std::span(words).first(2 * batch.size()));
    for (std::size_t i = 0; i < batch.size(); ++i) {
      const auto value = draw.attempt(words[2 * i], words[2 * i + 1], bits);
      batch[i] = value ? *value : draw(bits);
    }
  }
  wipe(words);
}

double RoundedGaussian::pmf(std::int64_t k) const {
  return mass_of(Gaussian::with_sigma(sigma()), k);
}

double RoundedGaussian::cdf(std::int64_t k) const {
  return cdf_of(Gaussian::with_sigma(sigma()), k);
}

// Sheppard's correction; its error is of the order of exp(-2 pi^2 sigma^2).
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
// by throwing the coins x, x/2, x/3, .. of exp(-x).
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
    return with_sign(bits, ScaledRounding(scale_, 0)(v, x));
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
