// How a budget is divided among the releases of a run, and which of them were made.
#pragma once

#include <tulle/privacy/account/event.hpp>
#include <tulle/privacy/additive_noise.hpp>
#include <tulle/privacy/guarantee.hpp>
#include <tulle/privacy/unit.hpp>

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#pragma GCC visibility push(default)

namespace tulle {

// The parameter that calibrates the noise of a release, and what the accountant knows of its privacy loss.
enum class Loss {
  gaussian,  // a noise multiplier
  laplace,   // an epsilon; the loss is that of Laplace noise on one coordinate
  pure,      // an epsilon; nothing else is known of the loss
};

Loss loss_of(const AdditiveNoise& noise);

// Equal releases of a run, and what each of them gets of the budget: an epsilon, set by the accuracy needed,
// or a share of what those epsilons leave. Shares add up to at most 1. Pure stages get that share of epsilon;
// the Gaussian ones together get theirs, with all of delta, and divide it by mu^2 (GDP).
struct Stage {
  Loss loss = Loss::gaussian;
  double share = 1;                                               // of each release
  std::uint64_t count = 1;                                        // releases
  std::optional<PoissonSampling> sampling = {};                   // of the units; Gaussian releases only
  std::optional<double> epsilon = {};                             // of each release, instead of a share
  double most_epsilon = std::numeric_limits<double>::infinity();  // limit of the epsilon from a share
  std::uint64_t group = 1;  // coins of a unit in a sample: one per site, if several sites have its data
  bool in_parts = false;    // pure: made in parts chosen on the way; the plan leaves room for their rounding
};

// Releases of all stages, and the noise of each stage: a noise multiplier if Gaussian, else the epsilon of
// each release.
struct SharedOut {
  std::vector<double> noise;
  std::vector<Event> releases;
};

// Divides a budget, less 1e-10 of it (margin.hpp). If sampling makes the total cost differ from the sum of
// its parts, one common factor on all Gaussian noise makes the accountant's total meet the budget.
SharedOut share_out(const std::vector<Stage>& stages, const Budget& budget, Relation relation);

// What one release may spend, whichever noise it takes.
struct Allowance {
  double epsilon;
  std::optional<double> noise_multiplier = {};  // none if delta is 0
};

// The releases planned in advance. Empty: each release is chosen during the run.
class ReleasePlan {
 public:
  ReleasePlan() = default;
  // An Error if the releases cost more than the budget.
  ReleasePlan(const std::vector<Event>& releases, const Budget& budget, Relation relation);

  bool empty() const { return entries_.empty(); }
  std::vector<Event> events() const;

  // The plan after this release. A release that is pure on its own may also replace a planned pure one that
  // costs no less, or be a part of it: pure parts add up, however each was chosen. An Error, naming the
  // release `what`, if it was not planned, or not so often.
  ReleasePlan after(const Event& release, Relation relation, const std::string& what) const;

 private:
  // The number of releases made, and the epsilon of the parts made of the next one.
  struct Entry {
    Event event;
    std::uint64_t made = 0;
    double begun = 0;
  };

  std::vector<Entry> entries_;
};

}  // namespace tulle

#pragma GCC visibility pop
