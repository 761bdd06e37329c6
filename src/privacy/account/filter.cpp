#include "check.hpp"
#include "search.hpp"

#include <tulle/base/error.hpp>
#include <tulle/privacy/account/composition.hpp>
#include <tulle/privacy/account/filter.hpp>
#include <tulle/privacy/account/gdp.hpp>
#include <tulle/privacy/account/rdp.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

namespace tulle {
namespace {

constexpr double kInfinite = std::numeric_limits<double>::infinity();

bool unsampled(const Event& event) {
  return std::holds_alternative<Unsampled>(event.sampling());
}

// Sum of the pure epsilons of the releases.
double pure_sum(std::span<const Event> events, Relation relation) {
  double sum = 0;
  for (const Event& event : events) sum += epsilon_upper({&event, 1}, relation, 0).value;
  return sum;
}

double gdp_epsilon(std::span<const Event> events, double delta) {
  double square = 0;
  for (const Event& event : events) {
    const auto* gaussian = std::get_if<GaussianRelease>(&event.mechanism());
    if (!gaussian || !unsampled(event)) return kInfinite;
    square += static_cast<double>(event.count()) / (gaussian->noise_multiplier * gaussian->noise_multiplier);
  }
  return gaussian_epsilon_upper(std::sqrt(square), delta);
}

double divergence(std::span<const Event> events, Relation relation, double order) {
  double sum = 0;
  for (const Event& event : events) sum += rdp_upper(event, relation, order);
  return sum;
}

// The order that converts best for a Gaussian that uses up the whole budget: for rho-zCDP, 1 +
// sqrt(ln(1/delta) / rho).
double order_for(double budget_epsilon, double delta) {
  return 1 + std::sqrt(std::log(1 / delta) / zcdp_rho_simple(budget_epsilon, delta));
}

double renyi_epsilon(std::span<const Event> events, Relation relation, double budget_epsilon, double delta) {
  const double order = order_for(budget_epsilon, delta);
  return rdp_to_epsilon(divergence(events, relation, order), order, delta);
}

}  // namespace

Bound adaptive_epsilon_upper(std::span<const Event> events, Relation relation, double budget_epsilon,
                             double delta) {
  Bound least{pure_sum(events, relation), Accounting::pure, 0};
  if (events.empty() || delta == 0) return least;
  // Whether a run passes one filter or the other depends on its outcomes, so their deltas add up. Pure sums
  // have none.
  const double half = delta / 2;
  for (const Bound& other :
       {Bound{gdp_epsilon(events, half), Accounting::gdp, delta},
        Bound{renyi_epsilon(events, relation, budget_epsilon, half), Accounting::rdp, delta}})
    if (other.value < least.value) least = other;
  return least;
}

double odometer_epsilon_upper(std::span<const Event> events, Relation relation, double delta) {
  account::check_delta(delta);
  if (events.empty()) return 0;
  // Tilts for total epsilons from about 100 down to 1e-3, chosen before anything is released.
  constexpr int kTilts = 18;
  constexpr double kLeastTilt = 0.25;
  struct Line {
    double tilt, divergence;
  };
  std::vector<Line> lines;
  double most = kInfinite, tilt = kLeastTilt;
  for (int i = 0; i < kTilts; ++i, tilt *= 2) {
    const double sum = divergence(events, relation, 1 + tilt);
    if (!std::isfinite(sum)) continue;
    lines.push_back({tilt, sum});
    // The loss at which this part of the mixture alone reaches its limit.
    most = std::min(most, sum + std::log(kTilts / delta) / tilt);
  }
  const double pure = pure_sum(events, relation);
  if (lines.empty()) return pure;
  const auto reached = [&](double loss) {
    double mixture = 0;
    for (const Line& line : lines) mixture += std::exp(line.tilt * (loss - line.divergence)) / kTilts;
    return mixture >= 1 / delta;
  };
  return std::min(pure, account::last_place(most * (1 + 1e-12), 0, 1e-9, reached));
}

}  // namespace tulle
