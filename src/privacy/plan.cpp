#include <tulle/base/error.hpp>
#include <tulle/privacy/account/accountant.hpp>
#include <tulle/privacy/account/calibrate.hpp>
#include <tulle/privacy/account/gdp.hpp>
#include <tulle/privacy/margin.hpp>
#include <tulle/privacy/plan.hpp>

#include <cmath>

namespace tulle {
namespace {

double checked_share(double share) {
  if (!(share > 0) || !std::isfinite(share))
    fail_usage("a share of {} of the budget; shares are finite numbers above 0", share);
  return share;
}

Event release_of(const GaussianStage& stage, double noise) {
  const Event event = Event::gaussian(noise);
  return (stage.rate < 1 ? event.sampled(PoissonSampling::what_if(stage.rate)) : event).times(stage.count);
}

// The noise multiplier of a stage that has `share` of mu^2, on its own.
double noise_of_stage(const GaussianStage& stage, double share, const Budget& budget, Relation relation) {
  const double mu = gaussian_mu_lower(budget.epsilon, budget.delta) * std::sqrt(share);
  if (stage.rate == 1) return std::sqrt(static_cast<double>(stage.count)) / mu * (1 + 4e-15);
  const double epsilon = share == 1 ? budget.epsilon : gaussian_epsilon_upper(mu, budget.delta);
  return gaussian_noise_for({epsilon, budget.delta}, relation, PoissonSampling::what_if(stage.rate),
                            stage.count);
}

// Calibration asks for delta at the budget's epsilon: two bounds of the same thing, and either will do.
bool fits(const std::vector<Event>& releases, double cost, const Budget& budget, Relation relation) {
  return cost <= budget.epsilon ||
         (budget.delta > 0 && delta_upper(releases, relation, budget.epsilon).value <= budget.delta);
}

}  // namespace

SharedOut share_out_gaussian(const std::vector<GaussianStage>& stages, const Budget& budget,
                             Relation relation) {
  if (!(budget.delta > 0))
    fail_usage("Gaussian noise needs a delta above 0, and this budget has none; grant one, or plan_pure()");
  double total = 0;
  bool sampled = false;
  for (const GaussianStage& stage : stages) {
    total += checked_share(stage.share);
    if (stage.count < 1) fail_usage("a stage of 0 releases; leave it out instead");
    sampled = sampled || stage.rate < 1;
  }
  const Budget available = with_margin(budget);
  std::vector<double> noise;
  for (const GaussianStage& stage : stages)
    noise.push_back(noise_of_stage(stage, stage.share / total, available, relation));
  const auto releases = [&](double factor) {
    std::vector<Event> events;
    for (std::size_t i = 0; i < stages.size(); ++i)
      events.push_back(release_of(stages[i], factor * noise[i]));
    return events;
  };
  // Without sampling shares of mu^2 add up exactly.
  if (sampled && stages.size() > 1) {
    const double factor = noise_for({available.epsilon, available.delta}, relation, releases);
    for (double& each : noise) each *= factor;
  }
  return {noise, releases(1)};
}

SharedOut share_out_pure(const std::vector<double>& shares, const Budget& budget, Relation relation) {
  double total = 0;
  for (double share : shares) total += checked_share(share);
  const Budget available = with_margin(budget);
  std::vector<double> epsilons(shares.size());
  const auto releases = [&](double noise) {
    std::vector<Event> events;
    for (std::size_t i = 0; i < shares.size(); ++i) {
      epsilons[i] = available.epsilon * shares[i] / total / noise;
      join(events, Event::pure(epsilons[i]));
    }
    return events;
  };
  const double noise =
      budget.delta > 0 ? noise_for({available.epsilon, available.delta}, relation, releases) : 1;
  SharedOut shared{{}, releases(noise)};
  // Noise made for one of them may cost more than it was made for, by its rounding.
  for (double epsilon : epsilons) shared.noise.push_back(epsilon * (1 - kRoundingMargin));
  return shared;
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
