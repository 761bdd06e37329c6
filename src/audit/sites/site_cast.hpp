// A run over several sites under audit. One site has the unit in which two data sets differ: its curator is
// the one that the auditor watches. The others run beside it in this process, as run_sites_here() has it, by
// the same messages.
//
// Of the other sites those that may collude or drop out add no noise, as the attacker sees it: what he knows
// of it he subtracts. The rest have just the noise that the guarantee rests on. Where sites send releases of
// their own, the others' noise hides nothing of the watched one's: they add it as they do.
#pragma once

#include "transcript.hpp"

#include <tulle/job/jobs.hpp>
#include <tulle/job/site_link.hpp>

#include <map>

namespace tulle::attacks {

// What sites send, as the exchange carries it.
struct SentByWatched {
  std::string what;
  AdditiveNoise noise;
  SharedNoise shares;
  std::vector<std::uint64_t> exact;    // in cells, without noise
  std::vector<std::uint64_t> message;  // what was sent
  bool sampled = false;                // the message is of one of two samples
};

struct SiteMessages {
  std::vector<SentByWatched> watched;
  std::map<int, std::vector<std::uint64_t>> noise;  // by site, of those that add any, all releases in a row
  std::vector<Curator::Bytes> handed;               // out to the others by the watched site
};

struct SiteCast {
  CompletionJob job;                 // its terms name the sites
  std::vector<SparseTensor> tables;  // one per site; that of the watched one is not looked at
  int watched = 0;                   // the site
  // One per site, where entities have rows of each site's own.
  std::vector<std::shared_ptr<const Coupling>> couplings = {};

  SumTerms sum_terms() const { return tulle::sum_terms(*job.terms.sites, static_cast<int>(tables.size())); }
  int honest() const { return sum_terms().threshold - sum_terms().colluding; }
  CompletionJob job_at(int site) const;
};

// The watched site runs on `own` with `curator`, which the caller watches. Where the witness answers, the
// other sites get its answers too.
Completion run_over_sites(const SiteCast& cast, SparseTensor own, Curator& curator,
                          SiteMessages* messages = nullptr);

// In what the messages of two runs, the second one replayed, give more away than the noise hides; empty: in
// nothing. Of every release the messages of the watched site without noise, as far apart as they are in
// cells, are within what the honest sites' shares of the noise are made for, rounding included; no two sites
// add the same noise; and the watched site hands out the same to the others, since it has released the same.
std::vector<std::string> leaks_of(const SiteCast& cast, const SiteMessages& first,
                                  const SiteMessages& second);

// Two tables of the watched site.
NeighbouringPair neighbouring_pair(const SiteCast& cast, SparseTensor first, SparseTensor second,
                                   std::optional<std::uint64_t> watched_unit = {});

}  // namespace tulle::attacks
