// What a run guarantees about the data it used, computed from the record of its releases.
#pragma once

#include <tulle/privacy/account/event.hpp>
#include <tulle/privacy/sensitivity.hpp>
#include <tulle/privacy/unit.hpp>

#include <optional>
#include <string>
#include <vector>

#pragma GCC visibility push(default)

namespace tulle {

struct Budget {
  double epsilon = 0;
  double delta = 0;

  bool operator==(const Budget&) const = default;
};

// One line of a curator's record.
struct Record {
  std::string what;   // what was released, in the method's words
  std::string noise;  // the name of the noise
  Event event;        // what it costs
  double deviation;   // standard deviation of the noise on each coordinate
  std::uint64_t numbers;
  // Sensitivity that the noise was calibrated to. For releases in portions: the largest; none before the
  // first.
  std::optional<Sensitivity> sensitivity;
};

// Whom a guarantee protects and what it depends on: facts a curator cannot know, stated by its caller before
// the first release (Curator::set_scope).
struct Scope {
  std::string mode;  // unit user: the name of the mode whose positions are the users
  // Joint differential privacy: what is published contains no parameters of single users; each user's own row
  // is for that user alone.
  bool joint = false;
  std::vector<std::string> public_facts;  // facts taken as public: "which cells are observed", ..
  std::string adversary;                  // empty: anybody who sees the releases
  std::string assumption;  // what else must hold, such as a computational assumption; empty: nothing
  // For a warm start: the guarantee of the model that the run started from, or that it has none. Empty: no
  // warm start.
  std::string source;
};

struct Guarantee : Scope {
  enum class Status {
    proven,   // epsilon and delta hold
    claimed,  // a paper's claim, which is not proven: see `remark`
    none,     // nothing is promised
  };

  Status status = Status::none;
  Budget used;  // proven or claimed
  // Without a plan: what was spent of `used` so far. It depends on outcomes, so it is information, not a
  // guarantee.
  std::optional<Budget> spent;
  Unit unit = Unit::entry;
  Relation relation = Relation::replace;
  std::string accounting;     // how epsilon was computed
  bool reproducible = false;  // the noise came from a seed: anyone who knows it can subtract the noise
  std::string remark;         // why nothing is guaranteed, or why a claim is not proven
  std::vector<Record> releases;

  // Whether the releases may be kept beside the result. The seed of a reproducible run gives its noise, and
  // with it what was under the noise of each release.
  bool covers_releases() const { return status == Status::proven && !reproducible; }
};

// An epsilon or a delta with `digits` significant digits, rounded up.
std::string rounded_up(double cost, int digits = 6);

std::string sentence(const Guarantee& guarantee);  // one line for people
std::string to_json(const Guarantee& guarantee);

}  // namespace tulle

#pragma GCC visibility pop
