#include "check.hpp"
#include "memory.hpp"
#include "normal.hpp"
#include "search.hpp"

#include <tulle/privacy/account/gdp.hpp>

#include <algorithm>
#include <cmath>
#include <limits>

namespace tulle {
namespace {

using namespace account;

// ln delta = ln(Q(a) - e^epsilon Q(b)) with a = epsilon/mu - mu/2 and b = a + mu, where e^epsilon density(b)
// = density(a); plus a bound on the rounding.
double log_delta_upper(double mu, double epsilon) {
  return log_tail_excess_upper(epsilon / mu, mu / 2);
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
  // Deltas below the smallest double must not become 0, which would promise pure privacy.
  return std::clamp(std::exp(log_delta_upper(mu, epsilon)), std::numeric_limits<double>::min(), 1.0);
}

double gaussian_epsilon_upper(double mu, double delta) {
  check_mu(mu);
  check_delta(delta);
  const double wanted = std::log(delta);
  const auto holds = [&](double epsilon) { return log_delta_upper(mu, epsilon) <= wanted; };
  if (holds(0)) return 0;
  // delta <= Q(a) <= exp(-a^2 / 2) for a >= 0, and delta < 1 at a where Q(a) < 1.
  const double most = mu * (mu / 2 + std::sqrt(-2 * wanted)) * (1 + 1e-9) + 1e-300;
  if (!std::isfinite(most)) return most;
  return last_place(most, 0, 1e-15, holds);
}

double gaussian_mu_lower(double epsilon, double delta) {
  static Memory<std::pair<double, double>, double> known;
  check_epsilon(epsilon);
  check_delta(delta);
  return known(std::pair(epsilon, delta), [&] { return compute_mu_lower(epsilon, delta); });
}

}  // namespace tulle
