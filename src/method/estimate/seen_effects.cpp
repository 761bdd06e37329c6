#include "seen_effects.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace tulle {
namespace {

constexpr double kLeastDeviation = 0.001, kMostDeviation = 0.4;  // of deviations(), but 0
constexpr double kLeastWeight = 1e-9;  // of a deviation that says something of means

// ln of exp(t^2) erfc(t).
double log_erfcx(double t) {
  if (t < 20) return t * t + std::log(std::erfc(t));
  const double square = t * t;
  return -std::log(t * std::sqrt(std::numbers::pi)) +
         std::log1p(-1 / (2 * square) + 3 / (4 * square * square));
}

}  // namespace

const std::array<double, kDeviations>& deviations() {
  static const auto grid = [] {
    std::array<double, kDeviations> values{};
    for (std::size_t k = 1; k < kDeviations; ++k)
      values[k] = kLeastDeviation *
                  std::pow(kMostDeviation / kLeastDeviation, static_cast<double>(k - 1) / (kDeviations - 2));
    return values;
  }();
  return grid;
}

// For u ~ N(0, t^2), t^2 = square + gaussian, and Laplace noise of scale l,
//   p(z) = exp(-z^2 / 2 t^2) (g(+) + g(-)) / 4 l,   E[u | z] = t^2 / l (g(+) - g(-)) / (g(+) + g(-)),
// where g(+-) = erfcx((t / l -+ z / t) / sqrt 2). The mean is bounded, so an outlier is treated as noise.
SeenEffect::Posterior SeenEffect::under(double square) const {
  if (laplace * laplace < 1e-3 * (square + gaussian)) {
    const double total = square + variance();
    return {-0.5 * (std::log(2 * std::numbers::pi * total) + value * value / total), value * square / total};
  }
  const double t = std::sqrt(square + gaussian), root = std::numbers::sqrt2;
  const double plus = log_erfcx((t / laplace - value / t) / root),
               minus = log_erfcx((t / laplace + value / t) / root);
  const double more = std::max(plus, minus);
  return {more + std::log1p(std::exp(std::min(plus, minus) - more)) - value * value / (2 * t * t) -
              std::log(4 * laplace),
          square / laplace * std::tanh((plus - minus) / 2)};
}

Shrunk shrink(std::span<const SeenEffect> seen, double most) {
  Shrunk result{.means = std::vector<double>(seen.size())};
  std::size_t allowed = 0;
  double best = -INFINITY, sum = 0;
  for (; allowed < kDeviations && deviations()[allowed] <= std::max(most, 0.01); ++allowed) {
    for (const SeenEffect& effect : seen)
      result.weights[allowed] += effect.under(deviations()[allowed] * deviations()[allowed]).log_evidence;
    best = std::max(best, result.weights[allowed]);
  }
  for (std::size_t k = 0; k < kDeviations; ++k)
    sum += result.weights[k] = k < allowed ? std::exp(result.weights[k] - best) : 0;
  result.log_evidence = best + std::log(sum / static_cast<double>(allowed));
  for (std::size_t k = 0; k < allowed; ++k) {
    result.weights[k] /= sum;
    if (result.weights[k] < kLeastWeight) continue;
    for (std::size_t i = 0; i < seen.size(); ++i)
      result.means[i] += result.weights[k] * seen[i].under(deviations()[k] * deviations()[k]).mean;
  }
  return result;
}

}  // namespace tulle
