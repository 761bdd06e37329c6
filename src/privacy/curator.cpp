#include "draw_units.hpp"
#include "noise/check.hpp"

#include <tulle/base/error.hpp>
#include <tulle/privacy/account/filter.hpp>
#include <tulle/privacy/curator.hpp>
#include <tulle/privacy/largest_epsilon.hpp>
#include <tulle/privacy/margin.hpp>

#include <algorithm>
#include <cmath>
#include <new>
#include <utility>

namespace tulle {
namespace {

void check_claim(const Budget& budget) {
  if (!(budget.epsilon > 0)) fail_usage("a budget of epsilon {}: give a number above 0", budget.epsilon);
  if (!(budget.delta >= 0 && budget.delta < 1))
    fail_usage("a budget of delta {}: give 0 <= delta < 1", budget.delta);
}

void check_budget(const Budget& budget) {
  check_claim(budget);
  if (budget.epsilon > kLargestEpsilon)
    fail_usage("a budget of epsilon {}: give at most {}; a larger epsilon protects nothing", budget.epsilon,
               kLargestEpsilon);
}

bool has_all(const std::vector<double>& values, const AdditiveNoise& noise) {
  return noise.keys() || values.size() == noise.coordinates();
}

void check_values(const std::vector<double>& values, const AdditiveNoise& noise, const std::string& what) {
  if (!has_all(values, noise))
    fail("{}: the query gave {} numbers, but its noise is for {}", what, values.size(), noise.coordinates());
  if (!all_finite(values))
    fail("{}: the query gave a number that is not finite; clip its input to the public range", what);
}

// Whether two lists hold the same releases equally often.
bool same_releases(const std::vector<Event>& some, const std::vector<Event>& others) {
  std::vector<Event> joined;
  for (const Event& event : some) join(joined, event);
  return joined.size() == others.size() && std::ranges::all_of(joined, [&](const Event& event) {
           return std::ranges::count(others, event) == 1;
         });
}

// A plan that is used up was accounted by the recorded releases: composing those gives the same result.
std::string_view planning(const ReleasePlan& plan, const std::vector<Event>& released) {
  if (plan.empty()) return "adaptive";
  return same_releases(plan.events(), released) ? "planned" : "planned for more than was released";
}

// What a query returns; nothing if it throws.
template <class Answer>
std::optional<Answer> answered(const std::function<Answer()>& query) {
  try {
    return query();
  } catch (const std::bad_alloc&) {
    throw;  // reveals only that memory is short
  } catch (...) {
    return std::nullopt;
  }
}

[[noreturn]] void fail_withheld(const std::string& what, const std::string& wanted) {
  fail(
      "{}: its query did not {}. It was counted as released; how it failed is withheld, since that could "
      "tell the data. Run it on public data without privacy to see",
      what, wanted);
}

bool are_listed(const ListedValues& listed, std::uint64_t coordinates) {
  const std::vector<std::uint64_t>& places = listed.places;
  const bool ascend = std::ranges::adjacent_find(places, std::greater_equal()) == places.end();
  return ascend && (places.empty() || places.back() < coordinates) && places.size() == listed.values.size() &&
         all_finite(listed.values);
}

std::vector<double> written_out(const ListedValues& listed, std::uint64_t coordinates) {
  std::vector<double> values(coordinates);
  for (std::size_t i = 0; i < listed.places.size(); ++i) values[listed.places[i]] = listed.values[i];
  return values;
}

ListedValues listed_of(const std::vector<double>& values) {
  ListedValues listed;
  for (std::size_t place = 0; place < values.size(); ++place)
    if (values[place] != 0) {
      listed.places.push_back(place);
      listed.values.push_back(values[place]);
    }
  return listed;
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
  check_claim(claim.claim);
  Curator curator(Kind::published, claim.claim, unit, relation, std::move(bits));
  curator.claim_ = std::move(claim);
  return curator;
}

void Curator::set_scope(Scope scope) {
  if (scope_is_set_ || !records_.empty())
    fail("the scope of a guarantee is set once, before the first release");
  if (!scope.mode.empty() && unit_ != Unit::user && kind_ != Kind::plain)
    fail_usage("a guarantee for unit {} names no mode; only users are positions of a mode", name(unit_));
  scope.joint = scope.joint || scope_.joint;
  scope_ = std::move(scope);
  scope_is_set_ = true;
}

void Curator::set_joint() {
  if (!records_.empty()) fail("joint privacy is stated before the first release");
  scope_.joint = true;
}

void Curator::rehearse() {
  if (!records_.empty()) fail("a run is rehearsed from its first release");
  rehearsal_.emplace();
}

void Curator::plan(const std::vector<Event>& releases) {
  if (kind_ != Kind::budgeted) return;
  if (!records_.empty() || !plan_.empty()) fail("a plan is made once, before the first release");
  plan_ = ReleasePlan(releases, budget_, relation_);
}

std::vector<double> Curator::plan(const std::vector<Stage>& stages) {
  if (kind_ == Kind::plain) return offer(stages);
  SharedOut shared = share_out(with_overlap(stages), budget_, relation_);
  plan(shared.releases);
  return std::move(shared.noise);
}

std::vector<double> Curator::offer(const std::vector<Stage>& stages) const {
  if (kind_ == Kind::plain) return std::vector<double>(stages.size(), 1);
  return share_out(with_overlap(stages), budget_, relation_).noise;
}

std::vector<Stage> Curator::with_overlap(std::vector<Stage> stages) const {
  for (Stage& stage : stages) stage.group *= overlap();
  return stages;
}

Allowance Curator::allowance(std::vector<Stage> beside, double most_epsilon) const {
  beside.push_back({.loss = Loss::pure, .most_epsilon = most_epsilon});
  Allowance allowance{offer(beside).back()};
  beside.back().loss = Loss::gaussian;
  if (budget_.delta > 0) allowance.noise_multiplier = offer(beside).back();
  return allowance;
}

void Curator::check_usable() const {
  if (!maker_.valid()) fail_usage("this curator was moved to another one; use that");
}

void Curator::check_own(const Maker& mark, const char* thing) const {
  check_usable();
  if (!mark.valid()) fail_usage("this {} was moved or used already; ask the curator for another", thing);
  if (!maker_.made(mark)) fail_usage("this {} is another curator's; use the one that made it", thing);
}

std::uint64_t Curator::secret_word() {
  check_usable();
  if (kind_ == Kind::plain) fail("a plain run has no secret seed; take that of the fit");
  std::uint64_t word = bits_->word();
  if (witness_) witness_->seeded(word);
  return word;
}

Batch Curator::sample(const PoissonSampler& sampler, std::uint64_t count) {
  check_usable();
  if (kind_ == Kind::plain) fail("a plain run has no secret coins to sample with; take all units");
  std::vector<std::uint64_t> units = draw_units(sampler, count, *bits_);
  if (witness_) witness_->sampled(units);
  return {maker_.mark(), sampler.sampling(), std::move(units)};
}

void Curator::check_terms(const AdditiveNoise& noise, const std::string& what) const {
  const Sensitivity& sensitivity = noise.sensitivity();
  if (sensitivity.unit() != unit_ || sensitivity.relation() != relation_)
    fail(
        "{}: its noise protects unit {} under {}, but this budget is for unit {} under {}; bound its "
        "sensitivity for those",
        what, name(sensitivity.unit()), name(sensitivity.relation()), name(unit_), name(relation_));
}

void Curator::approve(const AdditiveNoise& noise, const Event& event, const std::string& what) {
  check_usable();
  if (kind_ == Kind::budgeted) check_affordable(noise, event, what);
  if (!pay_) return;
  pay_(*this);
  pay_ = nullptr;  // only after the payment returned: until then every release tries to pay first
}

// At a site the noise is the sum of all sites' shares.
void Curator::begin(const AdditiveNoise& noise, const Event& event, const std::string& what,
                    double deviation) {
  std::optional<SharedNoise> shares;
  if (link_) shares.emplace(noise, link_->sharing, what);
  enter(noise, event, what, shares ? shares->deviation() : deviation);
  if (overlap() > 1) records_.back().sensitivity = noise.sensitivity().in(Norm::l2).for_group(overlap());
  if (shares) shared_ = shares;
}

void Curator::begin_alone(const AdditiveNoise& noise, const std::string& what) {
  if (overlap() > 1)
    fail("{}: what each site releases by itself adds up for a unit at {} sites; take a method of sums", what,
         overlap());
  enter(noise, noise.event(), what, noise.deviation());
  alone_ = link_.has_value();
}

void Curator::enter(const AdditiveNoise& noise, const Event& event, const std::string& what,
                    double deviation) {
  approve(noise, event, what);
  record(event, {what, noise.name(), event, kind_ == Kind::plain ? 0 : deviation, noise.coordinates(),
                 noise.sensitivity()});
}

// Whether and how a query fails can depend on the data. The text does not, and by now the release is on the
// record. A plain run hides nothing: there the author of a method sees what went wrong.
std::vector<double> Curator::answer(const AdditiveNoise& noise, const std::string& what,
                                    const std::function<std::vector<double>()>& query) const {
  if (rehearsal_) return std::vector<double>(noise.coordinates());
  if (kind_ == Kind::plain) {
    std::vector<double> values = query();
    check_values(values, noise, what);
    return values;
  }
  std::optional<std::vector<double>> values = answered(query);
  if (!values || !has_all(*values, noise) || !all_finite(*values))
    fail_withheld(what, fmt::format("give {} finite numbers", noise.coordinates()));
  return *std::move(values);
}

ListedValues Curator::listed_answer(const AdditiveNoise& noise, const std::string& what,
                                    const std::function<ListedValues()>& query) const {
  if (rehearsal_) return {};
  const std::optional<ListedValues> listed = kind_ == Kind::plain ? query() : answered(query);
  if (!listed || !are_listed(*listed, noise.coordinates()))
    fail_withheld(what, fmt::format("list finite numbers at ascending places below {}", noise.coordinates()));
  return *listed;
}

void Curator::check_affordable(const AdditiveNoise& noise, const Event& event, const std::string& what) {
  check_terms(noise, what);
  if (!plan_.empty()) {
    static_cast<void>(plan_.after(event, relation_, what));
    return;
  }
  std::vector<Event> events = released_;
  join(events, event);
  const double cost = spent(events).value;
  if (cost > budget_.epsilon)
    fail(
        "{}: with it epsilon would be {} at delta {:g}, but the budget is {}; add noise or release "
        "less",
        what, cost, budget_.delta, budget_.epsilon);
}

// The record precedes the query: a failure over-counts and never under-counts.
void Curator::record(const Event& event, Record record) {
  if (!plan_.empty()) plan_ = plan_.after(event, relation_, record.what);
  join(released_, event);
  records_.push_back(std::move(record));
}

// A witness at a site sees the answer of the site's own query: neighbours differ there.
Noisy Curator::noised(std::vector<double> values, const AdditiveNoise& noise, Witness::ExactAnswers exact) {
  if (!link_) return noised_here(std::move(values), noise, std::move(exact));
  if (witness_ && exact.answers.empty()) exact.answers.push_back(values);
  const SharingSites& sharing = link_->sharing;
  const SharedNoise shares(noise, sharing, records_.back().what);
  const SiteTotal total = link_->sum(shares.message(values, draws_noise() ? &*bits_ : nullptr));
  if (total.values.size() != noise.coordinates() || total.sites > sharing.sites ||
      total.sites < (sharing.fewest == 0 ? sharing.sites : static_cast<std::size_t>(sharing.fewest)))
    fail("{}: a total of {} numbers over {} sites; {} numbers were released", records_.back().what,
         total.values.size(), total.sites, noise.coordinates());
  return seen({shares.values(total.values), shares.deviation(total.sites)}, noise, exact);
}

Noisy Curator::noised_here(std::vector<double> values, const AdditiveNoise& noise,
                           Witness::ExactAnswers exact) {
  if (witness_ && exact.answers.empty()) exact.answers.push_back(values);
  if (draws_noise()) noise.add_to(values, *bits_);
  return seen({std::move(values), noise.deviation()}, noise, exact);
}

// A witness sees all values, with 0 for those that are not released.
NoisyAbove Curator::noised_above(ListedValues values, const AdditiveNoise& noise) {
  Witness::ExactAnswers exact;
  if (witness_) exact.answers.push_back(written_out(values, noise.coordinates()));
  if (draws_noise()) values = noise.add_to(values, *bits_);
  if (!witness_) return {std::move(values), kind_ == Kind::plain ? 0 : noise.deviation()};
  const Noisy released = seen({written_out(values, noise.coordinates()), noise.deviation()}, noise, exact);
  return {listed_of(released.values), released.deviation};
}

// How many are shown is released; how many there are is not.
std::vector<std::uint64_t> Curator::shown(const Noisy& keys) {
  std::vector<std::uint64_t> numbers;
  for (std::size_t key = 0; key < keys.values.size(); ++key)
    if (keys.values[key] > 0) numbers.push_back(key);
  records_.back().numbers = numbers.size();
  return numbers;
}

Noisy Curator::seen(Noisy released, const AdditiveNoise& noise, Witness::ExactAnswers& exact) {
  if (kind_ == Kind::plain) return {std::move(released.values), 0};
  if (rehearsal_ && rehearsal_->open_units == 0 && same_releases(plan_.events(), released_))
    throw Rehearsed{guarantee()};
  if (witness_) witness_->released(noise, exact, released.values);
  return released;
}

std::vector<Curator::Bytes> Curator::hand_out(const Bytes& own) const {
  return link_ ? link_->hand_out(own) : std::vector<Bytes>{own};
}

Portions Curator::in_portions(const AdditiveNoise& noise, std::uint64_t units, std::string what) {
  refuse_at_site("a release in portions");
  if (relation_ == Relation::add_remove)
    fail("{}: portions are for units that are known, and under {} they are not", what, name(relation_));
  approve(noise, noise.event(), what);
  record(noise.event(), {std::move(what), noise.name(), noise.event(), 0, 0, std::nullopt});
  if (rehearsal_) rehearsal_->open_units += units;
  return {maker_.mark(), noise.event(), records_.size() - 1, units};
}

void Curator::take(Portions& portions, std::span<const std::uint64_t> units, const AdditiveNoise& noise) {
  check_own(portions.maker_, "release in portions");
  Record& record = records_[portions.record_];
  const std::string& what = record.what;
  if (kind_ == Kind::budgeted) check_terms(noise, what);
  if (noise.coordinates() != units.size())
    fail("{}: noise for {} numbers on a portion of {} units", what, noise.coordinates(), units.size());
  if (noise.sensitivity().norm() != Norm::one_coordinate || !noise.event().same_release(portions.event_))
    fail("{}: every portion takes noise on single numbers that costs what the others cost", what);
  portions.take(units, what);
  if (rehearsal_) rehearsal_->open_units -= units.size();
  record.numbers += noise.coordinates();
  if (kind_ != Kind::plain) record.deviation = std::max(record.deviation, noise.deviation());
  if (!record.sensitivity || record.sensitivity->value() < noise.sensitivity().value())
    record.sensitivity = noise.sensitivity();
  if (witness_) witness_->taken(units);
}

Witness::ExactAnswers Curator::exact_answers_of(
    const Batch& batch,
    const std::function<std::vector<double>(const std::vector<std::uint64_t>&)>& query) const {
  const std::optional<std::uint64_t> watched = witness_->watched_unit();
  if (!watched) return {{query(batch.units_)}, 1};
  std::vector<std::uint64_t> without = batch.units_;
  std::erase(without, *watched);
  std::vector<std::uint64_t> with = without;
  with.insert(std::ranges::upper_bound(with, *watched), *watched);
  return {{query(without), query(with)}, batch.sampling_.rate()};
}

void Curator::join_sites(SiteLink link) {
  if (!records_.empty() || link_) fail("a curator joins the other sites once, before the first release");
  link_ = std::move(link);
  if (witness_) witness_ = &witness_->at_site(link_->site);
}

void Curator::refuse_at_site(const char* what) const {
  if (link_) fail("{} is no sum over sites; run the method with central trust", what);
}

Noisy Curator::sum_over_sites(const AdditiveNoise& noise, const std::string& what,
                              const std::function<std::vector<double>()>& query) {
  begin(noise, noise.event(), what, 0);
  return noised(answer(noise, what, query), noise, {});
}

Bound Curator::spent(const std::vector<Event>& events) const {
  if (plan_.empty()) return adaptive_epsilon_upper(events, relation_, budget_.epsilon, budget_.delta);
  Bound bound = epsilon_upper(plan_.events(), relation_, budget_.delta);
  // A plan was made only if it fits, by its epsilon or else by its delta at the budget's epsilon. One that
  // leaves no more than a margin for rounding is stated to use all of it.
  if (bound.value > budget_.epsilon) bound.delta = budget_.delta;
  if (bound.value > budget_.epsilon * (1 - 2 * kRoundingMargin)) bound.value = budget_.epsilon;
  return bound;
}

Budget Curator::left() const {
  if (kind_ != Kind::budgeted) return {};
  return {std::max(0.0, budget_.epsilon - spent(released_).value), budget_.delta};
}

Budget Curator::odometer() const {
  if (kind_ != Kind::budgeted) return {};
  const double pure = adaptive_epsilon_upper(released_, relation_, budget_.epsilon, 0).value;
  if (budget_.delta == 0) return {pure, 0};
  const double epsilon = odometer_epsilon_upper(released_, relation_, budget_.delta);
  return {epsilon, epsilon < pure ? budget_.delta : 0};
}

std::vector<Event> Curator::dues() const {
  if (kind_ == Kind::plain)
    fail("a run without privacy promises nothing, so there is nothing to charge for it");
  if (kind_ == Kind::published)
    fail("what {} claims is not proven, and a ledger counts proven losses only; calibrate the run instead",
         claim_->paper);
  if (!plan_.empty()) return plan_.events();
  if (budget_.delta > 0)
    fail(
        "a run that chooses its releases on the way with a delta cannot be charged in advance; plan its "
        "releases");
  return {Event::pure(budget_.epsilon)};
}

Guarantee Curator::guarantee() const {
  Guarantee result;
  static_cast<Scope&>(result) = scope_;
  result.unit = unit_;
  result.relation = relation_;
  result.releases = records_;
  result.reproducible = reproducible();
  if (shared_) {
    result.adversary = shared_->adversary();
    result.assumption = shared_->assumption();
  } else if (alone_) {
    result.adversary = "anybody who sees what a site sends, all other sites together included";
    result.assumption = "the data of each protected unit are at one site";
  }
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
      const Bound bound = spent(released_);
      const Budget counted{bound.value, bound.delta};
      result.status = Guarantee::Status::proven;
      result.used = plan_.empty() ? budget_ : counted;
      if (plan_.empty()) result.spent = counted;
      result.accounting = fmt::format("{}, {}", name(bound.how), planning(plan_, released_));
      break;
    }
  }
  return result;
}

}  // namespace tulle
