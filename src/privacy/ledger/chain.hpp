// The chain of hashes through the rows of a ledger.
#pragma once

#include <tulle/privacy/ledger/ledger.hpp>

#include <string>
#include <vector>

namespace tulle {

// The row that follows the last one, numbered, timed and hashed.
LedgerRow next_row(const std::vector<LedgerRow>& rows, std::string account, std::string kind,
                   std::string content);

std::string head_of(
    const std::vector<LedgerRow>& rows);  // hash of the last row; of an empty ledger, a fixed one

void check_chain(const std::vector<LedgerRow>& rows);  // an Error that names the first row that does not fit

}  // namespace tulle
