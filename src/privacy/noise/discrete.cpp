#include "noise/check.hpp"
#include "noise/exact.hpp"

#include <tulle/privacy/noise/continuous.hpp>
#include <tulle/privacy/noise/discrete.hpp>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace tulle {
namespace {

using exact::Wide;

constexpr auto kLimit = static_cast<std::int64_t>(Rational::kLimit);

// P(k) proportional to exp(-k per/t) on 0, 1, 2, .. (Canonne et al. 2020, Algorithm 2). X = u + t v has P(X)
// prop. to exp(-X/t): u is uniform below t and kept with probability exp(-u/t), and v is the number of coins
// exp(-1) that succeed in a row. Then X/per, rounded down, falls by exp(-per/t) per step. X < 501 t <= 501
// 2^52 < 2^62.
std::uint64_t sample_geometric(RandomBits& bits, std::uint64_t t, std::uint64_t per) {
  std::uint64_t u;
  do {
    u = exact::uniform_below(bits, t);
  } while (!exact::bernoulli_exp_fraction(bits, u, t));
  int v = 0;
  while (exact::bernoulli_exp_one(bits))
    if (++v == exact::kMaxSteps) exact::fail_source();
  const std::uint64_t x = u + t * static_cast<std::uint64_t>(v);
  return per == 1 ? x : x / per;
}

// A magnitude with a fair sign; minus zero is redrawn, or zero would count twice.
template <class Magnitude>
std::int64_t sample_symmetric(RandomBits& bits, Magnitude magnitude) {
  for (;;) {
    const auto value = static_cast<std::int64_t>(magnitude());
    const bool negative = (bits.word() & 1) != 0;
    if (!negative) return value;
    if (value != 0) return -value;
  }
}

std::uint64_t magnitude_of(std::int64_t k) {
  return k < 0 ? 0 - static_cast<std::uint64_t>(k) : static_cast<std::uint64_t>(k);
}

}  // namespace

// ---- discrete Laplace ----

DiscreteLaplace DiscreteLaplace::with_scale(Rational scale) {
  return DiscreteLaplace(scale);
}

DiscreteLaplace DiscreteLaplace::with_scale_at_least(double scale) {
  checked_positive("discrete Laplace noise", "scale", scale);
  checked_between("discrete Laplace noise", "scale", scale, 0.0, static_cast<double>(kLimit));
  return DiscreteLaplace(Rational::at_least(scale));
}

std::int64_t DiscreteLaplace::sample(RandomBits& bits) const {
  return sample_symmetric(bits,
                          [&] { return sample_geometric(bits, scale_.numerator(), scale_.denominator()); });
}

double DiscreteLaplace::variance() const {
  const double half = std::sinh(0.5 / scale_.value());  // 2a/(1-a)^2 = 1 / (2 sinh^2(1/(2 scale)))
  return 0.5 / (half * half);
}

double DiscreteLaplace::pmf(std::int64_t k) const {
  const double rate = 1 / scale_.value();
  return std::tanh(rate / 2) * std::exp(-rate * static_cast<double>(magnitude_of(k)));
}

double DiscreteLaplace::cdf(std::int64_t k) const {
  const double rate = 1 / scale_.value();
  const double one_plus_a = 1 + std::exp(-rate);
  if (k < 0) return std::exp(-rate * static_cast<double>(magnitude_of(k))) / one_plus_a;
  return 1 - std::exp(-rate * (static_cast<double>(k) + 1)) / one_plus_a;
}

// ---- discrete Gaussian ----

DiscreteGaussian::DiscreteGaussian(Rational sigma2)
    : sigma2_(sigma2), envelope_(static_cast<std::uint64_t>(std::sqrt(sigma2.value())) + 1) {}

DiscreteGaussian DiscreteGaussian::with_sigma2(Rational sigma2) {
  return DiscreteGaussian(sigma2);
}

DiscreteGaussian DiscreteGaussian::with_sigma_at_least(double sigma) {
  checked_positive("discrete Gaussian noise", "sigma", sigma);
  if (sigma > 0x1p26)
    fail_usage(
        "discrete Gaussian noise: sigma {} must be at most 2^26; take a coarser grid, or rounded Gaussian "
        "noise",
        sigma);
  const double rounded_up = std::nextafter(sigma * sigma, HUGE_VAL);
  return DiscreteGaussian(Rational::at_least(std::min(rounded_up, static_cast<double>(kLimit))));
}

double DiscreteGaussian::sigma() const {
  return std::sqrt(sigma2_.value());
}

// Canonne et al. 2020, Algorithm 3, with sigma^2 = a/b. A discrete Laplace y of scale t is kept with
// probability
//   exp(-(|y| - sigma^2/t)^2 / (2 sigma^2)) = exp(-n^2 / (2 a b t^2)),  n = |y| b t - a,
// and exp(-|y|/t) times that is exp(-y^2/(2 sigma^2)) times a constant. This holds for every t >= 1;
// floor(sigma)+1 wastes the fewest draws. Nothing overflows: a, b <= 2^52 and b t^2 <= (sqrt(a) + sqrt(b))^2
// <= 2^54, so |y| b t < 501 2^54 and n^2 < 2^126, 2 a b t^2 <= 2^107.
std::int64_t DiscreteGaussian::sample(RandomBits& bits) const {
  const std::uint64_t a = sigma2_.numerator(), b = sigma2_.denominator(), t = envelope_;
  const std::uint64_t bt = b * t;
  const Wide denominator = Wide{2} * a * (bt * t);
  for (;;) {
    const std::int64_t y = sample_symmetric(bits, [&] { return sample_geometric(bits, t, 1); });
    const std::uint64_t product = magnitude_of(y) * bt;
    const std::uint64_t n = product > a ? product - a : a - product;
    if (exact::bernoulli_exp(bits, Wide{n} * n, denominator)) return y;
  }
}

namespace {

// Poisson summation: sum_k exp(-k^2/(2 s2)) = sqrt(2 pi s2) sum_k q^(k^2) with q = exp(-2 pi^2 s2). The left
// side converges fast for small s2, the right side for large; both are good near 1/2.
struct Theta {
  double sum;         // of the terms
  double square_sum;  // of the terms times k^2
};

Theta theta(double rate) {
  Theta result{1, 0};
  for (int k = 1;; ++k) {
    const double square = static_cast<double>(k) * k, term = 2 * std::exp(-rate * square);
    result.sum += term;
    result.square_sum += square * term;
    if (square * term < 1e-18 * result.sum) return result;
  }
}

constexpr double kSwitch = 0.25;
constexpr double kTwoPiSquared = 2 * std::numbers::pi * std::numbers::pi;

double mass(double sigma2) {  // sum_k exp(-k^2/(2 sigma2))
  if (sigma2 < kSwitch) return theta(0.5 / sigma2).sum;
  return std::sqrt(2 * std::numbers::pi * sigma2) * theta(kTwoPiSquared * sigma2).sum;
}

}  // namespace

double DiscreteGaussian::variance() const {
  const double s2 = sigma2_.value();
  const Theta t = s2 < kSwitch ? theta(0.5 / s2) : theta(kTwoPiSquared * s2);
  if (s2 < kSwitch) return t.square_sum / t.sum;
  return s2 - 2 * kTwoPiSquared * s2 * s2 * t.square_sum / t.sum;  // the derivative of the sum by 1/(2 s2)
}

double DiscreteGaussian::pmf(std::int64_t k) const {
  const double s2 = sigma2_.value(), x = static_cast<double>(k);
  return std::exp(-x * x / (2 * s2)) / mass(s2);
}

// Sums the tail for small sigma. For large sigma, the Euler-Maclaurin sum: the integral, half the last term,
// and derivatives at the end; the j-th correction is about (2 pi sigma)^-2j.
double DiscreteGaussian::cdf(std::int64_t k) const {
  if (k > 0) return 1 - cdf(-k - 1);
  if (k == 0) return 1 - cdf(-1);
  const double s2 = sigma2_.value(), s = std::sqrt(s2), x = static_cast<double>(k);
  const auto term = [&](double y) { return std::exp(-y * y / (2 * s2)); };
  if (s < 8) {
    double tail = 0;
    for (double y = x; term(y) > 0; --y) tail += term(y);
    return tail / mass(s2);
  }
  // B_2j / (2j)!, and the derivative of order n of exp(-z^2/2) is (-1)^n He_n(z) exp(-z^2/2).
  constexpr double coefficients[] = {1.0 / 12, -1.0 / 720, 1.0 / 30240, -1.0 / 1209600};
  const double z = x / s;
  double below = 1, hermite = z, order = 1, correction = 0, power = 1 / s;
  for (const double coefficient : coefficients) {
    correction -= coefficient * hermite * power;
    for (int step = 0; step < 2; ++step) {  // He_{n+1} = z He_n - n He_{n-1}
      const double next = z * hermite - order * below;
      below = hermite, hermite = next, order += 1, power /= s;
    }
  }
  const double integral = s * std::sqrt(std::numbers::pi / 2) * std::erfc(-z / std::numbers::sqrt2);
  return (integral + term(x) * (0.5 + correction)) / mass(s2);
}

// ---- discrete staircase ----

DiscreteStaircase::DiscreteStaircase(Rational epsilon, std::int64_t sensitivity, std::int64_t step)
    : epsilon_(epsilon), sensitivity_(sensitivity), step_(step) {}

DiscreteStaircase DiscreteStaircase::with_step(double epsilon, std::int64_t sensitivity, std::int64_t step) {
  constexpr auto what = "discrete staircase noise";
  checked_positive(what, "epsilon", epsilon);
  checked_between(what, "epsilon", epsilon, 0x1p-52, 20.0);
  checked_between<std::int64_t>(what, "sensitivity", sensitivity, 1, kLimit);
  checked_between<std::int64_t>(what, "step", step, 1, sensitivity);
  const Rational rounded = Rational::at_most(epsilon);
  const double scale = static_cast<double>(sensitivity) / rounded.value();
  checked_between(what, "sensitivity/epsilon", scale, 0.0, static_cast<double>(kLimit));
  return {rounded, sensitivity, step};
}

DiscreteStaircase DiscreteStaircase::optimal(double epsilon, std::int64_t sensitivity) {
  const auto one = with_step(epsilon, sensitivity, 1);  // checks both
  const double width = static_cast<double>(sensitivity);
  const auto below = static_cast<std::int64_t>(Staircase::optimal(one.epsilon(), width).gamma() * width);
  const auto low = with_step(epsilon, sensitivity, std::clamp<std::int64_t>(below, 1, sensitivity));
  const auto high = with_step(epsilon, sensitivity, std::clamp<std::int64_t>(below + 1, 1, sensitivity));
  return low.variance() <= high.variance() ? low : high;
}

// A geometric number of whole stairs and a place on the stair: uniform, but kept with probability e^-epsilon
// beyond the step. Stairs < 501/epsilon + 1, so the magnitude is below 502 2^52 < 2^62.
std::int64_t DiscreteStaircase::sample(RandomBits& bits) const {
  const std::uint64_t p = epsilon_.numerator(), q = epsilon_.denominator();
  return sample_symmetric(bits, [&] {
    const std::uint64_t stairs = sample_geometric(bits, q, p);
    std::uint64_t place;
    do {
      place = exact::uniform_below(bits, static_cast<std::uint64_t>(sensitivity_));
    } while (place >= static_cast<std::uint64_t>(step_) && !exact::bernoulli_exp(bits, p, q));
    return stairs * static_cast<std::uint64_t>(sensitivity_) + place;
  });
}

// Both sides add up to 2 a (step + b (D - step)) / (1-b), with zero counted twice.
double DiscreteStaircase::level() const {
  const double b = std::exp(-epsilon()), r = static_cast<double>(step_),
               d = static_cast<double>(sensitivity_);
  return 1 / (2 * (r + b * (d - r)) / -std::expm1(-epsilon()) - 1);
}

double DiscreteStaircase::pmf(std::int64_t k) const {
  const std::uint64_t m = magnitude_of(k), d = static_cast<std::uint64_t>(sensitivity_);
  const double drops = static_cast<double>(m / d) + (m % d >= static_cast<std::uint64_t>(step_) ? 1 : 0);
  return level() * std::exp(-epsilon() * drops);
}

double DiscreteStaircase::cdf(std::int64_t k) const {
  if (k >= 0) return 1 - cdf(-k - 1);
  // P(K >= m), m = -k: the rest of its stair, and all stairs after it.
  const std::uint64_t m = magnitude_of(k), width = static_cast<std::uint64_t>(sensitivity_);
  const double b = std::exp(-epsilon()), r = static_cast<double>(step_), d = static_cast<double>(width);
  const double place = static_cast<double>(m % width);
  const double rest = std::max(r - place, 0.0) + b * (d - std::max(place, r));
  const double later = b * (r + b * (d - r)) / -std::expm1(-epsilon());
  return level() * std::exp(-epsilon() * static_cast<double>(m / width)) * (rest + later);
}

// E K^2 = 2 a sum_g b^g [ sum_{j<r} (gD+j)^2 + b sum_{r<=j<D} (gD+j)^2 ], by the sums of g^i b^g and of j^i.
double DiscreteStaircase::variance() const {
  const double b = std::exp(-epsilon()), rest = -std::expm1(-epsilon());
  const double r = static_cast<double>(step_), d = static_cast<double>(sensitivity_);
  const auto sum1 = [](double n) { return n * (n - 1) / 2; };                // of j, j < n
  const auto sum2 = [](double n) { return n * (n - 1) * (2 * n - 1) / 6; };  // of j^2, j < n
  const double m0 = r + b * (d - r);
  const double m1 = sum1(r) + b * (sum1(d) - sum1(r));
  const double m2 = sum2(r) + b * (sum2(d) - sum2(r));
  const double g0 = 1 / rest, g1 = b / (rest * rest), g2 = b * (1 + b) / (rest * rest * rest);
  return 2 * level() * (g2 * d * d * m0 + 2 * g1 * d * m1 + g0 * m2);
}

}  // namespace tulle
