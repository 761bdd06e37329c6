#include "crypto/shamir.hpp"

#include <tulle/base/error.hpp>
#include <tulle/exchange/party.hpp>

namespace tulle {

int least_threshold(int parties, int colluding) {
  return (parties + colluding) / 2 + 1;
}

void check_sum_terms(const SumTerms& terms) {
  if (terms.parties < 2 || terms.parties > kMostShares)
    fail_usage("{} sites have no sum to hide; there must be from 2 to {}", terms.parties, kMostShares);
  if (terms.colluding < 0 || terms.colluding >= terms.parties)
    fail_usage("{} of {} sites may collude; give from 0 to {}", terms.colluding, terms.parties,
               terms.parties - 1);
  const int least = least_threshold(terms.parties, terms.colluding);
  if (terms.threshold < least || terms.threshold > terms.parties)
    fail_usage("a threshold of {} of {} sites, {} of which may collude; give from {} to {}", terms.threshold,
               terms.parties, terms.colluding, least, terms.parties);
}

}  // namespace tulle
