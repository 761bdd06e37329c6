// How a budget is shared out among the releases of a run, and which of them were made.
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

// What the noise of a release is calibrated by, and what the accountant knows of its privacy loss.
enum class Loss {
  gaussian,  // a noise multiplier
  laplace,   // an epsilon; the loss is that of Laplace noise on one coordinate
  pure,      // an epsilon, which is all that is known
};

Loss loss_of(const AdditiveNoise& noise);

// Releases of a run that are alike, and what each of them gets of the budget: an epsilon that accuracy asks
// for, or a share of what those leave. Shares add up to 1 at most. Pure stages get that share of epsilon; the
// Gaussian ones together get theirs, with all of delta, and divide it by mu^2 (GDP).
struct Stage {
  Loss loss = Loss::gaussian;
  double share = 1;                                               // of each release
  std::uint64_t count = 1;                                        // releases
  std::optional<PoissonSampling> sampling = {};                   // of the units; Gaussian releases only
  std::optional<double> epsilon = {};                             // of each release, instead of a share
  double most_epsilon = std::numeric_limits<double>::infinity();  // that is taken of a share
  std::uint64_t group = 1;  // coins of a unit in a sample: where its data are at several sites, one at each
  bool in_parts = false;    // pure: made in parts chosen on the way; the plan leaves room for their rounding
};

// Releases of all stages, and what noise is made for them with: the noise multiplier of each Gaussian stage,
// the epsilon of each release of the others.
struct SharedOut {
  std::vector<double> noise;
  std::vector<Event> releases;
};

// The one way to divide a budget. It divides 1e-10 less than all of it (margin.hpp). Where sampling makes the
// whole cost other than the sum of its parts, one common factor on all Gaussian noise makes the accountant's
// total meet the budget.
SharedOut share_out(const std::vector<Stage>& stages, const Budget& budget, Relation relation);

// What one release may have, whichever noise it takes.
struct Allowance {
  double epsilon;
  std::optional<double> noise_multiplier = {};  // none without a delta
};

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

#pragma GCC visibility pop
