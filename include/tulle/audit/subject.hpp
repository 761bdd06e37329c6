// The subject of an audit: something that runs on one of two neighbouring data sets, and its claim.
#pragma once

#include <tulle/audit/exact.hpp>
#include <tulle/privacy/guarantee.hpp>
#include <tulle/privacy/noise/random_bits.hpp>

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#pragma GCC visibility push(default)

namespace tulle {

// What an attacker sees of one run.
struct Observation {
  std::vector<double> output;       // black box: everything published
  std::vector<double> releases;     // white box: all that left the curator, and the coins of the other units
  std::optional<double> log_ratio;  // ln P(releases | second data set) / P(releases | first), if known
};

struct Subject {
  std::string canary;          // how the two data sets differ, in one line
  bool graded = false;         // the secret may be anything from 0 to 1, not only these two
  double claimed_epsilon = 0;  // 0: nothing is claimed
  // The guarantee of a run, from the curator's record.
  std::function<Guarantee()> account;
  // Runs on the first data set (secret 0) or the second (1), with noise from `bits`. Called by several
  // threads at a time.
  std::function<Observation(double secret, RandomBits& bits)> run;
  // The same two data sets, for the exact audit.
  std::optional<NeighbouringPair> pair = {};
};

// A completion job on two neighbouring tensors, with a method of the library or of the user. For releases on
// all units, not on samples of them.
Subject completion_subject(const CompletionJob& job, SparseTensor first, SparseTensor second,
                           std::string canary);

// For fits that are too expensive to repeat: one run with many canaries, each in its second form if its bit
// is set, and a score for each, larger the likelier that is.
struct ManyCanaries {
  std::string canary;
  std::size_t canaries = 0;
  bool white_box = false;  // scores come from releases, not from published output
  double claimed_epsilon = 0;
  std::function<Guarantee()> account;
  std::function<std::vector<double>(const std::vector<bool>& bits, std::uint64_t seed)> run;
};

}  // namespace tulle

#pragma GCC visibility pop
