// How a budget is shared out among the releases of a run, and which of them were made.
#pragma once

#include <tulle/privacy/account/event.hpp>
#include <tulle/privacy/guarantee.hpp>
#include <tulle/privacy/unit.hpp>

#include <cstdint>
#include <string>
#include <vector>

namespace tulle {

// Gaussian releases of a plan: `count` of them, each on all units or on a Poisson sample of them at `rate`,
// which together have `share` of the budget.
struct GaussianStage {
  double share = 1;
  std::uint64_t count = 1;
  double rate = 1;
};

// Releases that use up a budget, and what noise is made for them with: the noise multiplier of every Gaussian
// stage, or the epsilon of every pure release.
struct SharedOut {
  std::vector<double> noise;
  std::vector<Event> releases;
};

// By mu^2. A stage gets the noise that its share pays for on its own; where sampling makes the whole differ
// from the sum of its parts, one common factor on all noise then makes the accountant's total meet the
// budget.
SharedOut share_out_gaussian(const std::vector<GaussianStage>& stages, const Budget& budget,
                             Relation relation);
// By epsilon. With a delta the releases get more than their share of the budget's epsilon, by optimal
// composition.
SharedOut share_out_pure(const std::vector<double>& shares, const Budget& budget, Relation relation);

// The releases that were named in advance. None: each is chosen on the way.
class ReleasePlan {
 public:
  ReleasePlan() = default;
  // An Error where the releases cost more than the budget.
  ReleasePlan(const std::vector<Event>& releases, const Budget& budget, Relation relation);

  bool empty() const { return entries_.empty(); }
  std::vector<Event> events() const;

  // The plan once this release is made. One that is pure on its own may also take the place of a planned pure
  // one that costs no less, or be a part of it: parts that are pure add up, however each was chosen. An Error
  // where it was not planned, or not so often; `what` is the release's name there.
  ReleasePlan after(const Event& release, Relation relation, const std::string& what) const;

 private:
  // How many of the releases were made, and the epsilon of the parts that were made of the next one.
  struct Entry {
    Event event;
    std::uint64_t made = 0;
    double begun = 0;
  };

  std::vector<Entry> entries_;
};

}  // namespace tulle
