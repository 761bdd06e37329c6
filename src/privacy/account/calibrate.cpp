#include "check.hpp"
#include "loss_bound.hpp"

#include <tulle/base/error.hpp>
#include <tulle/privacy/account/accountant.hpp>
#include <tulle/privacy/account/calibrate.hpp>
#include <tulle/privacy/account/gdp.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <utility>

namespace tulle {
namespace {

using namespace account;

void check(const Target& target) {
  check_epsilon(target.epsilon);
  if (target.delta != 0) check_delta(target.delta);
}

// Delta on a scale on which it is nearly linear in ln(noise): about the Gaussian quantile, with tail
// e^(-x^2/2).
double quantile(double delta) {
  return std::sqrt(-2 * std::clamp(std::log(delta), -700.0, 0.0));
}

// How far a delta is above the wanted one on that scale; positive if and only if it is above.
double excess(double delta, double wanted) {
  const double distance = quantile(wanted) - quantile(delta);
  return delta > wanted ? std::max(distance, std::numeric_limits<double>::min()) : std::min(distance, 0.0);
}

// The same for a list of releases, or epsilon's excess if no delta is granted; not positive if the target is
// met.
double excess(const Target& target, Relation relation, std::span<const Event> events) {
  if (target.delta == 0) return epsilon_upper(events, relation, 0).value - target.epsilon;
  return excess(delta_upper(events, relation, target.epsilon).value, target.delta);
}

double excess(const Target& target, Relation relation, std::span<const Event> events,
              const PldOptions& options) {
  if (target.delta == 0) return excess(target, relation, events);
  return excess(delta_upper_by(options, events, relation, target.epsilon), target.delta);
}

struct Place {
  double x, excess;
  bool met() const { return excess <= 0; }
};

// A place where the target is met, within `width` of where the excess changes sign between `met` and
// `missed`. The excess is mostly smooth in the x used here, so secants through the last two places find the
// root; a probe just beyond it then closes the bracket. After a secant that neither halves the bracket nor
// comes much closer to the root, as at a jump, the next step halves.
template <class Excess>
double boundary(Place met, Place missed, double width, const Excess& at) {
  Place older = met, newest = missed;
  bool halve = false;
  for (int step = 1; step < 300 && std::abs(missed.x - met.x) > width; ++step) {
    const double gap = missed.x - met.x, nearly = std::copysign(0.9 * width, gap);
    double x = newest.x - newest.excess * (newest.x - older.x) / (newest.excess - older.excess);
    const bool inside = (x - met.x) * gap >= 0 && (missed.x - x) * gap >= 0;  // false for NaN
    if (!inside || halve)
      x = met.x + gap / 2;
    else if (std::abs(x - met.x) < 0.8 * width)
      x = met.x + nearly;
    else if (std::abs(missed.x - x) < 0.8 * width)
      x = missed.x - nearly;
    older = std::exchange(newest, Place{x, at(x)});
    (newest.met() ? met : missed) = newest;
    const bool closer = std::abs(newest.excess) < 0.2 * std::abs(older.excess);
    halve = !halve && !closer && std::abs(missed.x - met.x) > 0.5 * std::abs(gap);
  }
  return met.x;
}

constexpr double kWidth = 1e-6;             // relative width of the results
constexpr PldOptions kGrid{.share = 1e-7};  // raises epsilon by less than that width
constexpr double kCoarseWidth = 1e-3;
constexpr PldOptions kCoarseGrid{.share = 1e-4};  // the same, for a search that starts far away
constexpr double kLeastNoise = 1e-6, kMostNoise = 1e12, kLeastRate = 1e-12;

double rate_of(const Sampling& sampling) {
  if (const auto* poisson = std::get_if<PoissonSampling>(&sampling)) return poisson->rate();
  if (const auto* batch = std::get_if<FixedBatch>(&sampling)) return batch->rate();
  return 1;
}

// About mu^2 of a Gaussian release with the same guarantee as many releases like this one (the central limit
// theorem for sampled releases, Bu, Dong, Long and Su 2020): the count times rate^2 times the chi-square
// divergence of one without sampling. None for other noise.
std::optional<double> central_square(const Event& event) {
  const double rate = rate_of(event.sampling());
  double divergence;
  if (const auto* gaussian = std::get_if<GaussianRelease>(&event.mechanism())) {
    const double square = 1 / (gaussian->noise_multiplier * gaussian->noise_multiplier);
    divergence = rate < 1 ? std::expm1(square) : square;
  } else if (const auto* laplace = std::get_if<LaplaceRelease>(&event.mechanism())) {
    const double loss = 1 / laplace->noise_multiplier;
    divergence = (2 * std::expm1(loss) + std::expm1(-2 * loss)) / 3;
  } else {
    return std::nullopt;
  }
  return static_cast<double>(event.count()) * rate * rate * divergence;
}

std::optional<double> central_mu(std::span<const Event> events) {
  double sum = 0;
  for (const Event& event : events) {
    const std::optional<double> square = central_square(event);
    if (!square) return std::nullopt;
    sum += *square;
  }
  return std::sqrt(std::min(sum, 1e12));
}

// Where a search starts, and its first stride.
struct Start {
  double x, stride;
};

// The least ln(noise) that meets the target, to within `width`; none if even the largest noise does not.
template <class Excess>
std::optional<double> least_log_noise(const Start& start, double width, const Excess& at) {
  const double least = std::log(kLeastNoise), most = std::log(kMostNoise);
  Place here{start.x, at(start.x)};
  const double direction = here.met() ? -1 : 1;
  for (double stride = start.stride;; stride *= 2) {
    const double x = std::clamp(here.x + direction * stride, least, most);
    const Place next{x, at(x)};
    if (next.met() != here.met())
      return here.met() ? boundary(here, next, width, at) : boundary(next, here, width, at);
    if (x <= least) return least;
    if (x >= most) return std::nullopt;
    here = next;
  }
}

}  // namespace

double noise_for(const Target& target, Relation relation, const std::function<Event(double noise)>& event) {
  return noise_for(target, relation, [&](double noise) { return std::vector{event(noise)}; });
}

double noise_for(const Target& target, Relation relation,
                 const std::function<std::vector<Event>(double noise)>& events) {
  check(target);
  Start start{0, 1};
  if (target.delta > 0 && central_mu(events(1))) {
    const auto roughly = [&](double x) {
      return excess(gaussian_delta_upper(*central_mu(events(std::exp(x))), target.epsilon), target.delta);
    };
    if (const auto x = least_log_noise(start, 0.01, roughly)) start = {*x, 0.05};
  }
  const auto coarsely = [&](double x) { return excess(target, relation, events(std::exp(x)), kCoarseGrid); };
  if (const auto x = least_log_noise(start, kCoarseWidth, coarsely)) start = {*x, kCoarseWidth};
  const auto nearly = [&](double x) { return excess(target, relation, events(std::exp(x)), kGrid); };
  std::optional<double> x = least_log_noise(start, kWidth, nearly);
  // What a coarser grid shows holds; the finest grid is asked only once, since its own errors may be larger.
  while (x && *x < std::log(kMostNoise) && excess(target, relation, events(std::exp(*x))) > 0) *x += kWidth;
  if (!x)
    fail(
        "no noise meets epsilon {} and delta {}; pure privacy needs noise with exponential tails, and a "
        "delta above that of the releases",
        target.epsilon, target.delta);
  return std::exp(*x);
}

double gaussian_noise_for(const Target& target, std::uint64_t steps) {
  if (steps < 1) fail_usage("noise for 0 releases; there must be at least 1");
  return std::sqrt(static_cast<double>(steps)) / gaussian_mu_lower(target.epsilon, target.delta) *
         (1 + 4e-15);
}

double gaussian_noise_for(const Target& target, Relation relation, const PoissonSampling& sampling,
                          std::uint64_t steps) {
  return noise_for(target, relation,
                   [&](double noise) { return Event::gaussian(noise).sampled(sampling).times(steps); });
}

std::uint64_t steps_for(const Target& target, Relation relation, const Event& event) {
  check(target);
  constexpr double kMostSteps = 1e9;
  const auto at = [&](double steps) {
    return excess(target, relation, std::vector{event.times(static_cast<std::uint64_t>(steps))});
  };
  Place met{0, -700}, next{1, at(1)};
  while (next.met()) {
    met = next;
    if (met.x >= kMostSteps) return static_cast<std::uint64_t>(kMostSteps);
    const double x = std::min(met.x * 4, kMostSteps);
    next = {x, at(x)};
  }
  // Counts are whole numbers: the search is over the reals and rounds its probes down.
  const double steps =
      boundary(met, next, 0.999, [&](double x) { return std::floor(x) < 1 ? -700 : at(std::floor(x)); });
  return static_cast<std::uint64_t>(std::floor(steps));
}

double rate_for(const Target& target, Relation relation, const Event& event, std::uint64_t steps) {
  check(target);
  const auto at = [&](double log_rate) {
    const double rate = std::min(1.0, std::exp(log_rate));
    return excess(target, relation, std::vector{event.sampled(PoissonSampling::what_if(rate)).times(steps)});
  };
  const Place most{0, at(0)};
  if (most.met()) return 1;
  const Place least{std::log(kLeastRate), at(std::log(kLeastRate))};
  if (!least.met())
    fail("no sampling rate meets epsilon {} and delta {} in {} steps; add noise", target.epsilon,
         target.delta, steps);
  return std::exp(boundary(least, most, kWidth, at));
}

}  // namespace tulle
