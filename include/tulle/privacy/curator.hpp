// The one door that noise comes through. A method never draws noise and never computes an epsilon: it asks
// its curator for releases and hands on what it gets. The curator checks the budget, has the ledger charged
// and writes the record before it looks at the data; then it draws the noise. The guarantee is computed from
// the record, which counts a release even if its query fails.
//
// Two ways to spend:
// - planned: plan() names all releases in advance, from public facts. The tightest accountant applies. A
//   planned pure release may be made in parts that are pure and add up to it: those may be chosen on the way.
// - adaptive (no plan): each release may depend on the outcomes before it, parameters and all. Then the
//   budget is kept by a filter that is proven for that (account/filter.hpp); odometer() says what was spent.
// Stopping early is always allowed. Under a plan the guarantee is then that of the whole plan, since when to
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

// What a paper says its algorithm guarantees, and why that is not proven.
struct PublishedClaim {
  std::string paper;
  Budget claim;
  std::string why_unproven;

  bool operator==(const PublishedClaim&) const = default;
};

class Curator {
 public:
  // Keeps the budget. With seeded bits everything it makes is marked as reproducible, not private.
  static Curator with_budget(const Budget& budget, Unit unit, Relation relation,
                             RandomBits bits = RandomBits::secure());
  // Adds no noise and promises nothing: for plain runs through the same code.
  static Curator without_privacy();
  // Runs a paper's algorithm as printed. Noise is drawn, no budget is kept: what is promised is the paper's
  // claim, marked so.
  static Curator as_published(PublishedClaim claim, Unit unit, Relation relation,
                              RandomBits bits = RandomBits::secure());

  // Says whom the promise is about and what it rests on. Once, before the first release.
  void set_scope(Scope scope);
  // The method keeps each user's own row out of what is published: joint differential privacy. Said by the
  // method, before its first release.
  void set_joint();

  // Divides the budget among the stages of a run (plan.hpp), names their releases as the ones to come, and
  // answers with the noise of each: a noise multiplier, or the epsilon of each release. An Error when
  // something was released or planned already.
  std::vector<double> plan(const std::vector<Stage>& stages);
  // What plan() would answer, for a method that compares several plans. Without privacy it is all 1.
  std::vector<double> offer(const std::vector<Stage>& stages) const;
  // The same for one release beside stages that have an epsilon of their own, whichever noise it takes: all
  // that they leave of the budget, or `most_epsilon` of it.
  Allowance allowance(std::vector<Stage> beside = {},
                      double most_epsilon = std::numeric_limits<double>::infinity()) const;
  // Names releases whose noise was not asked for here. An Error when they do not fit into the budget.
  void plan(const std::vector<Event>& releases);

  // Runs the query on the data and adds noise. The query must return noise.coordinates() finite numbers on
  // any data, and must move by no more than noise.sensitivity() between neighbours: that is the method's
  // proof to make. An Error, before the query runs, when the budget does not allow it. Where the query
  // throws, or answers otherwise, the release was paid for and an Error of fixed text follows: the query's
  // own message could tell the data. (Without privacy it is passed on.)
  // At a site (join_sites) it is a sum over all sites of what their queries give.
  template <class T, class Query>
  Noisy release(const Protected<T>& data, const AdditiveNoise& noise, const std::string& what,
                Query&& query) {
    if (link_) return sum_over_sites(noise, what, [&] { return query(data.value_); });
    begin(noise, noise.event(), what, noise.deviation());
    return noised(answer(noise, what, [&] { return query(data.value_); }), noise, {});
  }

  // At a site: a release of the site's own data, which has all of the noise by itself and so holds against
  // all other sites together. Without sites it is a release like any other.
  template <class T, class Query>
  Noisy release_alone(const Protected<T>& data, const AdditiveNoise& noise, const std::string& what,
                      Query&& query) {
    begin_alone(noise, what);
    return noised_here(answer(noise, what, [&] { return query(data.value_); }), noise, {});
  }
  // Gives all other sites what this one hands out, which must be made of public facts and releases alone, and
  // answers with what every site hands out, by site: without sites, with what is given.
  using Bytes = std::vector<std::uint8_t>;
  std::vector<Bytes> hand_out(const Bytes& own) const;

  // Each of the units 0 .. count-1 joins with the sampler's rate, by secret coins.
  Batch sample(const PoissonSampler& sampler, std::uint64_t count);
  // The same where the number of units is private.
  Batch sample(const PoissonSampler& sampler, const Protected<std::uint64_t>& count) {
    return sample(sampler, count.value_);
  }

  // The same on a batch: the query is given the data and the units to sum over, and noise.sensitivity()
  // bounds what one unit adds.
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

  // Something computed from the data and a batch: as protected as they are.
  template <class T, class Function>
  auto map(const Protected<T>& data, Batch batch, Function&& function) const {
    check_own(batch.maker_, "batch");
    using Result = std::decay_t<decltype(function(data.value_, batch.units_))>;
    return Protected<Result>(function(data.value_, batch.units_));
  }

  // Something computed from the data with random numbers that stay with them, such as noise on what is not
  // released: as protected as the data. The seed is secret, and another one at every site.
  template <class T, class Function>
  auto map_with_seed(const Protected<T>& data, Function&& function) {
    using Result = std::decay_t<decltype(function(data.value_, std::uint64_t{}))>;
    return Protected<Result>(function(data.value_, secret_word()));
  }

  // Opens a release of `units` numbers in portions, each at the cost of `noise`.
  Portions in_portions(const AdditiveNoise& noise, std::uint64_t units, std::string what);
  // Makes a portion of it. The query is given the data and a unit, one after the other, and answers with a
  // number that depends on that unit alone. An Error where a unit was released before, or where the noise
  // costs other than what the portions were opened for.
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

  // Data that lie at several sites, which trust nobody with a sum of their own: each site's query has noise
  // before it leaves, so much that the sum of all has what `noise` says (shared_noise.hpp).
  // `add` adds vectors of whole numbers modulo 2^64 and must show nobody the summands, as an exchange does.
  // The promise holds against up to `colluding` sites, from 0 to all but one, that put together what they
  // know: the noise of the others alone has the variance that `noise` says, so all together have sites /
  // (sites - colluding) times that. 0 protects against outsiders only, since a site can subtract its own
  // noise. The guarantee says which. Gaussian noise only.
  using AddUp = std::function<std::vector<std::uint64_t>(const std::vector<std::vector<std::uint64_t>>&)>;
  template <class T, class Query>
  Noisy release_shared(const std::vector<Protected<T>>& sites, const AdditiveNoise& noise, int colluding,
                       const std::string& what, Query&& query, const AddUp& add) {
    const SharedNoise shares(noise, {.sites = sites.size(), .colluding = colluding}, what);
    begin_shared(noise, shares, what);
    std::vector<std::vector<double>> answers;
    for (const Protected<T>& site : sites)
      answers.push_back(answer(noise, what, [&] { return query(site.value_); }));
    return add_shares(answers, noise, shares, add);
  }

  // Makes this the curator of one of several sites, which all run the same program, each with a curator and
  // data of its own: before the first release. `sum` adds up what all sites give it, modulo 2^64, and must
  // show nobody the summands; it answers with how many sites are in the sum, `sharing.fewest` at least. A
  // release is then the sum over all sites, and the noise of each site such that the promise holds as for
  // release_shared. Neighbours differ in the data of `sharing.overlap` sites. Gaussian noise only. A batch is
  // of the site's own units; there are no portions.
  struct SiteTotal {
    std::vector<std::uint64_t> values;
    std::size_t sites = 0;
  };
  struct SiteLink {
    SharingSites sharing;
    std::function<SiteTotal(const std::vector<std::uint64_t>&)> sum;
    int site = 0;  // which of them this is
    std::function<std::vector<Bytes>(const Bytes&)> hand_out = {};
  };
  void join_sites(SiteLink link);
  bool at_site() const { return link_.has_value(); }
  int site() const { return link_ ? link_->site : 0; }

  // Under a plan, what the plan costs; without one the whole budget, since what was spent, and whether more
  // will be, depends on outcomes.
  Guarantee guarantee() const;
  Budget left() const;  // epsilon that a further pure release could cost at most, at the budget's delta
  // What was spent by now: the bound of the privacy loss that holds at all moments at once, with the
  // probability 1 - delta of the budget (account/filter.hpp says what that is worth). Infinite where the
  // budget has no delta and a release is not pure.
  Budget odometer() const;

  Unit unit() const { return unit_; }
  Relation relation() const { return relation_; }
  const Scope& scope() const { return scope_; }
  const std::optional<PublishedClaim>& claim() const { return claim_; }
  bool published() const { return kind_ == Kind::published; }  // claims what a paper claims, proves nothing
  bool reproducible() const { return bits_ && bits_->reproducible(); }
  // Called after the plan and before the first release looks at the data: where a ledger is charged. What it
  // throws stops the release, and it is called again before the next one: nothing is released until it has
  // returned.
  void before_first_release(std::function<void(const Curator&)> pay) { pay_ = std::move(pay); }
  // What a ledger is to be charged before the first release: the plan; without one, the whole budget, which
  // must then be pure. An Error where nothing is proven.
  std::vector<Event> dues() const;

 private:
  friend class AuditedCurator;  // of the audit room: the only one who can name a witness
  enum class Kind { budgeted, plain, published };

  Curator(Kind kind, const Budget& budget, Unit unit, Relation relation, std::optional<RandomBits> bits);

  void check_usable() const;
  void check_own(const Maker& mark, const char* thing) const;
  std::uint64_t secret_word();
  // All that comes before a query: checks, payment, the record.
  void begin(const AdditiveNoise& noise, const Event& event, const std::string& what, double deviation);
  void begin_alone(const AdditiveNoise& noise, const std::string& what);
  void enter(const AdditiveNoise& noise, const Event& event, const std::string& what, double deviation);
  std::vector<double> answer(const AdditiveNoise& noise, const std::string& what,
                             const std::function<std::vector<double>()>& query) const;
  void approve(const AdditiveNoise& noise, const Event& event, const std::string& what);
  void check_affordable(const AdditiveNoise& noise, const Event& event, const std::string& what);
  void check_terms(const AdditiveNoise& noise, const std::string& what) const;
  void record(const Event& event, Record record);
  Noisy noised(std::vector<double> values, const AdditiveNoise& noise, Witness::ExactAnswers exact);
  Noisy noised_here(std::vector<double> values, const AdditiveNoise& noise, Witness::ExactAnswers exact);
  Noisy seen(Noisy released, const AdditiveNoise& noise, Witness::ExactAnswers& exact);
  bool draws_noise() const { return kind_ != Kind::plain && !(witness_ && witness_->answers()); }
  void take(Portions& portions, std::span<const std::uint64_t> units, const AdditiveNoise& noise);
  Witness::ExactAnswers exact_answers_of(
      const Batch& batch,
      const std::function<std::vector<double>(const std::vector<std::uint64_t>&)>& query) const;
  void begin_shared(const AdditiveNoise& noise, const SharedNoise& shares, const std::string& what);
  Noisy add_shares(const std::vector<std::vector<double>>& answers, const AdditiveNoise& noise,
                   const SharedNoise& shares, const AddUp& add);
  Noisy sum_over_sites(const AdditiveNoise& noise, const std::string& what,
                       const std::function<std::vector<double>()>& query);
  void refuse_at_site(const char* what) const;
  // At how many sites a unit changes the sum that is released.
  std::uint64_t overlap() const { return link_ ? static_cast<std::uint64_t>(link_->sharing.overlap) : 1; }
  std::vector<Stage> with_overlap(std::vector<Stage> stages) const;
  Bound spent(const std::vector<Event>& events) const;  // of the budget, by the accountant that applies

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
  std::optional<SharedNoise> shared_;  // that of the releases which holds against the fewest sites
  std::optional<SiteLink> link_;       // to the other sites
  bool alone_ = false;                 // what was released is this site's own
  std::vector<Record> records_;
  std::vector<Event> released_;  // the same ones joined
  std::function<void(const Curator&)> pay_;
  // What AuditedCurator gives to every curator that is made, where a whole command is audited.
  static inline Witness* witness_of_all_ = nullptr;
  Witness* witness_ = witness_of_all_;
};

}  // namespace tulle

#pragma GCC visibility pop
