#include "noise/check.hpp"
#include "noise/chunks.hpp"

#include <tulle/base/error.hpp>
#include <tulle/privacy/account/calibrate.hpp>
#include <tulle/privacy/account/filter.hpp>
#include <tulle/privacy/account/gdp.hpp>
#include <tulle/privacy/curator.hpp>
#include <tulle/privacy/margin.hpp>

#include <algorithm>
#include <array>
#include <atomic>
#include <cmath>
#include <new>
#include <utility>

namespace tulle {
namespace {

void check_budget(const Budget& budget) {
  if (!(budget.epsilon > 0) || !std::isfinite(budget.epsilon))
    fail_usage("a budget of epsilon {}: give a finite number above 0", budget.epsilon);
  if (!(budget.delta >= 0 && budget.delta < 1))
    fail_usage("a budget of delta {}: give 0 <= delta < 1", budget.delta);
}

void check_share(double share) {
  if (!(share > 0) || !std::isfinite(share))
    fail_usage("a share of {} of the budget; shares are finite numbers above 0", share);
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

void check_values(const std::vector<double>& values, const AdditiveNoise& noise, const std::string& what) {
  if (values.size() != noise.coordinates())
    fail("{}: the query gave {} numbers, but its noise is for {}", what, values.size(), noise.coordinates());
  if (!all_finite(values))
    fail("{}: the query gave a number that is not finite; clip its input to the public range", what);
}

// The exact answer of all sites together.
std::vector<double> sum_of(const std::vector<std::vector<double>>& parts) {
  std::vector<double> sums(parts.front().size());
  for (std::size_t i = 0; i < sums.size(); ++i) {
    long double sum = 0;
    for (const std::vector<double>& values : parts) sum += values[i];
    sums[i] = static_cast<double>(sum);
  }
  return sums;
}

// Whom a release of shared noise holds against.
std::string adversary_among(std::size_t sites, int colluding) {
  if (colluding == 0) return "anybody who sees the releases and is none of the sites";
  if (colluding == 1)
    return fmt::format("anybody who sees the releases, and any one of the {} sites about the others' data",
                       sites);
  return fmt::format(
      "anybody who sees the releases, and any {} of the {} sites together about the others' data", colluding,
      sites);
}

}  // namespace

Maker Maker::next() {
  static std::atomic<std::uint64_t> count = 0;
  return Maker(++count);
}

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

void Curator::plan(const std::vector<Event>& releases) {
  if (kind_ != Kind::budgeted) return;
  if (!records_.empty() || !plan_.empty()) fail("a plan is made once, before the first release");
  if (releases.empty()) fail("a plan without releases; make none to choose them on the way");
  const double cost = epsilon_upper(releases, relation_, budget_.delta).value;
  // Calibration asks for delta at the budget's epsilon: two bounds of the same thing, and either will do.
  const bool fits =
      cost <= budget_.epsilon ||
      (budget_.delta > 0 && delta_upper(releases, relation_, budget_.epsilon).value <= budget_.delta);
  if (!fits)
    fail(
        "the plan costs epsilon {} at delta {:g}, but the budget is {}; add noise or release less "
        "often",
        cost, budget_.delta, budget_.epsilon);
  for (const Event& event : releases) plan_.push_back({event});
}

std::vector<double> Curator::plan_gaussian(const std::vector<GaussianStage>& stages) {
  std::vector<double> noise(stages.size(), 1);
  if (kind_ == Kind::plain) return noise;
  if (!(budget_.delta > 0))
    fail_usage("Gaussian noise needs a delta above 0, and this budget has none; grant one, or plan_pure()");
  double total = 0;
  bool sampled = false;
  for (const GaussianStage& stage : stages) {
    check_share(stage.share);
    if (stage.count < 1) fail_usage("a stage of 0 releases; leave it out instead");
    total += stage.share;
    sampled = sampled || stage.rate < 1;
  }
  const Budget shared_out = with_margin(budget_);
  for (std::size_t i = 0; i < stages.size(); ++i)
    noise[i] = noise_of_stage(stages[i], stages[i].share / total, shared_out, relation_);
  const auto releases = [&](double factor) {
    std::vector<Event> events;
    for (std::size_t i = 0; i < stages.size(); ++i)
      events.push_back(release_of(stages[i], factor * noise[i]));
    return events;
  };
  // Without sampling shares of mu^2 add up exactly.
  if (sampled && stages.size() > 1) {
    const double factor = noise_for({shared_out.epsilon, shared_out.delta}, relation_, releases);
    for (double& each : noise) each *= factor;
  }
  plan(releases(1));
  return noise;
}

std::vector<double> Curator::plan_pure(const std::vector<double>& shares) {
  double total = 0;
  for (double share : shares) {
    check_share(share);
    total += share;
  }
  std::vector<double> epsilons(shares.size(), 1);
  if (kind_ == Kind::plain) return epsilons;
  const Budget shared_out = with_margin(budget_);
  const auto releases = [&](double noise) {
    std::vector<Event> events;
    for (std::size_t i = 0; i < shares.size(); ++i) {
      epsilons[i] = shared_out.epsilon * shares[i] / total / noise;
      join(events, Event::pure(epsilons[i]));
    }
    return events;
  };
  plan(releases(budget_.delta > 0 ? noise_for({shared_out.epsilon, shared_out.delta}, relation_, releases)
                                  : 1));
  // Noise made for one of them may cost more than it was made for, by its rounding.
  for (double& epsilon : epsilons) epsilon *= 1 - kRoundingMargin;
  return epsilons;
}

void Curator::check_usable() const {
  if (!maker_.valid()) fail_usage("this curator was moved to another one; use that");
}

void Curator::check_own(const Maker& mark, const char* thing) const {
  check_usable();
  if (!mark.valid()) fail_usage("this {} was moved or used already; ask the curator for another", thing);
  if (!maker_.made(mark)) fail_usage("this {} is another curator's; use the one that made it", thing);
}

Batch Curator::sample(const PoissonSampler& sampler, std::uint64_t count) {
  check_usable();
  if (kind_ == Kind::plain) fail("a plain run has no secret coins to sample with; take all units");
  constexpr std::uint64_t kChunk = 1 << 16;
  std::vector<std::vector<std::uint64_t>> parts((count + kChunk - 1) / kChunk);
  for_each_chunk(count, kChunk, *bits_, [&](std::uint64_t begin, std::uint64_t end, RandomBits& bits) {
    auto& part = parts[begin / kChunk];
    part.reserve(
        static_cast<std::size_t>(1.1 * sampler.sampling().rate() * static_cast<double>(end - begin)));
    std::array<std::uint64_t, 1020> words;
    std::size_t left = 0;
    const auto next = [&] {
      if (left == 0) bits.fill(words), left = words.size();
      return std::exchange(words[--left], 0);
    };
    sampler.draw(end - begin, next, [&](std::uint64_t unit) { part.push_back(begin + unit); });
  });
  std::vector<std::uint64_t> units = parts.empty() ? std::vector<std::uint64_t>() : std::move(parts[0]);
  for (std::size_t i = 1; i < parts.size(); ++i) units.insert(units.end(), parts[i].begin(), parts[i].end());
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

// The plan once this release is made. One that is pure on its own may also take the place of a planned pure
// one that costs no less, or be a part of it: parts that are pure add up, however each was chosen.
std::vector<Curator::Planned> Curator::plan_after(const Event& event, const std::string& what) const {
  std::vector<Planned> plan = plan_;
  std::uint64_t planned = 0;
  for (Planned& entry : plan) {
    if (!entry.event.same_release(event)) continue;
    if (entry.made < entry.event.count() && entry.begun == 0) return ++entry.made, plan;
    planned += entry.event.count();
  }
  const double epsilon = epsilon_upper({&event, 1}, relation_, 0).value;
  for (Planned& entry : plan) {
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

std::vector<Event> Curator::planned_events() const {
  std::vector<Event> events;
  for (const Planned& entry : plan_) events.push_back(entry.event);
  return events;
}

void Curator::approve(const AdditiveNoise& noise, const Event& event, const std::string& what) {
  check_usable();
  if (kind_ == Kind::budgeted) check_affordable(noise, event, what);
  if (!pay_) return;
  pay_(*this);
  pay_ = nullptr;  // only now: what is not paid for stays refused
}

void Curator::begin(const AdditiveNoise& noise, const Event& event, const std::string& what,
                    double deviation) {
  approve(noise, event, what);
  record(event, {what, noise.name(), event, kind_ == Kind::plain ? 0 : deviation, noise.coordinates(),
                 noise.sensitivity()});
}

// Whether a query fails can depend on the data, and so can how. The text does not, and the release is on the
// record by now. A plain run hides nothing: it is where the author of a method sees what went wrong.
std::vector<double> Curator::answer(const AdditiveNoise& noise, const std::string& what,
                                    const std::function<std::vector<double>()>& query) const {
  if (kind_ == Kind::plain) {
    std::vector<double> values = query();
    check_values(values, noise, what);
    return values;
  }
  std::vector<double> values;
  try {
    values = query();
  } catch (const std::bad_alloc&) {
    throw;  // says nothing but that memory is short
  } catch (...) {
    values.clear();
  }
  if (values.size() != noise.coordinates() || !all_finite(values))
    fail(
        "{}: its query did not give {} finite numbers. It was counted as released; how it failed is "
        "withheld, "
        "since that could tell the data. Run it on public data without privacy to see",
        what, noise.coordinates());
  return values;
}

void Curator::check_affordable(const AdditiveNoise& noise, const Event& event, const std::string& what) {
  check_terms(noise, what);
  if (!plan_.empty()) {
    plan_after(event, what);
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

// The record comes before the query runs: a failure then over-counts, never under-counts.
void Curator::record(const Event& event, Record record) {
  if (!plan_.empty()) plan_ = plan_after(event, record.what);
  join(released_, event);
  records_.push_back(std::move(record));
}

Noisy Curator::noised(std::vector<double> values, const AdditiveNoise& noise, Witness::Beneath beneath) {
  if (kind_ == Kind::plain) return {std::move(values), 0};
  if (witness_ && beneath.answers.empty()) beneath.answers.push_back(values);
  if (!(witness_ && witness_->answers())) noise.add_to(values, *bits_);
  if (witness_) witness_->released(noise, beneath, values);
  return {std::move(values), noise.deviation()};
}

Portions Curator::in_portions(const AdditiveNoise& noise, std::uint64_t units, std::string what) {
  if (relation_ == Relation::add_remove)
    fail("{}: portions are for units that are known, and under {} they are not", what, name(relation_));
  approve(noise, noise.event(), what);
  record(noise.event(), {std::move(what), noise.name(), noise.event(), 0, 0, std::nullopt});
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
  for (std::uint64_t unit : units) {
    if (unit >= portions.answered_.size())
      fail("{}: there is no unit {}; there are {}", what, unit + 1, portions.answered_.size());
    if (portions.answered_[unit]) fail("{}: unit {} was released before", what, unit + 1);
    portions.answered_[unit] = true;
    --portions.left_;
  }
  record.numbers += noise.coordinates();
  if (kind_ != Kind::plain) record.deviation = std::max(record.deviation, noise.deviation());
  if (!record.sensitivity || record.sensitivity->value() < noise.sensitivity().value())
    record.sensitivity = noise.sensitivity();
  if (witness_) witness_->taken(units);
}

Witness::Beneath Curator::beneath_sample(
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

// Shared noise. Let h = sites - colluding. Site i rounds its own sum to a whole number x_i of cells and adds
// round(g_i), g_i normal with deviation s; a unit's data are at one site, so neighbours change one x_i,
// rounding included (Grid::l2_sensitivity). Sites that collude know their own parts and learn nothing of the
// others but what the exchange shows, the sum over the h honest ones: in each coordinate X + F, X = sum of
// x_i, F = sum of round(g_i). Claim: that costs what X + G does, G = sum of g_i, which has deviation sqrt(h)
// s.
//
// Let r_i = g_i - round(g_i) for i < h, and R their sum. G - R is a whole number plus g_h, so F = round(G -
// R) and X + F = round(X + G - R). If the r_i were independent of G, that would be post-processing of X + G.
// (h = 1: R = 0, and nothing is left to show.) Given G, (g_1, .., g_{h-1}) is normal with covariance s^2 (I -
// J/h), J all ones; so, by Poisson summation, the density of (r_1, .., r_{h-1}) on the unit cube is 1 + the
// sum over whole k != 0 of terms of absolute value exp(-2 pi^2 s^2 q(k)), q(k) = |k|^2 - (sum of k)^2 / h >=
// max(1/2, |k|^2/h). Hence it is within 1 +- eta of the uniform density, whatever G is, with eta < exp(-2^40)
// for s >= 2^20 cells (Grid::for_gaussian) and h <= 2^20. With uniform r_i the release is post-processing;
// over d coordinates its probabilities differ from that by factors within (1 +- eta)^d, which adds 3 d eta to
// epsilon and d eta delta to delta: far less than what the factor 1 + 4e-15 on the noise below is worth.
AdditiveNoise Curator::begin_shared(const AdditiveNoise& noise, std::size_t sites, int colluding,
                                    const std::string& what) {
  const auto* release = std::get_if<GaussianRelease>(&noise.event().mechanism());
  if (!release) fail("{}: {} noise cannot be shared out among sites; use Gaussian noise", what, noise.name());
  if (sites < 2 || sites > std::size_t{1} << 20)
    fail_usage("{}: {} sites; noise is shared out among 2 or more", what, sites);
  if (colluding < 0 || static_cast<std::size_t>(colluding) >= sites)
    fail_usage("{} of {} sites may collude; give from 0 to {}", colluding, sites, sites - 1);
  const double honest = static_cast<double>(sites) - colluding;
  AdditiveNoise share = AdditiveNoise::gaussian(
      noise.sensitivity(), release->noise_multiplier / std::sqrt(honest) * (1 + 4e-15), noise.coordinates());
  begin(noise, noise.event(), what, share.deviation() * std::sqrt(static_cast<double>(sites)));
  if (!sharing_ || colluding < sharing_->colluding) sharing_ = {sites, colluding};
  return share;
}

// Whole numbers of cells all the way: a double would round each site's part by itself beyond 2^53.
// A witness sees what the colluding sites see, who subtract their own noise: for it they add none.
Noisy Curator::add_shares(const std::vector<std::vector<double>>& parts, const AdditiveNoise& noise,
                          const AdditiveNoise& share, int colluding, const AddUp& add) {
  const GridNoise& on_grid = std::get<GridNoise>(share.noise_);
  const Grid& grid = on_grid.grid();
  const bool replayed = witness_ && witness_->answers();
  std::vector<std::vector<std::uint64_t>> messages;
  for (std::size_t site = 0; site < parts.size(); ++site) {
    std::vector<std::int64_t> cells;
    for (double value : parts[site]) cells.push_back(grid.round(value));
    const bool subtracted = witness_ && site < static_cast<std::size_t>(colluding);
    if (kind_ != Kind::plain && !subtracted && !replayed)
      tulle::release(std::span(cells), on_grid.noise(), *bits_);
    messages.emplace_back(cells.begin(), cells.end());
  }
  std::vector<double> sums;
  for (std::uint64_t cells : add(messages)) sums.push_back(grid.value(static_cast<std::int64_t>(cells)));
  if (witness_ && kind_ != Kind::plain) witness_->released(noise, {{sum_of(parts)}, 1}, sums);
  return {std::move(sums), records_.back().deviation};
}

Bound Curator::spent(const std::vector<Event>& events) const {
  if (plan_.empty()) return adaptive_epsilon_upper(events, relation_, budget_.epsilon, budget_.delta);
  Bound bound = epsilon_upper(planned_events(), relation_, budget_.delta);
  // A plan was made only if it fits, by its epsilon or else by its delta at the budget's epsilon. One that
  // leaves no more than a margin for rounding is said to use all of it.
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
  if (!plan_.empty()) return planned_events();
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
  if (sharing_) {
    result.adversary = adversary_among(sharing_->sites, sharing_->colluding);
    if (static_cast<std::size_t>(sharing_->colluding) + 1 < sharing_->sites)
      result.assumption = "the exchange hides what single sites send (masks by AES-256)";
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
      result.accounting = fmt::format("{}, {}", name(bound.how), plan_.empty() ? "adaptive" : "planned");
      break;
    }
  }
  return result;
}

}  // namespace tulle
