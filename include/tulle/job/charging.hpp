// A run that is paid for: what its owner is told before, and what is said of the charge when it fails.
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

// Whoever watches a run: a terminal, or a program that embeds it. All may be empty.
struct Watcher {
  Observer observer = {};
  // Before anything is charged, a note that is for the owner, and says so.
  std::function<void(const std::string& note)> tell_owner = {};
  // What an interruption leaves behind, from now on.
  std::function<void(const std::string& what)> when_interrupted = {};
  // Whether the run was interrupted, asked before it is charged: it then ends with an Error.
  std::function<bool()> stopped = {};
};

// What the owner is told before anything is charged: what public lists and the range take of the data, where
// that is much, and that a private run is charged to nobody although the default ledger has an account for
// its data.
struct BeforeCharge {
  std::vector<std::string> told;
  std::vector<std::string> notes;  // of these, what is not among the run's own notes
};
BeforeCharge before_charge(const LedgerOptions& ledger, bool is_private, const std::vector<std::string>& data,
                           const std::vector<LostData>& losses);

// The payment of a run: the owner is told first, and an interruption says whether the account was charged.
// `charged` is set when it was.
Pay watched_pay(const std::string& account, Pay pay, const BeforeCharge& before, const Watcher& watcher,
                bool& charged);

// run(pay), for a run that is paid for. An interruption or an Error says whether the account was charged.
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

// The report of a run, with what its account has spent and has left. As it is without a ledger.
nlohmann::ordered_json with_balance(nlohmann::ordered_json report, const Payment& payment);

}  // namespace tulle

#pragma GCC visibility pop
