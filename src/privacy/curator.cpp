#include <tulle/base/error.hpp>
#include <tulle/privacy/account/filter.hpp>
#include <tulle/privacy/curator.hpp>

#include <cmath>

namespace tulle {
namespace {

// Budgets are met up to the rounding of their own decimal text: 0.1 ten times is 1.
constexpr double kRounding = 1 + 1e-9;

void check_budget(const Budget& budget) {
  if (!(budget.epsilon > 0) || !std::isfinite(budget.epsilon))
    fail_usage("a budget of epsilon {} makes no sense; give a finite number above 0", budget.epsilon);
  if (!(budget.delta >= 0 && budget.delta < 1))
    fail_usage("a budget of delta {} makes no sense; give 0 <= delta < 1", budget.delta);
}

}  // namespace

Curator::Curator(Kind kind, const Budget& budget, Unit unit, Relation relation,
                 std::optional<RandomBits> bits)
    : kind_(kind), budget_(budget), unit_(unit), relation_(relation), bits_(std::move(bits)) {}

Curator Curator::with_budget(const Budget& budget, Unit unit, Relation relation, RandomBits bits) {
  check_budget(budget);
  return {Kind::budgeted, budget, unit, relation, std::move(bits)};
}

Curator Curator::without_privacy() {
  return {Kind::plain, {}, Unit::entry, Relation::replace, {}};
}

Curator Curator::as_published(PublishedClaim claim, Unit unit, Relation relation, RandomBits bits) {
  Curator curator(Kind::published, claim.claim, unit, relation, std::move(bits));
  curator.claim_ = std::move(claim);
  return curator;
}

void Curator::plan(const std::vector<Event>& releases) {
  if (kind_ != Kind::budgeted) return;
  if (!records_.empty() || !plan_.empty()) fail("a plan is made once, before the first release");
  const double cost = epsilon_upper(releases, relation_, budget_.delta).value;
  if (cost > budget_.epsilon * kRounding)
    fail(
        "the plan costs epsilon {:.6g} at delta {:g}, but the budget is {:g}; add noise or release less "
        "often",
        cost, budget_.delta, budget_.epsilon);
  plan_ = releases;
}

Batch Curator::sample(const PoissonSampler& sampler, std::uint64_t count) {
  std::vector<std::uint64_t> units;
  if (kind_ == Kind::plain) fail("a plain run has no secret coins to sample with; take all units");
  sampler.draw(
      count, [&] { return bits_->word(); }, [&](std::uint64_t unit) { units.push_back(unit); });
  return {sampler.sampling(), std::move(units)};
}

void Curator::check_terms(const AdditiveNoise& noise, const std::string& what) const {
  const Sensitivity& sensitivity = noise.sensitivity();
  if (sensitivity.unit() != unit_ || sensitivity.relation() != relation_)
    fail(
        "{}: its noise protects unit {} under {}, but this budget is for unit {} under {}; bound its "
        "sensitivity for those",
        what, name(sensitivity.unit()), name(sensitivity.relation()), name(unit_), name(relation_));
}

void Curator::check_plan(const Event& event, const std::string& what) const {
  std::uint64_t planned = 0, made = 0;
  for (const Event& entry : plan_)
    if (entry.same_release(event)) planned += entry.count();
  for (const Record& record : records_)
    if (record.event.same_release(event)) ++made;
  if (made >= planned)
    fail("{}: the plan has {} such releases and {} were made; plan for it, or make no plan", what, planned,
         made);
}

void Curator::approve(const AdditiveNoise& noise, const Event& event, const std::string& what) const {
  if (kind_ != Kind::budgeted) return;
  check_terms(noise, what);
  if (!plan_.empty()) return check_plan(event, what);
  std::vector<Event> events = released_events();
  events.push_back(event);
  const double cost = spent(events).value;
  if (cost > budget_.epsilon * kRounding)
    fail(
        "{}: with it epsilon would be {:.6g} at delta {:g}, but the budget is {:g}; add noise or release "
        "less",
        what, cost, budget_.delta, budget_.epsilon);
}

Noisy Curator::add_noise(std::vector<double> values, const AdditiveNoise& noise, const Event& event,
                         std::string what) {
  if (values.size() != noise.coordinates())
    fail("{}: the query gave {} numbers, but its noise is for {}", what, values.size(), noise.coordinates());
  for (double value : values)
    if (!std::isfinite(value))
      fail("{}: the query gave a number that is not finite; clip its input to the public range", what);
  const bool noisy = kind_ != Kind::plain;
  // The record comes first: a failure while the noise is drawn over-counts, never under-counts.
  records_.push_back(
      {std::move(what), noise.name(), event, noisy ? noise.deviation() : 0, noise.coordinates()});
  if (noisy) noise.add_to(values, *bits_);
  return {std::move(values), noisy ? noise.deviation() : 0};
}

std::vector<Event> Curator::released_events() const {
  std::vector<Event> events;
  for (const Record& record : records_) events.push_back(record.event);
  return events;
}

Bound Curator::spent(const std::vector<Event>& events) const {
  if (!plan_.empty()) return epsilon_upper(plan_, relation_, budget_.delta);
  if (events.empty()) return {0, Accounting::pure};
  return adaptive_epsilon_upper(events, relation_, budget_.epsilon, budget_.delta);
}

Budget Curator::left() const {
  if (kind_ != Kind::budgeted) return {};
  return {std::max(0.0, budget_.epsilon - spent(released_events()).value), budget_.delta};
}

Guarantee Curator::guarantee() const {
  Guarantee result;
  result.unit = unit_;
  result.relation = relation_;
  result.releases = records_;
  result.reproducible = bits_ && bits_->reproducible();
  switch (kind_) {
    case Kind::plain:
      result.remark = "the method adds no noise";
      break;
    case Kind::published:
      result.status = Guarantee::Status::claimed;
      result.used = claim_->claim;
      result.accounting = "as printed in " + claim_->paper;
      result.remark = claim_->why_unproven;
      break;
    case Kind::budgeted: {
      const Bound bound = spent(released_events());
      result.status = Guarantee::Status::proven;
      result.used = {bound.value, bound.how == Accounting::pure ? 0 : budget_.delta};
      result.accounting = fmt::format("{}, {}", name(bound.how), plan_.empty() ? "adaptive" : "planned");
      break;
    }
  }
  return result;
}

}  // namespace tulle
