// A run that is charged to a ledger, as the person at the terminal sees it.
#pragma once

#include "privacy_options.hpp"

#include <tulle/base/error.hpp>
#include <tulle/job/lost_data.hpp>
#include <tulle/job/payment.hpp>

#include <nlohmann/json_fwd.hpp>

#include <atomic>
#include <functional>
#include <string>
#include <vector>

namespace tulle::cli {

// The same payment; an interruption then says whether the account was charged, and `charged` is set when it
// was.
Pay announced(const std::string& account, Pay pay, bool& charged);

// Tells the owner of the data something before a run is charged: on standard error, in a line that is marked;
// or as a program says that embeds the verbs, for runs of this thread.
void tell_owner(const std::string& note);
void tell_owner_through(std::function<void(const std::string&)> tell);

// What the owner is told before anything is charged: what public lists and the range take of the data, where
// that is much, and that a private run is charged to nobody although the default ledger has an account for
// its data.
struct BeforeCharge {
  std::vector<std::string> told;
  std::vector<std::string> notes;  // of these, what is not among the run's own notes
};
BeforeCharge before_charge(const LedgerOptions& ledger, bool is_private, const std::vector<std::string>& data,
                           const std::vector<LostData>& losses);

// The same payment, after the owner was told.
Pay told_first(const BeforeCharge& before, Pay pay);

// run(pay), for a run that is paid for. An interruption or an Error says whether the account was charged.
template <class Run>
auto run_paid(const std::string& account, Payment& payment, const BeforeCharge& before, const Run& run) {
  bool charged = false;
  try {
    return run(told_first(before, announced(account, payment.on_first_release(), charged)));
  } catch (const Error& error) {
    if (!charged) throw;
    fail("{}; '{}' was charged all the same: releases had begun", error.what(), account);
  }
}

// For a program that goes on after an interruption: runs of this thread are not charged any more, with an
// Error, once this is set. nullptr: they are.
void charge_unless(const std::atomic<bool>* stopped);

// Writes the outputs of a run. An interruption meanwhile, or an Error, says that the account was charged.
void write_outputs(const std::string& account, const std::function<void()>& write);

// After a run: what the account has spent and has left. Nothing without a ledger.
void print_balance(const Payment& payment);
// The report of a run, with that.
nlohmann::ordered_json with_balance(nlohmann::ordered_json report, const Payment& payment);
void print_json(nlohmann::ordered_json report, const Payment& payment);

}  // namespace tulle::cli
