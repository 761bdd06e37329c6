#include <tulle/base/error.hpp>
#include <tulle/privacy/account/accountant.hpp>
#include <tulle/privacy/account/calibrate.hpp>
#include <tulle/privacy/account/gdp.hpp>
#include <tulle/privacy/margin.hpp>
#include <tulle/privacy/plan.hpp>

#include <algorithm>
#include <cmath>

namespace tulle {
namespace {

constexpr double kShareRounding = 1e-12;  // rounding of divided shares may make their sum exceed 1 by this

bool by_share(const Stage& stage) {
  return !stage.epsilon;
}
bool is_gaussian(const Stage& stage) {
  return stage.loss == Loss::gaussian;
}

// A delta as large as the chance to be in any sample allows publishing every sampled unit.
void check_chance_to_be_sampled(const Stage& stage, double delta) {
  const double chance = -std::expm1(static_cast<double>(stage.count) * std::log1p(-stage.sampling->rate()));
  if (delta >= chance)
    fail_usage(
        "delta {:g} is not below the chance of {:.2g} that a unit is in any of the {} samples at rate {:g}: "
        "it would allow publishing those units whole; give a smaller delta or a higher rate",
        delta, chance, stage.count, stage.sampling->rate());
}

void check_stage(const Stage& stage, const Budget& budget) {
  if (stage.count < 1) fail_usage("a stage of 0 releases; leave it out instead");
  if (by_share(stage) && !(stage.share > 0 && std::isfinite(stage.share)))
    fail_usage("a share of {} of the budget; shares are finite numbers above 0", stage.share);
  if (!by_share(stage) && !(*stage.epsilon > 0 && std::isfinite(*stage.epsilon)))
    fail_usage("an epsilon of {} for a stage; give a finite number above 0", *stage.epsilon);
  if (is_gaussian(stage) && !(budget.delta > 0))
    fail_usage(
        "Gaussian noise needs a delta above 0, and this budget has none; grant one, or plan pure releases");
  if (is_gaussian(stage) && !by_share(stage))
    fail_usage("Gaussian stages are planned by shares of the budget, not by an epsilon of their own");
  if (stage.sampling && !is_gaussian(stage))
    fail_usage("only Gaussian releases are planned on samples of the units; release the others on all units");
  if (stage.sampling) check_chance_to_be_sampled(stage, budget.delta);
}

// Totals over the stages.
struct Totals {
  double epsilon = 0;                      // of stages with an epsilon of their own
  double pure_shares = 0, mu_squared = 0;  // shares of the other stages, pure and Gaussian
  double most_epsilon = std::numeric_limits<double>::infinity();  // of the Gaussian stages
  bool sampled = false;
};

Totals totals_of(const std::vector<Stage>& stages, const Budget& budget) {
  Totals totals;
  for (const Stage& stage : stages) {
    check_stage(stage, budget);
    const auto count = static_cast<double>(stage.count);
    if (!by_share(stage)) {
      totals.epsilon += count * *stage.epsilon;
      continue;
    }
    (is_gaussian(stage) ? totals.mu_squared : totals.pure_shares) += count * stage.share;
    if (is_gaussian(stage)) totals.most_epsilon = std::min(totals.most_epsilon, stage.most_epsilon);
    totals.sampled = totals.sampled || stage.sampling;
  }
  const double shares = totals.pure_shares + totals.mu_squared;
  if (shares > 1 + kShareRounding)
    fail_usage("the shares of the budget add up to {}; they must add up to 1 at most", shares);
  if (shares > 0 && !(totals.epsilon < budget.epsilon))
    fail_usage("releases of epsilon {} leave nothing of {} to share", totals.epsilon, budget.epsilon);
  // All their noise is scaled together until all of the budget is spent.
  if (totals.sampled && stages.size() > 1 &&
      (shares < 1 - kShareRounding || std::isfinite(totals.most_epsilon)))
    fail_usage(
        "sampled stages beside others spend all of the budget; let the shares add up to 1, without a "
        "most_epsilon");
  return totals;
}

// The part of a budget that Gaussian stages divide by mu^2.
struct GaussianPart {
  Budget budget;
  double shares;  // the whole that the stages' shares refer to
};

// If there are pure stages, epsilons add up (basic composition).
GaussianPart gaussian_part(const Totals& totals, double rest, double delta) {
  const bool all = totals.pure_shares == 0;
  const double epsilon = all ? rest : rest * totals.mu_squared;
  return {{std::min(epsilon, totals.most_epsilon), delta}, all ? 1 : totals.mu_squared};
}

// By GDP, releases with noise multipliers z_i cost mu^2 = sum of 1 / z_i^2; z is rounded up. A sampled stage
// gets the noise that its share pays for on its own.
double noise_multiplier(const Stage& stage, double share, const Budget& budget, Relation relation) {
  const double mu = gaussian_mu_lower(budget.epsilon, budget.delta);
  if (!stage.sampling) return 1 / (mu * std::sqrt(share)) * (1 + 4e-15);
  const double whole = share * static_cast<double>(stage.count);
  const double epsilon =
      whole >= 1 ? budget.epsilon : gaussian_epsilon_upper(mu * std::sqrt(whole), budget.delta);
  return gaussian_noise_for({epsilon, budget.delta}, relation, stage.sampling->for_group(stage.group),
                            stage.count);
}

double noise_of_stage(const Stage& stage, double rest, const GaussianPart& gaussian, Relation relation) {
  if (stage.epsilon) return *stage.epsilon;
  if (!is_gaussian(stage)) return std::min(rest * stage.share, stage.most_epsilon);
  return noise_multiplier(stage, stage.share / gaussian.shares, gaussian.budget, relation);
}

Event release_of(const Stage& stage, double noise) {
  if (stage.loss == Loss::laplace) return Event::laplace(1 / noise).times(stage.count);
  if (stage.loss == Loss::pure)
    return Event::pure(stage.in_parts ? noise * (1 + kRoundingMargin / 2) : noise).times(stage.count);
  const Event event = Event::gaussian(noise);
  return (stage.sampling ? event.sampled(stage.sampling->for_group(stage.group)) : event).times(stage.count);
}

// Calibration asks for delta at the budget's epsilon: either of the two equivalent bounds is enough.
bool fits(const std::vector<Event>& releases, double cost, const Budget& budget, Relation relation) {
  return cost <= budget.epsilon ||
         (budget.delta > 0 && delta_upper(releases, relation, budget.epsilon).value <= budget.delta);
}

}  // namespace

Loss loss_of(const AdditiveNoise& noise) {
  const Mechanism& mechanism = noise.event().mechanism();
  if (std::holds_alternative<GaussianRelease>(mechanism)) return Loss::gaussian;
  return std::holds_alternative<LaplaceRelease>(mechanism) ? Loss::laplace : Loss::pure;
}

SharedOut share_out(const std::vector<Stage>& stages, const Budget& budget, Relation relation) {
  const Totals totals = totals_of(stages, budget);
  const Budget available = with_margin(budget);
  const double rest = available.epsilon - totals.epsilon;
  const GaussianPart gaussian = gaussian_part(totals, rest, available.delta);
  std::vector<double> noise;
  for (const Stage& stage : stages) noise.push_back(noise_of_stage(stage, rest, gaussian, relation));
  const auto scale = [&](std::size_t i, double factor) {
    return is_gaussian(stages[i]) ? factor * noise[i] : noise[i];
  };
  const auto releases = [&](double factor) {
    std::vector<Event> events;
    for (std::size_t i = 0; i < stages.size(); ++i) events.push_back(release_of(stages[i], scale(i, factor)));
    return events;
  };
  // Without sampling shares of mu^2 add up exactly, and a single stage was calibrated alone.
  if (totals.sampled && stages.size() > 1) {
    const double factor = noise_for({available.epsilon, available.delta}, relation, releases);
    for (std::size_t i = 0; i < noise.size(); ++i) noise[i] = scale(i, factor);
  }
  return {noise, releases(1)};
}

ReleasePlan::ReleasePlan(const std::vector<Event>& releases, const Budget& budget, Relation relation) {
  if (releases.empty()) fail("a plan without releases; make none to choose them on the way");
  const double cost = epsilon_upper(releases, relation, budget.delta).value;
  if (!fits(releases, cost, budget, relation))
    fail(
        "the plan costs epsilon {} at delta {:g}, but the budget is {}; add noise or release less "
        "often",
        cost, budget.delta, budget.epsilon);
  for (const Event& event : releases) entries_.push_back({event});
}

std::vector<Event> ReleasePlan::events() const {
  std::vector<Event> events;
  for (const Entry& entry : entries_) events.push_back(entry.event);
  return events;
}

ReleasePlan ReleasePlan::after(const Event& release, Relation relation, const std::string& what) const {
  ReleasePlan plan = *this;
  std::uint64_t planned = 0;
  for (Entry& entry : plan.entries_) {
    if (!entry.event.same_release(release)) continue;
    if (entry.made < entry.event.count() && entry.begun == 0) return ++entry.made, plan;
    planned += entry.event.count();
  }
  const double epsilon = epsilon_upper({&release, 1}, relation, 0).value;
  for (Entry& entry : plan.entries_) {
    const auto* pure = std::get_if<Approximate>(&entry.event.mechanism());
    if (!pure || pure->delta > 0 || !std::holds_alternative<Unsampled>(entry.event.sampling())) continue;
    const bool goes_on = entry.made < entry.event.count() && entry.begun + epsilon <= pure->epsilon;
    const bool opens_next = entry.made + 1 < entry.event.count() && epsilon <= pure->epsilon;
    if (!goes_on && !opens_next) continue;
    if (!goes_on) entry.begun = 0, ++entry.made;
    entry.begun += epsilon;
    return plan;
  }
  fail("{}: the plan has {} such releases and all of them were made; plan for it, or make no plan", what,
       planned);
}

}  // namespace tulle
