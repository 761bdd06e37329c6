#include <tulle/base/error.hpp>
#include <tulle/privacy/account/composition.hpp>
#include <tulle/privacy/account/filter.hpp>
#include <tulle/privacy/account/gdp.hpp>
#include <tulle/privacy/account/rdp.hpp>

#include <cmath>
#include <limits>

namespace tulle {
namespace {

constexpr double kInfinite = std::numeric_limits<double>::infinity();

bool unsampled(const Event& event) {
  return std::holds_alternative<Unsampled>(event.sampling());
}

// Sum of the epsilons that hold without any delta.
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

// The order at which a Gaussian that uses up the whole budget converts best: for rho-zCDP, 1 +
// sqrt(ln(1/delta) / rho).
double order_for(double budget_epsilon, double delta) {
  return 1 + std::sqrt(std::log(1 / delta) / zcdp_rho_simple(budget_epsilon, delta));
}

double renyi_epsilon(std::span<const Event> events, Relation relation, double budget_epsilon, double delta) {
  const double order = order_for(budget_epsilon, delta);
  double divergence = 0;
  for (const Event& event : events) divergence += rdp_upper(event, relation, order);
  return rdp_to_epsilon(divergence, order, delta);
}

}  // namespace

Bound adaptive_epsilon_upper(std::span<const Event> events, Relation relation, double budget_epsilon,
                             double delta) {
  Bound least{pure_sum(events, relation), Accounting::pure};
  if (delta > 0) {
    for (const Bound& other :
         {Bound{gdp_epsilon(events, delta), Accounting::gdp},
          Bound{renyi_epsilon(events, relation, budget_epsilon, delta), Accounting::rdp}})
      if (other.value < least.value) least = other;
  }
  return least;
}

}  // namespace tulle
