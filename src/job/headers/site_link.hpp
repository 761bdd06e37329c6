// How the curator of one site adds up with those of the others: for run_site(), and for an auditor, who opens
// the curators himself.
#pragma once

#include <tulle/exchange/party.hpp>
#include <tulle/method/terms.hpp>
#include <tulle/privacy/curator.hpp>

namespace tulle {

// What the owner states, for so many sites. A UsageError where no exchange can hide what single sites send.
SumTerms sum_terms(const Sites& stated, int sites);

// A UsageError where the party adds up under other terms. It must outlive the curator's releases. The data of
// one unit are at `overlap` sites at most.
Curator::SiteLink link_over(Party& party, const SumTerms& terms, int overlap);

// The stream of one site among those that follow from one stream: no two sites have the same.
RandomBits bits_of_site(RandomBits& all, int site);
RandomBits bits_of_site(const Terms& terms, int site);  // of a seeded run; secret ones otherwise

}  // namespace tulle
