// A run that is charged to a ledger, as the person at the terminal sees it.
#pragma once

#include <tulle/base/error.hpp>
#include <tulle/job/payment.hpp>

#include <nlohmann/json_fwd.hpp>

#include <atomic>
#include <functional>
#include <string>

namespace tulle::cli {

// The same payment; an interruption then says whether the account was charged, and `charged` is set when it
// was.
Pay announced(const std::string& account, Pay pay, bool& charged);

// run(pay), for a run that is paid for. An interruption or an Error says whether the account was charged.
template <class Run>
auto run_paid(const std::string& account, Payment& payment, const Run& run) {
  bool charged = false;
  try {
    return run(announced(account, payment.on_first_release(), charged));
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
