// A run that is charged to a ledger, as the person at the terminal sees it.
#pragma once

#include <tulle/job/charging.hpp>

#include <nlohmann/json_fwd.hpp>

#include <functional>
#include <string>

namespace tulle::cli {

// Tells the owner of the data something before a run is charged, on standard error.
void tell_owner(const std::string& note);

// Notes go to standard error, and an interruption says whether the account was charged.
Watcher on_terminal(Observer observer);

// Writes the outputs of a run. An interruption meanwhile, or an Error, says that the account was charged.
void write_outputs(const std::string& account, const std::function<void()>& write);

// After a run: what the account has spent and has left. Nothing without a ledger.
void print_balance(const Payment& payment);
void print_json(nlohmann::ordered_json report, const Payment& payment);

}  // namespace tulle::cli
