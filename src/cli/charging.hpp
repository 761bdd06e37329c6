// Messages at the terminal about a run that is charged to a ledger.
#pragma once

#include <tulle/job/charging.hpp>

#include <nlohmann/json_fwd.hpp>

#include <functional>
#include <string>

namespace tulle::cli {

// Prints a note for the owner of the data on standard error, before a run is charged.
void tell_owner(const std::string& note);

// Prints notes on standard error, and lets the message of an interruption state whether the account was
// charged.
Watcher on_terminal(Observer observer);

// Writes the outputs of a run. The message of an interruption or an Error meanwhile states that the account
// was charged.
void write_outputs(const std::string& account, const std::function<void()>& write);

// Prints what the account has spent and what it has left after a run. Without a ledger, prints nothing.
void print_balance(const Payment& payment);
void print_json(nlohmann::ordered_json report, const Payment& payment);

}  // namespace tulle::cli
