// Attacks a subject with every attacker that applies, and derives a lower bound on epsilon from how often
// they are right.
//
// Part of the trials trains the attackers, another part chooses one of them with its threshold and bound, and
// the rest serves a single test that is fixed by then, so its bound holds with the stated confidence. Black
// box and white box are tested separately, each with half of the error probability.
#pragma once

#include <tulle/audit/subject.hpp>

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#pragma GCC visibility push(default)

namespace tulle {

struct AuditOptions {
  std::uint64_t trials = 20'000;
  double confidence = 0.999;
  std::uint64_t seed = 1;
};

// The best attack on one view of the runs.
struct Attack {
  std::string attacker;  // its name
  std::string bound;     // the bound that was used
  double epsilon = 0;    // the lower bound
  std::uint64_t trials = 0, guesses = 0, right = 0;
  std::vector<std::pair<double, double>> curve;  // (false, true) positive rates at all thresholds
};

// How many secrets were recovered exactly; each is one of `values` possible ones.
struct Recovery {
  int trials = 0, right = 0, values = 0;
};

enum class Verdict {
  consistent,  // no evidence against the claim
  violated,
  no_claim,
};

std::string_view name(Verdict verdict);

struct Finding {
  std::string canary;
  Guarantee guarantee;  // as stated by the run
  double claimed_epsilon = 0;
  double confidence = 0;
  std::uint64_t trials = 0;
  std::optional<Attack> black_box, white_box;
  std::optional<Recovery> recovery;   // of the value itself, if any output determines it
  std::optional<ExactFinding> exact;  // on the same two data sets

  double epsilon() const;  // the larger of the lower bounds
  Verdict verdict() const;
};

Finding audit(const Subject& subject, const AuditOptions& options);
Finding audit(const ManyCanaries& subject, const AuditOptions& options);

}  // namespace tulle

#pragma GCC visibility pop
