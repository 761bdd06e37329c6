// What a run promises about the data it used, computed from the record of its releases.
#pragma once

#include <tulle/privacy/account/event.hpp>
#include <tulle/privacy/unit.hpp>

#include <string>
#include <vector>

namespace tulle {

struct Budget {
  double epsilon = 0;
  double delta = 0;
};

// One line of a curator's record.
struct Record {
  std::string what;   // what was released, in the method's words
  std::string noise;  // the name of the noise
  Event event;        // what it costs
  double deviation;   // standard deviation of the noise on each number
  std::uint64_t numbers;
};

struct Guarantee {
  enum class Status {
    proven,   // epsilon and delta hold
    claimed,  // a paper's claim, which is not proven: see `remark`
    none,     // nothing is promised
  };

  Status status = Status::none;
  Budget used;  // proven or claimed
  Unit unit = Unit::entry;
  Relation relation = Relation::replace;
  std::string accounting;     // how epsilon was computed
  bool reproducible = false;  // the noise came from a known seed: whoever knows it can subtract the noise
  std::string remark;         // why nothing is promised, or why a claim is not proven
  std::vector<Record> releases;
};

std::string sentence(const Guarantee& guarantee);  // one line for people
std::string to_json(const Guarantee& guarantee);

}  // namespace tulle
