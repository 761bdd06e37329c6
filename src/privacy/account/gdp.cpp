#include "check.hpp"
#include "memory.hpp"
#include "normal.hpp"
#include "quadrature.hpp"
#include "search.hpp"

#include <tulle/privacy/account/gdp.hpp>

#include <cmath>
#include <limits>

namespace tulle {
namespace {

using namespace account;

constexpr double kUnit = std::numeric_limits<double>::epsilon() / 2;

// -R'(t) = 1 - t R(t), without cancellation.
double mills_fall(double t) {
  if (t < 3) return 1 - t * mills(t);
  const double rest = mills_rest(t);
  return rest / (t + rest);
}

// ln delta. With a = epsilon/mu - mu/2 and b = a + mu, e^epsilon density(b) = density(a), so that
//   delta = Q(a) - e^epsilon Q(b) = density(a) (R(a) - R(b)):
// nothing overflows, and the difference of Mills ratios is an integral of a positive function where mu is
// small.
double log_delta(double mu, double epsilon) {
  const double a = epsilon / mu - mu / 2, b = epsilon / mu + mu / 2;
  const double log_density = -a * a / 2 - kLogSqrt2Pi;
  if (mu < 0.5) return log_density + std::log(gauss_legendre(a, b, mills_fall));
  if (a > 0) return log_density + std::log(mills(a) - mills(b));
  return std::log(upper_tail(a) - std::exp(log_density) * mills(b));
}

// How far rounding can move ln delta: a, b and their squares carry a few units each; the difference of Mills
// ratios loses the factor R(a) / (R(a) - R(b)) ~ b / mu where it is taken.
double log_delta_error(double mu, double epsilon) {
  const double a = epsilon / mu - mu / 2, b = epsilon / mu + mu / 2;
  return kUnit * (64 + 4 * a * a + 4 * std::abs(a) * b + (mu < 0.5 ? 0 : 16 * (1 + b / mu)));
}

double log_delta_upper(double mu, double epsilon) {
  return log_delta(mu, epsilon) + log_delta_error(mu, epsilon);
}

void check_mu(double mu) {
  if (!(mu > 0) || !std::isfinite(mu)) fail_usage("a mu of {}; it must be positive and finite", mu);
}

double compute_mu_lower(double epsilon, double delta) {
  const double wanted = std::log(delta);
  const auto holds = [&](double mu) { return log_delta_upper(mu, epsilon) <= wanted; };
  // mu^2 / 2 + mu sqrt(2 ln(1/delta)) = epsilon is met; at epsilon = 0, delta = erf(mu / sqrt 8) < mu / 2.
  const double root = std::sqrt(-2 * wanted);
  const double least =
      std::max(2 * epsilon / (root + std::sqrt(root * root + 2 * epsilon)), delta) * (1 - 1e-9);
  double most = least;
  while (holds(most)) most *= 2;
  return last_place(least, most, 1e-15, holds);
}

}  // namespace

double gaussian_delta_upper(double mu, double epsilon) {
  check_mu(mu);
  check_epsilon(epsilon);
  return std::min(1.0, std::exp(log_delta_upper(mu, epsilon)));
}

double gaussian_epsilon_upper(double mu, double delta) {
  check_mu(mu);
  check_delta(delta);
  const double wanted = std::log(delta);
  const auto holds = [&](double epsilon) { return log_delta_upper(mu, epsilon) <= wanted; };
  if (holds(0)) return 0;
  // delta <= Q(a) <= exp(-a^2 / 2) for a >= 0, and delta < 1 at a where Q(a) < 1.
  const double most = mu * (mu / 2 + std::sqrt(-2 * wanted)) * (1 + 1e-9) + 1e-300;
  return last_place(most, 0, 1e-15, holds);
}

double gaussian_mu_lower(double epsilon, double delta) {
  static Memory<std::pair<double, double>, double> known;
  check_epsilon(epsilon);
  check_delta(delta);
  return known(std::pair(epsilon, delta), [&] { return compute_mu_lower(epsilon, delta); });
}

}  // namespace tulle
