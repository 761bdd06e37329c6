#include <tulle/audit/bounds.hpp>
#include <tulle/base/error.hpp>
#include <tulle/privacy/account/gdp.hpp>

#include <boost/math/special_functions/beta.hpp>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace tulle {
namespace {

// Computes in double: long double in software, as the 128-bit one on ARM, takes 50 times as long. The
// relative error grows with the trials, to about 3e-12 for a million.
using InDouble = boost::math::policies::policy<boost::math::policies::promote_double<false>>;

// P(Binomial(trials, p) >= successes) = I_p(successes, trials - successes + 1).
double upper_tail(std::uint64_t successes, std::uint64_t trials, double p) {
  if (successes == 0) return 1;
  if (successes > trials) return 0;
  return boost::math::ibeta(static_cast<double>(successes), static_cast<double>(trials - successes + 1), p,
                            InDouble());
}

// The largest x of [low, high] with holds(x), to within the rounding of a double; holds(low) is assumed.
template <class Holds>
double last_that(double low, double high, const Holds& holds) {
  for (int step = 0; step < 60; ++step) {
    const double middle = low + (high - low) / 2;
    (holds(middle) ? low : high) = middle;
  }
  return low;
}

double normal_quantile(double p) {
  return last_that(-40, 40, [&](double t) { return std::erfc(-t / std::numbers::sqrt2) / 2 <= p; });
}

double log_odds(double p) {
  return std::log(p / (1 - p));
}

void check(double alpha) {
  if (!(alpha > 0 && alpha < 1))
    fail_usage("a confidence of {}; give more than 0 and less than 1", 1 - alpha);
}

constexpr double kMostEpsilon = 50;  // treated as infinite

}  // namespace

double proportion_lower(std::uint64_t successes, std::uint64_t trials, double alpha) {
  check(alpha);
  if (successes == 0) return 0;
  return last_that(0, 1, [&](double p) { return upper_tail(successes, trials, p) <= alpha; });
}

double proportion_upper(std::uint64_t successes, std::uint64_t trials, double alpha) {
  return 1 - proportion_lower(trials - successes, trials, alpha);
}

double epsilon_from_guesses(const Guesses& guesses, double delta, double alpha) {
  std::uint64_t revealed = 0;  // right guesses that delta explains
  if (delta > 0) {
    while (revealed <= guesses.trials && upper_tail(revealed + 1, guesses.trials, delta) > alpha / 10)
      ++revealed;
    alpha *= 0.9;
  }
  if (guesses.right <= revealed) return 0;
  const double p = proportion_lower(guesses.right - revealed, guesses.made, alpha);
  return std::clamp(log_odds(std::max(p, 0.5)), 0.0, kMostEpsilon);
}

double epsilon_from_rates(const Rates& rates, double delta, double alpha) {
  const double fpr = proportion_upper(rates.false_positives, rates.negatives, alpha / 2);
  const double tpr = proportion_lower(rates.true_positives, rates.positives, alpha / 2);
  const auto ratio = [&](double over, double under) {
    return over > delta && under > 0 ? std::log((over - delta) / under) : 0.0;
  };
  return std::clamp(std::max(ratio(tpr, fpr), ratio(1 - fpr, 1 - tpr)), 0.0, kMostEpsilon);
}

double epsilon_from_gaussian_fit(const Guesses& guesses, double delta, double alpha) {
  if (guesses.made != guesses.trials) fail("the Gaussian fit is for attackers who never abstain");
  const double mu = 2 * normal_quantile(proportion_lower(guesses.right, guesses.made, alpha));
  return mu > 0 && delta > 0 ? gaussian_epsilon_upper(mu, delta) : 0;
}

double epsilon_from_one_run(const Guesses& guesses, double delta, double alpha) {
  check(alpha);
  // The probability of as many right guesses or more, if the run is (epsilon, delta)-private.
  const auto p_value = [&](double epsilon) {
    const double q = 1 / (1 + std::exp(-epsilon));
    const double pure = upper_tail(guesses.right, guesses.made, q);
    if (delta == 0) return pure;
    double worst = 0;
    for (std::uint64_t fewer = 1; fewer <= guesses.right; ++fewer)
      worst = std::max(
          worst, (upper_tail(guesses.right - fewer, guesses.made, q) - pure) / static_cast<double>(fewer));
    return pure + 2 * delta * static_cast<double>(guesses.trials) * worst;
  };
  if (guesses.made == 0 || p_value(0) > alpha) return 0;
  return last_that(0, kMostEpsilon, [&](double epsilon) { return p_value(epsilon) <= alpha; });
}

}  // namespace tulle
