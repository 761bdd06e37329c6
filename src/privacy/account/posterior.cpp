#include "check.hpp"
#include "match.hpp"

#include <tulle/privacy/account/accountant.hpp>
#include <tulle/privacy/account/posterior.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace tulle {
namespace {

// (e, d) becomes (2 e, (1 + exp(e)) d), rounded up. A delta of 1 bounds nothing, but an event cannot have it:
// the largest double below it bounds nothing either, in double precision.
Event twice(double epsilon, double delta) {
  if (delta == 0) return Event::pure(2 * epsilon);
  const double both = (1 + std::exp(epsilon)) * delta * (1 + 1e-14);
  return Event::approximate(2 * epsilon, std::min(both, std::nextafter(1.0, 0.0)));
}

// One release without sampling, with twice the sensitivity.
Event twice(const Mechanism& mechanism) {
  return std::visit(Match{[](const GaussianRelease& m) { return Event::gaussian(m.noise_multiplier / 2); },
                          [](const LaplaceRelease& m) { return Event::laplace(m.noise_multiplier / 2); },
                          [](const DiscreteGaussianRelease& m) {
                            return Event::discrete_gaussian(m.sigma, 2 * m.sensitivity, m.coordinates);
                          },
                          [](const DiscreteLaplaceRelease& m) {
                            const bool fits = m.sensitivity <= std::numeric_limits<std::uint64_t>::max() / 2;
                            return fits
                                       ? Event::discrete_laplace(m.scale, 2 * m.sensitivity)
                                       : twice(static_cast<double>(m.sensitivity) / m.scale * (1 + 1e-14), 0);
                          },
                          [](const Approximate& m) { return twice(m.epsilon, m.delta); }},
                    mechanism);
}

// Integer Gaussian noise on samples can be analysed under `replace` on fine grids only. Without the sampling
// it costs more: with it, both data sets mix, at equal rates, equal answers with the two that are told apart.
Event between_contents(const Event& event) {
  const bool sampled = !std::holds_alternative<Unsampled>(event.sampling());
  if (sampled && !std::holds_alternative<DiscreteGaussianRelease>(event.mechanism())) return event;
  return twice(event.mechanism()).times(event.count());
}

}  // namespace

Comparison between_contents(std::span<const Event> events, Relation relation) {
  if (relation == Relation::replace) return {{events.begin(), events.end()}, relation};
  Comparison contents{{}, Relation::replace};
  for (const Event& event : events) join(contents.events, between_contents(event));
  return contents;
}

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
  // The same against an attacker with the two candidates exchanged: misses are at least exp(-e) (1 - d(e) -
  // a).
  const auto detections = [&](double alarms) {
    double most = 1;
    for (std::size_t i = 0; i < kEpsilons.size(); ++i)
      most = std::min({most, std::exp(kEpsilons[i]) * alarms + deltas[i],
                       1 - std::exp(-kEpsilons[i]) * (1 - deltas[i] - alarms)});
    return most;
  };
  std::vector<std::pair<double, double>> bound;
  for (int i = 0; i < points; ++i) {
    // Points are closer together near 0, where the bound is steep.
    const double place = static_cast<double>(i) / (points - 1);
    bound.emplace_back(place * place, detections(place * place));
  }
  return bound;
}

}  // namespace tulle
