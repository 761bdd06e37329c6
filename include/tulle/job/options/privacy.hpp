// The terms of a private run, as options: the budget, whose data it protects, public facts, the account.
#pragma once

#include <tulle/job/options/option_table.hpp>
#include <tulle/job/payment.hpp>
#include <tulle/tensor/dataset.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#pragma GCC visibility push(default)

namespace tulle {

// The use of options without effect in a run without privacy, and the reason why they are refused there.
inline constexpr const char* kForPrivateRuns = "private runs";
inline constexpr const char* kNotForPlainRuns = "is for private runs; omit it with @method plain";

struct BudgetOptions {
  std::optional<double> epsilon;
  double delta = 0;
  Calibration calibration = Calibration::sound;

  void declare(OptionTable& table);
  Budget budget() const { return {*epsilon, delta}; }
};

struct PrivacyOptions : BudgetOptions {
  Unit unit = Unit::entry;
  std::optional<Relation> relation;
  std::string user_mode;  // a name or a number from 1; "": no users
  std::optional<Range> range;

  void declare(OptionTable& table);
  void check() const;  // a UsageError for what can be checked before the data are read
  Terms terms(const std::vector<Mode>& modes, std::optional<std::uint64_t> seed) const;
};

// The account that a run is charged to.
struct LedgerOptions {
  std::string ledger, account;
  std::string note;                 // of the charge
  std::optional<double> most_lost;  // largest share that public lists and the range may take, if stated
  bool accept_losses = false;       // however much they take
  bool silent = false;              // the outcome is thrown away: the owner was told before

  AccountAddress address() const;  // both empty if the run is not charged
  // The share of the data above which a run stops before it is charged. None: it never does, so that its
  // exit status does not depend on private data. Published forms have no budget to waste.
  std::optional<double> most_lost_of(Calibration calibration) const;
  void declare(OptionTable& table);
  void check(bool is_private, Calibration calibration) const;
};

// Unit user and the mode of the users are stated together, or neither.
void declare_user_mode(OptionTable& table, std::string& user_mode);
void check_user_mode(Unit unit, const std::string& user_mode);

void declare_range(OptionTable& table, std::optional<Range>& range);

// The option stop-if-lost of private jobs, with its default in words; a UsageError if it is not a share.
void declare_most_lost(OptionTable& table, std::optional<double>& most_lost, std::string_view otherwise);
void check_most_lost(const std::optional<double>& most_lost);

// The default ledger: $TULLE_LEDGER, else a file in the current folder.
std::string default_ledger();

}  // namespace tulle

#pragma GCC visibility pop
