#include "check.hpp"
#include "constants.hpp"
#include "walk.hpp"

#include <tulle/privacy/account/composition.hpp>

#include <algorithm>
#include <cmath>
#include <vector>

namespace tulle {
namespace {

using account::kUnit;

constexpr double kPlaceError = 2 * kUnit;  // of a loss (2 j - k) epsilon

// The privacy loss of k releases is (2 J - k) epsilon with J ~ Binomial(k, p), p = e^epsilon / (1 +
// e^epsilon). Holds the probabilities of J = first .. first + size - 1; all others are below 1e-300 together.
struct Binomial {
  double first;
  std::vector<double> probability;
};

// Computed from the mode outwards by the ratio of neighbours, then divided by the sum: no logarithms of
// factorials, whose rounding grows with k.
Binomial binomial(double k, double epsilon) {
  const double odds = std::exp(epsilon), p = 1 / (1 + std::exp(-epsilon));
  const double mode = std::min(k, std::floor((k + 1) * p));
  constexpr double kLeast = 1e-305;
  std::vector<double> down, up;
  double value = 1;
  for (double j = mode; j > 0 && value > kLeast; --j) down.push_back(value *= j / ((k - j + 1) * odds));
  value = 1;
  for (double j = mode; j < k && value > kLeast; ++j) up.push_back(value *= (k - j) * odds / (j + 1));
  Binomial result{mode - static_cast<double>(down.size()), {}};
  result.probability.assign(down.rbegin(), down.rend());
  result.probability.push_back(1);
  result.probability.insert(result.probability.end(), up.begin(), up.end());
  double sum = 0;
  for (double x : result.probability) sum += x;
  // Each ratio is wrong by at most 3 units, and there are as many ratios as terms.
  const double up_rounding = 1 + 8 * kUnit * static_cast<double>(result.probability.size() + 8);
  for (double& x : result.probability) x = x / sum * up_rounding;
  return result;
}

void check_pure(double epsilon, std::uint64_t count) {
  account::check_epsilon(epsilon);
  if (count < 1) fail_usage("a composition of 0 releases; there must be at least 1");
}

// Walks down the losses until `stop(loss, delta)`; returns result(loss, walk), or `never` if no loss is left.
template <class Stop, class Result>
double walk_losses(double epsilon, std::uint64_t count, double never, const Stop& stop,
                   const Result& result) {
  const double k = static_cast<double>(count);
  const Binomial losses = binomial(k, epsilon);
  account::DeltaWalk walk(2 * epsilon);
  for (std::size_t i = losses.probability.size(); i-- > 0;) {
    const double loss = (2 * (losses.first + static_cast<double>(i)) - k) * epsilon;
    if (stop(loss, walk.delta())) return result(loss, walk);
    walk.step_down(losses.probability[i]);
  }
  return never;
}

}  // namespace

double optimal_delta_upper(double epsilon, std::uint64_t count, double total_epsilon) {
  check_pure(epsilon, count);
  account::check_epsilon(total_epsilon);
  if (epsilon == 0) return 0;
  return walk_losses(
      epsilon, count, 1, [&](double loss, double) { return loss <= total_epsilon; },
      [&](double loss, const account::DeltaWalk& walk) {
        const double by = total_epsilon - loss - kPlaceError * std::abs(loss);
        return std::min(1.0, walk.delta_higher(by) * (1 + 8 * kUnit));
      });
}

double optimal_epsilon_upper(double epsilon, std::uint64_t count, double delta) {
  check_pure(epsilon, count);
  account::check_delta(delta);
  if (epsilon == 0) return 0;
  return walk_losses(
      epsilon, count, 0, [&](double loss, double here) { return here > delta || loss <= 0; },
      [&](double loss, const account::DeltaWalk& walk) {
        // Below loss 0 the whole step down may be too much.
        const double place =
            walk.delta() > delta ? loss + walk.higher_for(delta) + 2 * kPlaceError * std::abs(loss) : 0;
        return std::max(0.0, place) * (1 + 8 * kUnit);
      });
}

double zcdp_rho_simple(double epsilon, double delta) {
  account::check_epsilon(epsilon);
  account::check_delta(delta);
  // (sqrt(ln(1/delta) + epsilon) - sqrt(ln(1/delta)))^2, without cancellation.
  const double log = -std::log(delta);
  const double root = epsilon / (std::sqrt(log + epsilon) + std::sqrt(log));
  return root * root;
}

}  // namespace tulle
