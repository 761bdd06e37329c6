// A run over several sites under audit. One site has the unit in which two data sets differ; the auditor
// watches its curator. The other sites run beside it in this process, as in run_sites_here() and
// find_topics_at_sites(), with the same messages.
//
// The attacker subtracts the noise that he knows, so other sites that may collude or drop out add none here.
// The rest have just the noise that the guarantee rests on. If sites send releases of their own, the others'
// noise hides nothing of the watched one's, so they add it as usual.
#pragma once

#include "transcript.hpp"

#include <tulle/job/jobs.hpp>
#include <tulle/job/site_link.hpp>

#include <map>

namespace tulle::attacks {

// What a site sends over the exchange.
struct SentByWatched {
  std::string what;
  AdditiveNoise noise;
  SharedNoise shares;
  std::vector<std::uint64_t> exact;    // in cells, without noise
  std::vector<std::uint64_t> message;  // what was sent
  bool sampled = false;                // the message belongs to one of two samples
};

struct SiteMessages {
  std::vector<SentByWatched> watched;
  std::map<int, std::vector<std::uint64_t>> noise;  // by site, if it adds any, all releases in a row
  std::vector<Curator::Bytes> handed;               // what the watched site handed out to the others
};

// Several sites, one of which is watched.
struct AuditedSites {
  Sites stated;
  int sites = 0, watched = 0;

  SumTerms sum_terms() const { return tulle::sum_terms(stated, sites); }
  int honest() const { return sum_terms().threshold - sum_terms().colluding; }
};

struct SiteCast {
  CompletionJob job;                 // its terms name the sites
  std::vector<SparseTensor> tables;  // one per site; that of the watched one is not used
  int watched = 0;                   // the site
  // One per site, if entities have separate rows at each site.
  std::vector<std::shared_ptr<const Coupling>> couplings = {};

  AuditedSites sites() const { return {*job.terms.sites, static_cast<int>(tables.size()), watched}; }
  CompletionJob job_at(int site) const;
};

// The watched site runs on `own` with `curator`, which the caller watches. If the witness answers, the other
// sites get its answers too.
Completion run_over_sites(const SiteCast& cast, SparseTensor own, Curator& curator,
                          SiteMessages* messages = nullptr);
// The same for topics of documents. The data say how many of them each site has.
TopicOutcome run_over_sites(const TopicJob& job, const TopicData& data, int watched, Curator& curator,
                            SiteMessages* messages = nullptr);

// Lists how the messages of two runs, the second one replayed, reveal more than the noise hides; empty: they
// do not. For every release, the distance in cells of the watched site's messages without noise is within
// what the honest sites' shares of the noise are made for, rounding included; no two sites add the same
// noise; and the watched site hands out the same to the others, since it has released the same.
std::vector<std::string> leaks_of(const AuditedSites& sites, const SiteMessages& first,
                                  const SiteMessages& second);

// Two tables of the watched site.
NeighbouringPair neighbouring_pair(const SiteCast& cast, SparseTensor first, SparseTensor second,
                                   std::optional<std::uint64_t> watched_unit = {});
// Documents that differ at the watched site alone.
NeighbouringPair neighbouring_pair(const TopicJob& job, TopicData first, TopicData second, int watched);

}  // namespace tulle::attacks
