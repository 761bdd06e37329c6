#include "noise/check.hpp"

#include <tulle/privacy/noise/posterior_draw.hpp>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace tulle {
namespace {

constexpr auto kWhat = "posterior draw";
constexpr double kMostSigma = 0x1p26, kFinestHalf = 0x1p20;
constexpr std::int64_t kFewPoints = 1 << 12;  // above, a grid's variance is a density's to 1e-7
constexpr double kLeastInformation = 1e-6;    // epsilon x terms: about 1 of 2500 draws is within bounds

double sigma_of(double epsilon, double half, double terms) {
  return 2 * half * std::sqrt(terms / epsilon) * (1 + 0x1p-50);  // rounded up
}

// The standard deviation of a Normal density between -limit and limit: its square is sigma^2 (1 - 2 a phi(a)
// / (2 Phi(a) - 1)), a = limit / sigma; if a is so small that the difference loses its digits, limit^2 (1/3 -
// 2 a^2 / 45 + ..).
double truncated_deviation(double sigma, double limit) {
  const double a = limit / sigma;
  if (a < 0.01) return limit * std::sqrt(1.0 / 3 - 2 * a * a / 45);
  const double density = std::exp(-a * a / 2) / std::sqrt(2 * std::numbers::pi);
  return sigma * std::sqrt(1 - 2 * a * density / std::erf(a / std::numbers::sqrt2));
}

}  // namespace

std::int64_t PosteriorDraw::finest_half(double epsilon, std::uint64_t terms) {
  const double most =
      kMostSigma / sigma_of(epsilon, 1, static_cast<double>(std::max<std::uint64_t>(terms, 1)));
  if (!(most >= 1)) return 0;
  return std::int64_t{1} << std::ilogb(std::min(most, kFinestHalf));
}

PosteriorDraw PosteriorDraw::of_sums(double epsilon, std::int64_t half,
                                     std::span<const std::uint64_t> terms) {
  checked_positive(kWhat, "epsilon", epsilon);
  checked_between<std::int64_t>(kWhat, "half", half, 1, static_cast<std::int64_t>(kFinestHalf));
  PosteriorDraw draw;
  for (std::uint64_t count : terms) {
    checked_between<std::uint64_t>(kWhat, "terms", count, 0, std::uint64_t{1} << 31);
    const double information = epsilon * static_cast<double>(count);
    if (count > 0 && information < kLeastInformation)
      fail_usage("{}: epsilon {} of {} terms says next to nothing; give a larger epsilon", kWhat, epsilon,
                 count);
    draw.limits_.push_back(half * static_cast<std::int64_t>(count));
    const double sigma =
        count == 0 ? 1 : sigma_of(epsilon, static_cast<double>(half), static_cast<double>(count));
    draw.noise_.push_back(DiscreteGaussian::with_sigma_at_least(sigma));
  }
  return draw;
}

double PosteriorDraw::sigma(std::size_t i) const {
  return limits_[i] == 0 ? 0 : noise_[i].sigma();
}

// The standard deviation for a sum of 0, which is the largest: for weights that are even and whose logarithm
// has a concave derivative above 0, like a Gaussian between bounds, the third cumulant of a draw tilted
// upwards is not positive (Griffiths, Hurst and Sherman 1970), so the variance falls away from the middle.
double PosteriorDraw::deviation(std::size_t i) const {
  const std::int64_t limit = limits_[i];
  if (limit == 0) return 0;
  if (limit > kFewPoints) return truncated_deviation(noise_[i].sigma(), static_cast<double>(limit) + 0.5);
  double squares = 0;
  for (std::int64_t k = 1; k <= limit; ++k)
    squares += 2 * static_cast<double>(k) * static_cast<double>(k) * pmf(i, k, 0);
  return std::sqrt(squares);
}

double PosteriorDraw::largest_deviation() const {
  double largest = 0;
  for (std::size_t i = 0; i < size(); ++i) largest = std::max(largest, deviation(i));
  return largest;
}

std::int64_t PosteriorDraw::within(std::size_t i, double sum) const {
  const auto limit = static_cast<double>(limits_[i]);
  return std::llround(std::clamp(sum, -limit, limit));
}

// The points within bounds are an interval that contains the sum, so at least about one of two draws, or one
// of 2.5 sigma / limit, is kept.
std::int64_t PosteriorDraw::sample(std::size_t i, double sum, RandomBits& bits) const {
  const std::int64_t limit = limits_[i], centre = within(i, sum);
  if (limit == 0) return 0;
  for (;;) {
    const std::int64_t drawn = centre + noise_[i].sample(bits);
    if (drawn >= -limit && drawn <= limit) return drawn;
  }
}

double PosteriorDraw::mass(std::size_t i, std::int64_t sum) const {
  return noise_[i].cdf(limits_[i] - sum) - noise_[i].cdf(-limits_[i] - sum - 1);
}

double PosteriorDraw::pmf(std::size_t i, std::int64_t k, double sum) const {
  if (k < -limits_[i] || k > limits_[i]) return 0;
  if (limits_[i] == 0) return 1;
  const std::int64_t centre = within(i, sum);
  return noise_[i].pmf(k - centre) / mass(i, centre);
}

double PosteriorDraw::log_likelihood(std::size_t i, double drawn, double sum) const {
  if (limits_[i] == 0) return 0;
  const std::int64_t centre = within(i, sum);
  const double away = static_cast<double>(within(i, drawn) - centre) / noise_[i].sigma();
  return -away * away / 2 - std::log(mass(i, centre));
}

void release(std::span<double> sums, const PosteriorDraw& draw, RandomBits& bits) {
  for (std::size_t i = 0; i < sums.size(); ++i) sums[i] = static_cast<double>(draw.sample(i, sums[i], bits));
}

}  // namespace tulle
