// What an account of a ledger has spent and can still pay for.
#pragma once

#include <tulle/privacy/ledger/ledger.hpp>

namespace tulle {

// Epsilon of one charge alone: at delta 0 if its releases are pure, otherwise at the granted delta.
double epsilon_of(const LedgerCharge& charge, const LedgerStatement& statement);

// The largest epsilon, in steps of 1/10000, that one more run with delta 0 may have; 0 if none fits. The
// ledger would accept it: charges compose, so it can exceed the granted minus the spent epsilon.
double largest_epsilon(const LedgerStatement& statement);

}  // namespace tulle
