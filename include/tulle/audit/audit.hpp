// Attacks a subject with every attacker that applies, and bounds epsilon from below by how often they are
// right.
//
// Part of the trials teaches the attackers, another part picks one of them, its threshold and the bound to
// use, and the rest is for one test that is fixed by then, so that its bound holds with the stated
// confidence. Black box and white box are tested separately, each with half of the error probability.
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
  std::vector<std::pair<double, double>> curve;  // false and true positive rates, of all thresholds
};

// How many secrets were recovered exactly, each one of `values` possible ones.
struct Recovery {
  int trials = 0, right = 0, values = 0;
};

enum class Verdict {
  consistent,  // nothing says that the claim is wrong
  violated,
  no_claim,
};

std::string_view name(Verdict verdict);

struct Finding {
  std::string canary;
  Guarantee guarantee;  // what the run says of itself
  double claimed_epsilon = 0;
  double confidence = 0;
  std::uint64_t trials = 0;
  std::optional<Attack> black_box, white_box;
  std::optional<Recovery> recovery;   // of the value itself, where that succeeds
  std::optional<ExactFinding> exact;  // of the same two data sets

  double epsilon() const;  // the larger of the lower bounds
  Verdict verdict() const;
};

Finding audit(const Subject& subject, const AuditOptions& options);
Finding audit(const ManyCanaries& subject, const AuditOptions& options);

}  // namespace tulle

#pragma GCC visibility pop
