// The terms of a private run, as options: the budget, whose data it protects, what is public.
#pragma once

#include "parser/verb.hpp"

#include <tulle/job/payment.hpp>
#include <tulle/tensor/dataset.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace tulle::cli {

// The use of options that play no part in a run without privacy, and why they are refused there.
inline constexpr const char* kForPrivateRuns = "private runs";
inline constexpr const char* kNotForPlainRuns = "is for private runs; with --method plain leave it out";

struct BudgetOptions {
  std::optional<double> epsilon;
  double delta = 0;
  std::string calibration = "sound";

  void declare(Verb& verb);
  Budget budget() const { return {*epsilon, delta}; }
  Calibration chosen_calibration() const;
};

struct PrivacyOptions : BudgetOptions {
  std::string unit = "entry", relation, user_mode, range;

  void declare(Verb& verb);
  void check() const;  // what can be checked before the data are read
  std::optional<Relation> chosen_relation() const;
  Terms terms(const std::vector<Mode>& modes, std::optional<std::uint64_t> seed) const;
};

// The account that a run is charged to.
struct LedgerOptions {
  std::string ledger, account;
  std::optional<double> most_lost;  // to public lists and the range, as a share
  bool silent = false;              // a run whose outcome is thrown away: the owner was told before

  AccountAddress address() const;  // both empty where the run is not charged
  void declare(Verb& verb);
  void check(bool is_private, Calibration calibration) const;
};

// --stop-if-lost, of verbs that run privately; a UsageError where it is no share.
void declare_most_lost(Verb& verb, std::optional<double>& most_lost);
void check_most_lost(const std::optional<double>& most_lost);

// Where a ledger is that is not named: $TULLE_LEDGER, else a file in the current folder.
std::string default_ledger();

// LOW:HIGH, as given to an option.
Range parse_range(std::string_view option, const std::string& text);

}  // namespace tulle::cli
