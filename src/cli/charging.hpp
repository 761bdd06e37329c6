// A run that is charged to a ledger, as the person at the terminal sees it.
#pragma once

#include <tulle/job/payment.hpp>

#include <nlohmann/json_fwd.hpp>

#include <string>

namespace tulle::cli {

// The same payment; an interruption then says whether the account was charged.
Pay announced(const std::string& account, Pay pay);

// After a run: what the account has spent and has left. Nothing without a ledger.
// From now on an interruption may find outputs written.
void announce_writing(const std::string& account);

void print_balance(const Payment& payment);
void add_balance(const Payment& payment, nlohmann::ordered_json& report);

}  // namespace tulle::cli
