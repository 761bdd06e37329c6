// The chain of hashes through the rows of a ledger.
#pragma once

#include <tulle/privacy/ledger/ledger.hpp>

#include <optional>
#include <string>
#include <vector>

namespace tulle {

// The row that follows `last` (none for the first row), numbered, timed and hashed.
LedgerRow next_row(const std::optional<LedgerRow>& last, std::string account, std::string kind,
                   std::string content);

std::string head_of(const std::optional<LedgerRow>& last);  // its hash; a fixed one for an empty ledger

void check_row(const LedgerRow& row);  // an Error if it does not have the hash that it carries
void check_chain(const std::vector<LedgerRow>& rows);  // an Error that names the first row that does not fit

}  // namespace tulle
