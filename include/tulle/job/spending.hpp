// What a ledger's account has spent and can still pay for, as figures that people ask for.
#pragma once

#include <tulle/privacy/ledger/ledger.hpp>

namespace tulle {

// Epsilon of one charge alone: with delta 0 where its releases are pure, otherwise at the granted delta.
double epsilon_of(const LedgerCharge& charge, const LedgerStatement& statement);

// The largest epsilon, in steps of 1/10000, that one more run with delta 0 may have; 0 where none fits. It is
// what the ledger would accept: charges compose, so it can be more than the difference of the granted and the
// spent epsilon.
double largest_epsilon(const LedgerStatement& statement);

}  // namespace tulle
