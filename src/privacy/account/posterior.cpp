#include "check.hpp"

#include <tulle/privacy/account/accountant.hpp>
#include <tulle/privacy/account/posterior.hpp>

#include <algorithm>
#include <array>
#include <cmath>

namespace tulle {

double loss_upper(std::span<const Event> events, Relation relation, double exception) {
  double least = epsilon_upper(events, relation, 0).value;
  if (exception == 0) return least;
  account::check_delta(exception);
  // For Gaussian noise the best share is near epsilon / (2 ln(1 / exception)).
  for (double share : {0.5, 0.2, 0.1, 0.05, 0.02})
    least = std::min(least, epsilon_upper(events, relation, share * exception).value - std::log1p(-share));
  return least;
}

double posterior_upper(double prior, double loss) {
  if (!(prior > 0 && prior < 1)) fail_usage("a prior of {}; it must lie between 0 and 1", prior);
  return prior / (prior + (1 - prior) * std::exp(-loss));
}

double right_guess_upper(std::span<const Event> events, Relation relation) {
  return std::min(1.0, 0.5 + delta_upper(events, relation, 0).value / 2);
}

std::vector<std::pair<double, double>> attack_bound(std::span<const Event> events, Relation relation,
                                                    int points) {
  constexpr std::array kEpsilons = {0.0, 0.1, 0.3, 0.6, 1.0, 1.5, 2.0, 3.0, 4.0, 6.0, 8.0, 12.0};
  std::array<double, kEpsilons.size()> deltas{};
  for (std::size_t i = 0; i < kEpsilons.size(); ++i)
    deltas[i] = delta_upper(events, relation, kEpsilons[i]).value;
  // Against an attacker with the two candidates exchanged: misses are at least exp(-e) (1 - d(e) - a).
  const auto detections = [&](double alarms) {
    double most = 1;
    for (std::size_t i = 0; i < kEpsilons.size(); ++i)
      most = std::min({most, std::exp(kEpsilons[i]) * alarms + deltas[i],
                       1 - std::exp(-kEpsilons[i]) * (1 - deltas[i] - alarms)});
    return most;
  };
  std::vector<std::pair<double, double>> bound;
  for (int i = 0; i < points; ++i) {
    // Closer together near 0, where the bound is steep.
    const double place = static_cast<double>(i) / (points - 1);
    bound.emplace_back(place * place, detections(place * place));
  }
  return bound;
}

}  // namespace tulle
