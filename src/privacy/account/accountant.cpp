#include "check.hpp"
#include "distance.hpp"
#include "memory.hpp"
#include "pair.hpp"

#include <tulle/privacy/account/accountant.hpp>
#include <tulle/privacy/account/composition.hpp>
#include <tulle/privacy/account/gdp.hpp>
#include <tulle/privacy/account/pld.hpp>
#include <tulle/privacy/account/rdp.hpp>

#include <array>
#include <cmath>
#include <limits>
#include <optional>

namespace tulle {
namespace {

using namespace account;

constexpr double kInfinity = std::numeric_limits<double>::infinity();

// A list of releases with what is known of each.
class Releases {
 public:
  Releases(std::span<const Event> events, Relation relation) : events_(events), relation_(relation) {
    for (const Event& event : events) {
      analyses_.push_back(loss_analysis(event, relation));
      if (!analyses_.back() && !renyi_analysis(event, relation)) refuse(event, relation);
    }
  }

  // Sums of the epsilons and deltas that the releases have on their own; infinite where noise has Gaussian
  // tails.
  Approximate sum() const {
    Approximate sum{0, 0};
    for (std::size_t i = 0; i < events_.size(); ++i) {
      const Approximate one = alone(analyses_[i]);
      sum.epsilon += count(i) * one.epsilon;
      sum.delta += count(i) * one.delta;
    }
    return sum;
  }

  // The probability that a unit is ever looked at: each sampled release is (0, rate)-private, whatever its
  // noise.
  double ever_sampled() const {
    double log_never = 0;
    for (std::size_t i = 0; i < events_.size(); ++i) {
      const auto* poisson = std::get_if<PoissonSampling>(&events_[i].sampling());
      const auto* fixed = std::get_if<FixedBatch>(&events_[i].sampling());
      log_never += count(i) * std::log1p(-(poisson ? poisson->rate() : fixed ? fixed->rate() : 1));
    }
    return -std::expm1(log_never) * (1 + 1e-14);
  }

  // One kind of (epsilon, delta)-private release, and nothing else is known about it.
  std::optional<Approximate> all_alike() const {
    if (events_.size() != 1 || !analyses_[0]) return std::nullopt;
    const auto* pair = std::get_if<DiscretePair>(&analyses_[0]->pair);
    if (!pair || pair->points.size() != 2 || pair->rate < 1) return std::nullopt;
    return alone(analyses_[0]);
  }

  // Gaussians without sampling only: mu of them together, and the distance of what is run from them.
  struct Gaussians {
    double mu, distance;
  };
  std::optional<Gaussians> all_gaussian() const {
    double square = 0, distance = 0;
    for (std::size_t i = 0; i < events_.size(); ++i) {
      const auto* pair = analyses_[i] ? std::get_if<GaussianPair>(&analyses_[i]->pair) : nullptr;
      if (!pair || pair->rate < 1) return std::nullopt;
      square += count(i) / (pair->noise * pair->noise);
      distance += count(i) * analyses_[i]->distance;
    }
    // The sum of squares is right to a few units.
    return Gaussians{std::sqrt(square) * (1 + 1e-15 * (1 + static_cast<double>(events_.size()))), distance};
  }

  bool on_grid() const {
    for (const std::optional<Analysis>& analysis : analyses_)
      if (!analysis || !fits_grid(analysis->pair)) return false;
    return true;
  }

 private:
  double count(std::size_t i) const { return static_cast<double>(events_[i].count()); }

  static Approximate alone(const std::optional<Analysis>& analysis) {
    if (!analysis) return {kInfinity, 0};
    if (const auto* pair = std::get_if<LaplacePair>(&analysis->pair); pair && analysis->distance == 0)
      return {dampen(1 / pair->noise, pair->rate), 0};
    if (const auto* pair = std::get_if<DiscretePair>(&analysis->pair); pair && pair->cut == 0) {
      double largest = 0;
      for (const Point& point : pair->points) largest = std::max(largest, point.loss);
      return {dampen(largest, pair->rate), pair->rate * pair->only_p};
    }
    return {kInfinity, 0};
  }

  std::span<const Event> events_;
  Relation relation_;
  std::vector<std::optional<Analysis>> analyses_;
};

Bound smaller(const Bound& a, const Bound& b) {
  return b.value < a.value ? b : a;
}

Bound delta_bound(double delta, Accounting how) {
  return {std::min(1.0, delta), how, std::min(1.0, delta)};
}

Bound compute_epsilon_upper(std::span<const Event> events, Relation relation, double delta) {
  const Releases releases(events, relation);
  const Approximate sum = releases.sum();
  Bound best{sum.delta <= delta ? sum.epsilon : kInfinity, Accounting::pure, std::min(sum.delta, delta)};
  if (delta == 0 || (best.value == 0 && best.delta == 0)) return best;
  if (const double seen = releases.ever_sampled(); seen <= delta) return {0, Accounting::unseen, seen};

  if (const auto gaussians = releases.all_gaussian()) {
    const auto at = [&](double left) { return gaussian_epsilon_upper(gaussians->mu, left); };
    best = smaller(best, {charged_for_distance(gaussians->distance, delta, at), Accounting::gdp, delta});
    if (gaussians->distance == 0) return best;
  } else if (const auto alike = releases.all_alike()) {
    // delta of the whole is 1 - (1 - delta_1)^k (1 - delta'), delta' of the pure part.
    const double log_survive = static_cast<double>(events[0].count()) * std::log1p(-alike->delta);
    const double left = -std::expm1(std::log1p(-delta) - log_survive);
    if (left > 0)
      best = smaller(
          best, {optimal_epsilon_upper(alike->epsilon, events[0].count(), left), Accounting::optimal, delta});
    return best;
  } else if (releases.on_grid()) {
    best = smaller(best, {pld_epsilon_upper(events, relation, delta), Accounting::pld, delta});
    if (std::isfinite(best.value)) return best;
  }
  return smaller(best, {rdp_epsilon_upper(events, relation, delta), Accounting::rdp, delta});
}

Bound compute_delta_upper(std::span<const Event> events, Relation relation, double epsilon) {
  const Releases releases(events, relation);
  const Approximate sum = releases.sum();
  Bound best = delta_bound(sum.epsilon <= epsilon ? sum.delta : 1, Accounting::pure);
  if (best.value == 0) return best;
  best = smaller(best, delta_bound(releases.ever_sampled(), Accounting::unseen));

  if (const auto gaussians = releases.all_gaussian()) {
    const auto at = [&](double place) { return gaussian_delta_upper(gaussians->mu, place); };
    best = smaller(best, delta_bound(delta_with_distance(gaussians->distance, epsilon, at), Accounting::gdp));
    if (gaussians->distance == 0) return best;
  } else if (const auto alike = releases.all_alike()) {
    const double log_survive = static_cast<double>(events[0].count()) * std::log1p(-alike->delta);
    const double pure = optimal_delta_upper(alike->epsilon, events[0].count(), epsilon);
    const double together = -std::expm1(log_survive + std::log1p(-pure)) * (1 + 1e-14);
    return smaller(best, delta_bound(together, Accounting::optimal));
  } else if (releases.on_grid()) {
    best = smaller(best, delta_bound(pld_delta_upper(events, relation, epsilon), Accounting::pld));
    if (best.value < 1) return best;
  }
  return smaller(best, delta_bound(rdp_delta_upper(events, relation, epsilon), Accounting::rdp));
}

}  // namespace

std::string_view name(Accounting accounting) {
  constexpr std::array<std::string_view, 6> kNames = {"pure", "unseen", "optimal", "gdp", "pld", "rdp"};
  return kNames[static_cast<std::size_t>(accounting)];
}

Bound epsilon_upper(std::span<const Event> events, Relation relation, double delta) {
  static Memory<std::vector<double>, Bound> known;
  if (delta != 0) check_delta(delta);
  if (events.empty()) return {0, Accounting::pure, 0};
  return known(question(events, relation, delta),
               [&] { return compute_epsilon_upper(events, relation, delta); });
}

Bound delta_upper(std::span<const Event> events, Relation relation, double epsilon) {
  static Memory<std::vector<double>, Bound> known;
  check_epsilon(epsilon);
  if (events.empty()) return {0, Accounting::pure, 0};
  return known(question(events, relation, epsilon),
               [&] { return compute_delta_upper(events, relation, epsilon); });
}

void Accountant::add(const Event& event) {
  Releases(std::span(&event, 1), relation_);  // refuses what has no analysis
  join(events_, event);
}

Bound Accountant::epsilon_upper(double delta) const {
  return tulle::epsilon_upper(events_, relation_, delta);
}

Bound Accountant::delta_upper(double epsilon) const {
  return tulle::delta_upper(events_, relation_, epsilon);
}

}  // namespace tulle
