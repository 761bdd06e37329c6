#include "check.hpp"
#include "constants.hpp"
#include "distance.hpp"
#include "loss_bound.hpp"
#include "memory.hpp"
#include "pair.hpp"
#include "renyi.hpp"
#include "search.hpp"

#include <tulle/privacy/account/accountant.hpp>
#include <tulle/privacy/account/composition.hpp>
#include <tulle/privacy/account/gdp.hpp>
#include <tulle/privacy/account/rdp.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numbers>
#include <optional>

namespace tulle {
namespace {

using namespace account;

// A list of releases with the analysis of each.
class Releases {
 public:
  Releases(std::span<const Event> events, Relation relation) : events_(events) {
    for (const Event& event : events) {
      analyses_.push_back(loss_analysis(event, relation));
      if (!analyses_.back() && !renyi_analysis(event, relation)) refuse(event, relation);
    }
  }

  // Sums of the epsilons and deltas of the single releases; infinite if noise has Gaussian tails.
  Approximate sum() const {
    Approximate sum{0, 0};
    for (std::size_t i = 0; i < events_.size(); ++i) {
      const Approximate one = alone(analyses_[i]);
      sum.epsilon += count(i) * one.epsilon;
      sum.delta += count(i) * one.delta;
    }
    return sum;
  }

  // The probability that any sample contains a given unit: each sampled release is (0, rate)-private,
  // whatever its noise.
  double ever_sampled() const {
    double log_never = 0;
    for (std::size_t i = 0; i < events_.size(); ++i) {
      const auto* poisson = std::get_if<PoissonSampling>(&events_[i].sampling());
      const auto* fixed = std::get_if<FixedBatch>(&events_[i].sampling());
      log_never += count(i) * std::log1p(-(poisson ? poisson->rate() : fixed ? fixed->rate() : 1));
    }
    return -std::expm1(log_never) * (1 + 1e-14);
  }

  // Epsilon and delta of one release, if all are equal and nothing else is known about them.
  std::optional<Approximate> all_alike() const {
    constexpr std::uint64_t kMostCount = 10'000'000'000;  // the terms of the binomial grow with its root
    if (events_.size() != 1 || !analyses_[0] || events_[0].count() > kMostCount) return std::nullopt;
    const auto* pair = std::get_if<DiscretePair>(&analyses_[0]->pair);
    if (!pair || pair->points.size() != 2 || pair->rate < 1) return std::nullopt;
    return alone(analyses_[0]);
  }

  // If all releases are Gaussian: their mu together, and the distance of what is run from them. Sampled
  // releases count as unsampled, which bounds them and is exact for none of them.
  struct Gaussians {
    double mu, distance;
    bool exact;
  };
  std::optional<Gaussians> all_gaussian() const {
    double square = 0, distance = 0;
    bool sampled = false;
    for (std::size_t i = 0; i < events_.size(); ++i) {
      const auto* pair = analyses_[i] ? std::get_if<GaussianPair>(&analyses_[i]->pair) : nullptr;
      if (!pair) return std::nullopt;
      const double noise = pair->replace ? pair->noise / 2 : pair->noise;
      square += count(i) / (noise * noise);
      distance += count(i) * analyses_[i]->distance;
      sampled = sampled || pair->rate < 1;
    }
    // The sum of squares is right to a few units.
    const double mu = std::sqrt(square) * (1 + 1e-15 * (1 + static_cast<double>(events_.size())));
    if (!std::isfinite(mu) || mu == 0) return std::nullopt;
    return Gaussians{mu, distance, !sampled && distance == 0};
  }

  // Whether Renyi divergences take milliseconds: not so for integer noise with very many points, for which a
  // grid works well.
  bool quick_renyi() const {
    constexpr std::size_t kMostPoints = 20000;
    std::size_t points = 0;
    for (const std::optional<Analysis>& analysis : analyses_)
      if (const auto* pair = analysis ? std::get_if<DiscretePair>(&analysis->pair) : nullptr)
        points += pair->points.size();
    return points <= kMostPoints;
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
  std::vector<std::optional<Analysis>> analyses_;
};

Bound smaller(const Bound& a, const Bound& b) {
  return b.value < a.value ? b : a;
}

// A delta that is not exactly 0 is never rounded to 0: that would promise pure privacy.
Bound delta_bound(double delta, Accounting how) {
  const double value = std::clamp(delta, std::numeric_limits<double>::min(), 1.0);
  return {value, how, value};
}

// ---- The sum of parts: releases of one kind, each by its own best bound. Basic composition of unlike parts
// is loose, but nothing better is available if losses are too large, or too different, for one grid.

// Releases of one kind, with the analyses that need no grid.
class Part {
 public:
  Part(std::vector<Event> events, Relation relation)
      : events_(std::move(events)), releases_(events_, relation), renyi_(events_, relation) {}
  Part(Part&&) = default;  // `releases_` refers to the events, whose address does not change when moved

  const std::vector<Event>& events() const { return events_; }

  double pure_epsilon() const {
    const Approximate sum = releases_.sum();
    return sum.delta == 0 ? sum.epsilon : kInfinity;
  }

  // A bound that is quick to compute, for dividing epsilon or delta among the parts.
  double rough_epsilon(double delta) const {
    if (releases_.ever_sampled() <= delta) return 0;
    if (const auto gaussians = releases_.all_gaussian(); gaussians && gaussians->exact)
      return gaussian_epsilon_upper(gaussians->mu, delta);
    const Approximate sum = releases_.sum();
    return std::min(sum.delta < delta ? sum.epsilon : kInfinity, renyi_.epsilon_upper(delta));
  }

 private:
  std::vector<Event> events_;
  Releases releases_;
  RenyiCurve renyi_;
};

// Gaussian releases without sampling are one kind; every other release is a kind of its own.
std::vector<Part> parts_of(std::span<const Event> events, Relation relation) {
  std::vector<std::vector<Event>> kinds;
  std::size_t gaussians = events.size();  // index of their kind
  for (const Event& event : events) {
    const bool gaussian = std::holds_alternative<GaussianRelease>(event.mechanism()) &&
                          std::holds_alternative<Unsampled>(event.sampling());
    if (gaussian && gaussians < kinds.size()) {
      kinds[gaussians].push_back(event);
      continue;
    }
    if (gaussian) gaussians = kinds.size();
    kinds.push_back({event});
  }
  std::vector<Part> parts;
  for (std::vector<Event>& kind : kinds) parts.emplace_back(std::move(kind), relation);
  return parts;
}

// With more parts than this, only the quick bound is computed: an answer should not take a minute.
constexpr std::size_t kMostParts = 6;

// If some parts are pure they need no delta, and the others share all of it.
Bound sum_with_pure_parts(const std::vector<Part>& parts, Relation relation, double delta) {
  std::vector<Event> others;
  double pure = 0;
  for (const Part& part : parts) {
    if (std::isfinite(part.pure_epsilon()))
      pure += part.pure_epsilon();
    else
      others.insert(others.end(), part.events().begin(), part.events().end());
  }
  if (pure == 0 || others.empty()) return {kInfinity, Accounting::parts, delta};
  return {(pure + epsilon_upper(others, relation, delta).value) * (1 + 1e-14), Accounting::parts, delta};
}

Bound sum_of_parts_epsilon(std::span<const Event> events, Relation relation, double delta) {
  const std::vector<Part> parts = parts_of(events, relation);
  const double equal = delta / static_cast<double>(parts.size()) * (1 - 1e-15);
  // Epsilon of a part falls by d ln(1/delta); the sum is least if d / delta is the same for all parts.
  std::vector<double> falls;
  double total = 0;
  for (const Part& part : parts) {
    const double fall = part.rough_epsilon(equal / std::numbers::e) - part.rough_epsilon(equal);
    total += falls.emplace_back(std::isfinite(fall) ? std::max(fall, 0.0) : 0);
  }
  const auto sum = [&](bool by_fall, const auto& epsilon) {
    double all = 0;
    for (std::size_t i = 0; i < parts.size(); ++i)
      all += epsilon(parts[i], by_fall ? 0.05 * equal + 0.95 * delta * falls[i] / total : equal);
    return all * (1 + 1e-14);
  };
  const auto roughly = [](const Part& part, double share) { return part.rough_epsilon(share); };
  const auto exactly = [&](const Part& part, double share) {
    return parts.size() > kMostParts ? roughly(part, share)
                                     : epsilon_upper(part.events(), relation, share).value;
  };
  const Bound best =
      smaller(sum_with_pure_parts(parts, relation, delta), {sum(false, exactly), Accounting::parts, delta});
  // The second split, only if it is worth the time.
  if (!(total > 0 && sum(true, roughly) < 0.98 * sum(false, roughly))) return best;
  return smaller(best, {sum(true, exactly), Accounting::parts, delta});
}

Bound sum_of_parts_delta(std::span<const Event> events, Relation relation, double epsilon) {
  const std::vector<Part> parts = parts_of(events, relation);
  const auto epsilons = [&](double log_delta) {
    std::vector<double> each;
    for (const Part& part : parts) each.push_back(part.rough_epsilon(std::exp(log_delta)));
    return each;
  };
  const auto sum = [](const std::vector<double>& each) {
    double total = 0;
    for (double x : each) total += x;
    return total;
  };
  // Epsilons of the parts at one common delta, as small as possible; they share the rest of epsilon.
  constexpr double kLeast = -690, kMost = -1e-3;
  if (!(sum(epsilons(kMost)) <= epsilon)) return delta_bound(1, Accounting::parts);
  const double log_delta = last_place(
      kMost, kLeast, 1e-2, [&](double x) { return sum(epsilons(x)) <= epsilon; }, 20);
  std::vector<double> each = epsilons(log_delta);
  const double left = (epsilon - sum(each)) / static_cast<double>(parts.size()) * (1 - 1e-12);
  double delta = 0;
  for (std::size_t i = 0; i < parts.size() && delta < 1; ++i)
    delta += parts.size() > kMostParts
                 ? std::exp(log_delta)
                 : delta_upper(parts[i].events(), relation, each[i] + std::max(0.0, left)).value;
  return delta_bound(delta * (1 + 1e-14), Accounting::parts);
}

// ---- The least of the valid bounds.

Bound compute_epsilon_upper(std::span<const Event> events, Relation relation, double delta) {
  const Releases releases(events, relation);
  const Approximate sum = releases.sum();
  Bound best{sum.delta <= delta ? sum.epsilon : kInfinity, Accounting::pure, std::min(sum.delta, delta)};
  if (delta == 0 || (best.value == 0 && best.delta == 0)) return best;
  if (const double seen = releases.ever_sampled(); seen <= delta) return {0, Accounting::unseen, seen};

  if (const auto gaussians = releases.all_gaussian()) {
    const auto at = [&](double left) { return gaussian_epsilon_upper(gaussians->mu, left); };
    best = smaller(best, {charged_for_distance(gaussians->distance, delta, at), Accounting::gdp, delta});
    if (gaussians->exact) return best;
  }
  if (const auto alike = releases.all_alike()) {
    // The total delta is 1 - (1 - delta_1)^k (1 - delta'), where delta' belongs to the pure part.
    const double log_survive = static_cast<double>(events[0].count()) * std::log1p(-alike->delta);
    const double left = -std::expm1(std::log1p(-delta) - log_survive);
    if (left > 0)
      best = smaller(
          best, {optimal_epsilon_upper(alike->epsilon, events[0].count(), left), Accounting::optimal, delta});
    return best;
  }
  if (releases.on_grid()) {
    const LossBound loss = loss_epsilon_upper(events, relation, delta);
    best = smaller(best, {loss.value, Accounting::pld, delta});
    if (loss.tight) return best;  // no valid bound is less than the exact value
  }
  if (releases.quick_renyi() || !std::isfinite(best.value))
    best = smaller(best, {rdp_epsilon_upper(events, relation, delta), Accounting::rdp, delta});
  if (events.size() > 1) best = smaller(best, sum_of_parts_epsilon(events, relation, delta));
  return best;
}

Bound compute_delta_upper(std::span<const Event> events, Relation relation, double epsilon,
                          const PldOptions& options) {
  const Releases releases(events, relation);
  const Approximate sum = releases.sum();
  if (sum.epsilon <= epsilon && sum.delta == 0) return {0, Accounting::pure, 0};
  Bound best = delta_bound(sum.epsilon <= epsilon ? sum.delta : 1, Accounting::pure);
  best = smaller(best, delta_bound(releases.ever_sampled(), Accounting::unseen));

  if (const auto gaussians = releases.all_gaussian()) {
    const auto at = [&](double place) { return gaussian_delta_upper(gaussians->mu, place); };
    best = smaller(best, delta_bound(delta_with_distance(gaussians->distance, epsilon, at), Accounting::gdp));
    if (gaussians->exact) return best;
  }
  if (const auto alike = releases.all_alike()) {
    const double log_survive = static_cast<double>(events[0].count()) * std::log1p(-alike->delta);
    const double pure = optimal_delta_upper(alike->epsilon, events[0].count(), epsilon);
    const double together = -std::expm1(log_survive + std::log1p(-pure)) * (1 + 1e-14);
    return smaller(best, delta_bound(together, Accounting::optimal));
  }
  if (releases.on_grid()) {
    const LossBound loss = loss_delta_upper(events, relation, epsilon, options);
    best = smaller(best, delta_bound(loss.value, Accounting::pld));
    // No valid bound is less than the exact value; but for tiny deltas what was cut off dominates.
    if (loss.tight && loss.value > kTiny) return best;
  }
  if (releases.quick_renyi() || best.value == 1 || best.value < kTiny)
    best = smaller(best, delta_bound(rdp_delta_upper(events, relation, epsilon), Accounting::rdp));
  if (events.size() > 1) best = smaller(best, sum_of_parts_delta(events, relation, epsilon));
  return best;
}

}  // namespace

double account::delta_upper_by(const PldOptions& options, std::span<const Event> events, Relation relation,
                               double epsilon) {
  static Memory<std::vector<double>, double> known;
  std::vector<double> asked = question(events, relation, epsilon);
  asked.insert(asked.end(), {options.interval, options.share});
  return known(std::move(asked),
               [&] { return compute_delta_upper(events, relation, epsilon, options).value; });
}

std::string_view name(Accounting accounting) {
  constexpr std::array<std::string_view, 7> kNames = {"pure", "unseen", "optimal", "gdp",
                                                      "pld",  "rdp",    "parts"};
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
               [&] { return compute_delta_upper(events, relation, epsilon, {}); });
}

void Accountant::add(const Event& event) {
  Releases(std::span(&event, 1), relation_);  // throws if the event has no analysis
  join(events_, event);
}

Bound Accountant::epsilon_upper(double delta) const {
  return tulle::epsilon_upper(events_, relation_, delta);
}

Bound Accountant::delta_upper(double epsilon) const {
  return tulle::delta_upper(events_, relation_, epsilon);
}

}  // namespace tulle
