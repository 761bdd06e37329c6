// Running a job that is charged: the notes its owner gets before, and the state of the charge if it fails.
#pragma once

#include <tulle/base/error.hpp>
#include <tulle/job/lost_data.hpp>
#include <tulle/job/options/privacy.hpp>
#include <tulle/job/payment.hpp>
#include <tulle/method/completion.hpp>

#include <nlohmann/json_fwd.hpp>

#include <functional>
#include <string>
#include <vector>

#pragma GCC visibility push(default)

namespace tulle {

// Callbacks of the terminal or program that watches a run. All may be empty.
struct Watcher {
  Observer observer = {};
  // Called before anything is charged, with a note that is marked as the owner's.
  std::function<void(const std::string& note)> tell_owner = {};
  // Called with what an interruption would leave behind from now on.
  std::function<void(const std::string& what)> when_interrupted = {};
  // Whether the run was interrupted, asked before it is charged: it then ends with an Error.
  std::function<bool()> stopped = {};
};

// Notes for the owner before anything is charged: how much of the data public lists and the range take, if
// that is much, and that a private run is charged to no account although the default ledger has one for its
// data. Begins the payment: a request runs, or is planned, once.
struct BeforeCharge {
  std::vector<std::string> told;
  std::vector<std::string> notes;  // those that are not among the run's own notes
};
BeforeCharge before_charge(Payment& payment, const LedgerOptions& ledger, bool is_private,
                           const std::vector<std::string>& data, const std::vector<LostData>& losses);

// The payment of a run: it first passes the notes to the owner and keeps the watcher informed whether the
// account was charged. Sets `charged` once it was.
Pay watched_pay(const std::string& account, Pay pay, const BeforeCharge& before, const Watcher& watcher,
                bool& charged);

// Calls run(pay) for a run that is charged. An interruption or an Error states whether it was charged.
template <class Run>
auto run_paid(const std::string& account, Payment& payment, const BeforeCharge& before,
              const Watcher& watcher, const Run& run) {
  bool charged = false;
  try {
    return run(watched_pay(account, payment.on_first_release(), before, watcher, charged));
  } catch (const Error& error) {
    if (!charged) throw;
    fail("{}; '{}' was charged all the same: releases had begun", error.text(), account);
  }
}

// The report of a run, with what its account has spent and has left; unchanged without a ledger.
nlohmann::ordered_json with_balance(nlohmann::ordered_json report, const Payment& payment);

}  // namespace tulle

#pragma GCC visibility pop
