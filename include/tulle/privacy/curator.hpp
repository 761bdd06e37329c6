// The one door that noise comes through. A method never draws noise and never computes an epsilon: it asks
// its curator for releases and passes on what it gets. The curator checks the budget, has the ledger charged
// and writes the record before it looks at the data; then it draws the noise. The guarantee is computed from
// the record, which counts a release even if its query fails.
//
// Two ways to spend the budget:
// - planned: plan() names all releases in advance, from public facts. The tightest accountant applies. A
//   planned pure release may be made in pure parts that add up to it, chosen during the run.
// - adaptive (no plan): each release and its parameters may depend on earlier outcomes. A filter proven for
//   that keeps the budget (account/filter.hpp); odometer() bounds what was spent.
// Stopping early is always allowed. Under a plan the guarantee is still that of the whole plan, since when to
// stop may have depended on the outcomes.
//
//   Curator curator = Curator::with_budget({1, 1e-6}, Unit::user, Relation::add_remove);
//   // 10 % of mu^2 for the biases, the rest for three sweeps; stages may also be sampled, or pure:
//   const auto noise = curator.plan({{.share = 0.1}, {.share = 0.3, .count = 3}});
//   const auto clip = Sensitivity::l2(1, Unit::user, Relation::add_remove);
//   const auto for_biases = AdditiveNoise::gaussian(clip, noise[0], length);
//   const Noisy biases = curator.release(data, for_biases, "biases", query);
//   // a sampled step:   curator.release(data, curator.sample(PoissonSampler(0.01), users), ..)
//   const std::uint64_t charge = ledger.charge("ratings", curator, "biases and sweeps");  // before it all
//   fmt::print("{}\n", sentence(curator.guarantee()));
#pragma once

#include <tulle/privacy/account/accountant.hpp>
#include <tulle/privacy/account/sampling.hpp>
#include <tulle/privacy/additive_noise.hpp>
#include <tulle/privacy/batch.hpp>
#include <tulle/privacy/guarantee.hpp>
#include <tulle/privacy/noise/random_bits.hpp>
#include <tulle/privacy/plan.hpp>
#include <tulle/privacy/protected.hpp>
#include <tulle/privacy/shared_noise.hpp>
#include <tulle/privacy/witness.hpp>

#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

#pragma GCC visibility push(default)

namespace tulle {

// What a paper claims its algorithm guarantees, and why that is not proven.
struct PublishedClaim {
  std::string paper;
  Budget claim;
  std::string why_unproven;

  bool operator==(const PublishedClaim&) const = default;
};

// Values that reached a threshold after noise was added to all.
struct NoisyAbove {
  ListedValues above;
  double deviation = 0;  // standard deviation of the noise on each value, released or not
};

// Thrown by a curator that rehearses: the guarantee, with a record of all that was planned.
struct Rehearsed {
  Guarantee guarantee;
};

class Curator {
 public:
  // Keeps the budget. With seeded bits, all results are marked as reproducible and therefore not private.
  static Curator with_budget(const Budget& budget, Unit unit, Relation relation,
                             RandomBits bits = RandomBits::secure());
  // Adds no noise and guarantees nothing: for plain runs through the same code.
  static Curator without_privacy();
  // Runs a paper's algorithm as published. Noise is drawn and no budget is kept; the guarantee is the paper's
  // claim, marked as such.
  static Curator as_published(PublishedClaim claim, Unit unit, Relation relation,
                              RandomBits bits = RandomBits::secure());

  // States whom the guarantee protects and what it rests on. Called once, before the first release.
  void set_scope(Scope scope);
  // States that the method keeps each user's own row out of what is published: joint differential privacy.
  // Called by the method, before its first release.
  void set_joint();

  // From now on this curator runs no query: every answer is zeros, without noise. When all that it planned is
  // on its record, it throws Rehearsed. Called before the first release.
  void rehearse();

  // Divides the budget among the stages of a run (plan.hpp), plans their releases, and returns the noise of
  // each stage: a noise multiplier, or the epsilon of each release. An Error if something was released or
  // planned before.
  std::vector<double> plan(const std::vector<Stage>& stages);
  // What plan() would return, for a method that compares several plans. Without privacy all values are 1.
  std::vector<double> offer(const std::vector<Stage>& stages) const;
  // The same for one release of either noise, beside stages with an epsilon of their own: everything that
  // they leave of the budget, but at most `most_epsilon`.
  Allowance allowance(std::vector<Stage> beside = {},
                      double most_epsilon = std::numeric_limits<double>::infinity()) const;
  // Plans releases whose noise was chosen elsewhere. An Error if they exceed the budget.
  void plan(const std::vector<Event>& releases);

  // Runs the query on the data and adds noise. The query must return noise.coordinates() finite values on any
  // data, and they must change by at most noise.sensitivity() between neighbours: the method must prove that.
  // An Error, before the query runs, if the budget does not allow the release. If the query throws or returns
  // anything else, the release counts as paid for, and the Error has a fixed text: the query's own message
  // could reveal the data. (Without privacy it is passed on.) At a site (join_sites) the release is the sum
  // over all sites of their queries' answers.
  template <class T, class Query>
  Noisy release(const Protected<T>& data, const AdditiveNoise& noise, const std::string& what,
                Query&& query) {
    if (link_) return sum_over_sites(noise, what, [&] { return query(data.value_); });
    begin(noise, noise.event(), what, noise.deviation());
    return noised(answer(noise, what, [&] { return query(data.value_); }), noise, {});
  }

  // The same for a huge table of which nearly all values are 0: the query lists the others. Noise is added to
  // all noise.coordinates() values, and those that reach the threshold of the noise are released.
  template <class T, class Query>
  NoisyAbove release_above(const Protected<T>& data, const AdditiveNoise& noise, const std::string& what,
                           Query&& query) {
    refuse_at_site("a release above a threshold");
    begin(noise, noise.event(), what, noise.deviation());
    return noised_above(listed_answer(noise, what, [&] { return query(data.value_); }), noise);
  }

  // At a site: a release of this site's own data with all of the noise, so it holds against all other sites
  // together. Without sites, the same as release().
  template <class T, class Query>
  Noisy release_alone(const Protected<T>& data, const AdditiveNoise& noise, const std::string& what,
                      Query&& query) {
    begin_alone(noise, what);
    return noised_here(answer(noise, what, [&] { return query(data.value_); }), noise, {});
  }
  // A choice of keys, of which there are a private number (AdditiveNoise::key_selection). The query gives of
  // every key how many units have it. Returns the numbers of those that are shown, ascending: no unit may
  // change the order of keys. In one place.
  template <class T, class Query>
  std::vector<std::uint64_t> choose_keys(const Protected<T>& data, const AdditiveNoise& noise,
                                         const std::string& what, Query&& query) {
    refuse_at_site("a choice of keys");
    begin(noise, noise.event(), what, noise.deviation());
    return shown(noised_here(answer(noise, what, [&] { return query(data.value_); }), noise, {}));
  }
  // Sends `own` to all other sites and returns what every site sent, by site; without sites, `own` alone. It
  // must consist of public facts and releases.
  using Bytes = std::vector<std::uint8_t>;
  std::vector<Bytes> hand_out(const Bytes& own) const;

  // Samples each of the units 0 .. count-1 with the sampler's rate, by secret coins.
  Batch sample(const PoissonSampler& sampler, std::uint64_t count);
  // The same with a private number of units.
  Batch sample(const PoissonSampler& sampler, const Protected<std::uint64_t>& count) {
    return sample(sampler, count.value_);
  }

  // The same on a batch: the query gets the data and the units to sum over, and noise.sensitivity() bounds
  // what one unit adds.
  template <class T, class Query>
  Noisy release(const Protected<T>& data, Batch batch, const AdditiveNoise& noise, const std::string& what,
                Query&& query) {
    check_own(batch.maker_, "batch");
    const Event event =
        noise.event().sampled(batch.sampling_.for_group(noise.sensitivity().group() * overlap()));
    begin(noise, event, what, noise.deviation());
    const auto on = [&](const std::vector<std::uint64_t>& units) {
      return answer(noise, what, [&] { return query(data.value_, units); });
    };
    Witness::ExactAnswers exact;
    if (witness_) exact = exact_answers_of(batch, on);
    return noised(on(batch.units_), noise, std::move(exact));
  }

  // A value computed from the data and a batch, as protected as they are.
  template <class T, class Function>
  auto map(const Protected<T>& data, Batch batch, Function&& function) const {
    check_own(batch.maker_, "batch");
    using Result = std::decay_t<decltype(function(data.value_, batch.units_))>;
    return Protected<Result>(function(data.value_, batch.units_));
  }

  // A value computed from the data with random numbers that stay private, such as noise on what is not
  // released; as protected as the data. The seed is secret, and different at every site.
  template <class T, class Function>
  auto map_with_seed(const Protected<T>& data, Function&& function) {
    using Result = std::decay_t<decltype(function(data.value_, std::uint64_t{}))>;
    return Protected<Result>(function(data.value_, secret_word()));
  }

  // Opens a release of `units` values in portions, each at the cost of `noise`.
  Portions in_portions(const AdditiveNoise& noise, std::uint64_t units, std::string what);
  // Makes one of the portions. The query gets the data and one unit at a time, and returns a value that
  // depends on that unit alone. An Error if a unit was released before, or if the cost of the noise differs
  // from that of the opening call.
  template <class T, class Query>
  Noisy release(const Protected<T>& data, Portions& portions, std::span<const std::uint64_t> units,
                const AdditiveNoise& noise, Query&& query) {
    take(portions, units, noise);
    const auto all = [&] {
      std::vector<double> values;
      values.reserve(units.size());
      for (std::uint64_t unit : units) values.push_back(query(data.value_, unit));
      return values;
    };
    return noised(answer(noise, records_[portions.record_].what, all), noise, {});
  }

  // Makes this the curator of one of several sites, none of which is trusted with a sum of theirs, and which
  // all run the same program, each with its own curator and data. Called before the first release. `sum` adds
  // up what all sites give it, modulo 2^64, and must show nobody the summands; it also returns the number of
  // sites in the sum, at least `sharing.fewest`. A release is then the sum over all sites: each site adds
  // noise to its own answer before sending it (shared_noise.hpp). The guarantee holds against up to
  // `sharing.colluding` sites that pool their knowledge: the noise of the others alone has the variance that
  // `noise` states. 0 protects against outsiders only, since a site can subtract its own noise. The guarantee
  // names the adversary. Neighbours differ in the data of `sharing.overlap` sites. Gaussian noise only. A
  // batch consists of the site's own units; there are no portions.
  struct SiteTotal {
    std::vector<std::uint64_t> values;
    std::size_t sites = 0;
  };
  struct SiteLink {
    SharingSites sharing;
    std::function<SiteTotal(const std::vector<std::uint64_t>&)> sum;
    int site = 0;  // index of this site
    std::function<std::vector<Bytes>(const Bytes&)> hand_out = {};
  };
  void join_sites(SiteLink link);
  bool at_site() const { return link_.has_value(); }
  int site() const { return link_ ? link_->site : 0; }

  // Under a plan, the cost of the plan; without one, the whole budget, since what was spent, and whether more
  // will be, depends on outcomes.
  Guarantee guarantee() const;
  Budget left() const;  // the largest epsilon that one more pure release could cost, at the budget's delta
  // A bound on the privacy loss so far that holds at all times at once, with probability 1 - delta of the
  // budget (account/filter.hpp explains what that guarantees). Infinite if the budget has no delta and a
  // release is not pure.
  Budget odometer() const;

  // What the record says of the release that was made last, or of one in portions.
  const Record& newest() const { return records_.back(); }
  const Record& record_of(const Portions& portions) const { return records_[portions.record_]; }

  Unit unit() const { return unit_; }
  Relation relation() const { return relation_; }
  const Scope& scope() const { return scope_; }
  const std::optional<PublishedClaim>& claim() const { return claim_; }
  bool is_private() const { return kind_ != Kind::plain; }     // whether releases have noise
  bool published() const { return kind_ == Kind::published; }  // claims what a paper claims, proves nothing
  bool reproducible() const { return bits_ && bits_->reproducible(); }
  // Called after the plan and before the first release looks at the data, to charge a ledger. If it throws,
  // the release stops and the next one calls it again: nothing is released until it has returned.
  void before_first_release(std::function<void(const Curator&)> pay) { pay_ = std::move(pay); }
  // What a ledger must be charged before the first release: the plan or, without one, the whole budget, which
  // must then be pure. An Error if nothing is proven.
  std::vector<Event> dues() const;

 private:
  friend class AuditedCurator;  // of the audit room: only it can set a witness
  enum class Kind { budgeted, plain, published };

  Curator(Kind kind, const Budget& budget, Unit unit, Relation relation, std::optional<RandomBits> bits);

  void check_usable() const;
  void check_own(const Maker& mark, const char* thing) const;
  std::uint64_t secret_word();
  // Everything before a query: checks, payment, the record.
  void begin(const AdditiveNoise& noise, const Event& event, const std::string& what, double deviation);
  void begin_alone(const AdditiveNoise& noise, const std::string& what);
  void enter(const AdditiveNoise& noise, const Event& event, const std::string& what, double deviation);
  std::vector<double> answer(const AdditiveNoise& noise, const std::string& what,
                             const std::function<std::vector<double>()>& query) const;
  ListedValues listed_answer(const AdditiveNoise& noise, const std::string& what,
                             const std::function<ListedValues()>& query) const;
  NoisyAbove noised_above(ListedValues values, const AdditiveNoise& noise);
  void approve(const AdditiveNoise& noise, const Event& event, const std::string& what);
  void check_affordable(const AdditiveNoise& noise, const Event& event, const std::string& what);
  void check_terms(const AdditiveNoise& noise, const std::string& what) const;
  void record(const Event& event, Record record);
  Noisy noised(std::vector<double> values, const AdditiveNoise& noise, Witness::ExactAnswers exact);
  Noisy noised_here(std::vector<double> values, const AdditiveNoise& noise, Witness::ExactAnswers exact);
  std::vector<std::uint64_t> shown(const Noisy& keys);
  Noisy seen(Noisy released, const AdditiveNoise& noise, Witness::ExactAnswers& exact);
  bool draws_noise() const {
    return kind_ != Kind::plain && !rehearsal_ && !(witness_ && witness_->answers());
  }
  void take(Portions& portions, std::span<const std::uint64_t> units, const AdditiveNoise& noise);
  Witness::ExactAnswers exact_answers_of(
      const Batch& batch,
      const std::function<std::vector<double>(const std::vector<std::uint64_t>&)>& query) const;
  Noisy sum_over_sites(const AdditiveNoise& noise, const std::string& what,
                       const std::function<std::vector<double>()>& query);
  void refuse_at_site(const char* what) const;
  // The number of sites at which a unit changes the released sum.
  std::uint64_t overlap() const { return link_ ? static_cast<std::uint64_t>(link_->sharing.overlap) : 1; }
  std::vector<Stage> with_overlap(std::vector<Stage> stages) const;
  Bound spent(const std::vector<Event>& events) const;  // their cost, by the accountant that applies

  Maker maker_ = Maker::next();
  Kind kind_;
  Budget budget_;
  Unit unit_;
  Relation relation_;
  std::optional<RandomBits> bits_;  // none without privacy
  ReleasePlan plan_;                // empty: adaptive
  std::optional<PublishedClaim> claim_;
  Scope scope_;
  bool scope_is_set_ = false;
  std::optional<SiteLink> link_;       // to the other sites
  std::optional<SharedNoise> shared_;  // of a release that is a sum over them
  bool alone_ = false;                 // whether a site's own data were released with all of the noise
  std::vector<Record> records_;
  std::vector<Event> released_;  // equal releases are joined
  std::function<void(const Curator&)> pay_;
  struct Rehearsal {
    std::uint64_t open_units = 0;  // of releases in portions
  };
  std::optional<Rehearsal> rehearsal_;
  // The witness of every new curator, set by AuditedCurator to audit a whole command.
  static inline Witness* witness_of_all_ = nullptr;
  Witness* witness_ = witness_of_all_;
};

}  // namespace tulle

#pragma GCC visibility pop
