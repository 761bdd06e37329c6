// What a run promises about the data it used, computed from the record of its releases.
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
  double deviation;   // standard deviation of the noise on each number
  std::uint64_t numbers;
  // Sensitivity that the noise was calibrated to. Of releases on disjoint batches, the largest; none before
  // the first of them.
  std::optional<Sensitivity> sensitivity;
};

// Whom a guarantee protects and what it depends on: what a curator cannot know by itself, stated by its
// caller before the first release (Curator::set_scope).
struct Scope {
  std::string mode;  // unit user: the name of the mode whose positions are the users
  // Joint differential privacy: what is published contains no parameters of single users; each user's own row
  // is for that user alone.
  bool joint = false;
  std::vector<std::string> public_facts;  // what is taken as public: "which cells are observed", ..
  std::string adversary;                  // empty: anybody who sees the releases
  std::string assumption;                 // what else must hold, such as a computational one; empty: nothing
  // Of a warm start: the guarantee of the model that the run was started from, or that it has none. Empty:
  // the run was started from nothing.
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
  // Without a plan: what was spent of `used` by now. It depends on outcomes, so it is information, not a
  // promise.
  std::optional<Budget> spent;
  Unit unit = Unit::entry;
  Relation relation = Relation::replace;
  std::string accounting;     // how epsilon was computed
  bool reproducible = false;  // the noise came from a seed: anyone who knows it can subtract the noise
  std::string remark;         // why nothing is promised, or why a claim is not proven
  std::vector<Record> releases;
};

// An epsilon or a delta in so many digits, rounded up.
std::string rounded_up(double cost, int digits = 6);

std::string sentence(const Guarantee& guarantee);  // one line for people
std::string to_json(const Guarantee& guarantee);

}  // namespace tulle

#pragma GCC visibility pop
