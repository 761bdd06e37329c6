// The one door that noise comes through. A method never draws noise and never computes an epsilon: it asks
// its curator for releases and hands on what it gets. The curator checks the budget before it looks at the
// data, draws the noise, and keeps the record from which the guarantee is computed.
//
// Two ways to spend:
// - planned: plan() names all releases in advance, from public facts. The tightest accountant applies.
// - adaptive (no plan): each release may depend on the outcomes before it, parameters and all. Then the
// budget is kept by a
//   filter that is proven for that: pure epsilons add up; Gaussian releases without sampling by GDP (Koskela,
//   Tobaben and Honkela 2023); everything else by Renyi divergence at one order fixed from the budget
//   (Feldman and Zrnic 2021).
// Stopping early is always allowed. Under a plan the guarantee is then that of the whole plan, since when to
// stop may have depended on the outcomes.
#pragma once

#include <tulle/privacy/account/accountant.hpp>
#include <tulle/privacy/account/sampling.hpp>
#include <tulle/privacy/additive_noise.hpp>
#include <tulle/privacy/guarantee.hpp>
#include <tulle/privacy/noise/random_bits.hpp>
#include <tulle/privacy/protected.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace tulle {

// What a paper says its algorithm guarantees, and why that is not proven.
struct PublishedClaim {
  std::string paper;
  Budget claim;
  std::string why_unproven;
};

// Units chosen by a curator's own coins, for one release.
class Batch {
 public:
  const std::vector<std::uint64_t>& units() const { return units_; }

 private:
  friend class Curator;
  Batch(PoissonSampling sampling, std::vector<std::uint64_t> units)
      : sampling_(sampling), units_(std::move(units)) {}

  PoissonSampling sampling_;
  std::vector<std::uint64_t> units_;
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

  // Names the releases to come. An Error when they do not fit into the budget, or when something was released
  // already.
  void plan(const std::vector<Event>& releases);

  // Runs the query on the data and adds noise. The query must return noise.coordinates() finite numbers, and
  // must move by no more than noise.sensitivity() between neighbours: that is the method's proof to make. An
  // Error, before the query runs, when the budget does not allow it.
  template <class T, class Query>
  Noisy release(const Protected<T>& data, const AdditiveNoise& noise, std::string what, Query&& query) {
    approve(noise, noise.event(), what);
    return add_noise(query(data.value_), noise, noise.event(), std::move(what));
  }

  // Each of the units 0 .. count-1 joins with the sampler's rate, by secret coins.
  Batch sample(const PoissonSampler& sampler, std::uint64_t count);

  // The same on a batch: the query is given the data and the units to sum over, and noise.sensitivity()
  // bounds what one unit adds. A batch serves one release: it is taken.
  template <class T, class Query>
  Noisy release(const Protected<T>& data, Batch batch, const AdditiveNoise& noise, std::string what,
                Query&& query) {
    const Event event = noise.event().sampled(batch.sampling_);
    approve(noise, event, what);
    return add_noise(query(data.value_, batch.units()), noise, event, std::move(what));
  }

  Guarantee guarantee() const;
  Budget left() const;  // epsilon that a further pure release could cost at most, at the budget's delta

 private:
  enum class Kind { budgeted, plain, published };

  Curator(Kind kind, const Budget& budget, Unit unit, Relation relation, std::optional<RandomBits> bits);

  void approve(const AdditiveNoise& noise, const Event& event, const std::string& what) const;
  void check_terms(const AdditiveNoise& noise, const std::string& what) const;
  void check_plan(const Event& event, const std::string& what) const;
  Noisy add_noise(std::vector<double> values, const AdditiveNoise& noise, const Event& event,
                  std::string what);
  Bound spent(const std::vector<Event>& events) const;  // of the budget, by the accountant that applies
  std::vector<Event> released_events() const;

  Kind kind_;
  Budget budget_;
  Unit unit_;
  Relation relation_;
  std::optional<RandomBits> bits_;  // none without privacy
  std::vector<Event> plan_;         // empty: adaptive
  std::optional<PublishedClaim> claim_;
  std::vector<Record> records_;
};

}  // namespace tulle
