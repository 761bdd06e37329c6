// A completion over several sites, none of which shows another its data: every site runs run_site() on its
// own table, in a thread of this process or as a process of MPI, and all of them end with the same shared
// model.
#pragma once

#include <tulle/base/spelling.hpp>
#include <tulle/exchange/party.hpp>
#include <tulle/io/study.hpp>
#include <tulle/job/completion_run.hpp>
#include <tulle/job/payment.hpp>

#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace tulle {

struct SiteJob {
  StudyFile study;
  CompletionJob completion;  // its terms name the sites
  Unit unit = Unit::user;    // whose data the guarantee is for: methods that send counts protect entries too
  std::optional<double> most_lost = {};  // at a site, to public lists and ranges, as a share; refuse_losses()
  std::string ledger = {};               // of sites that name none: whether it has accounts for their data
  // Tells the owner of a site something before the site is charged.
  std::function<void(int site, const std::string& note)> tell = {};
  Spelling spelling = cpp_spelling();  // of options in the reason why a site stopped
};

// What one site has at the end.
struct SiteOutcome {
  int site = 0;            // among those of the study; of a server, how many these are
  std::uint64_t seed = 0;  // that all started with: the first site's
  CompletionOutcome outcome;
  std::optional<CompletionData> data;  // without its cells
  Traffic traffic;
  std::shared_ptr<Payment> payment;  // by the site's own ledger, if it has one; delivered when all is written
  std::optional<std::string> stopped;  // why it stopped before the end
  std::set<int> gone;                  // other sites that stopped before, as far as this one knows
};

// Terms that a study and options of the owner make, with the number of colluding sites and the threshold.
SumTerms sum_terms(const SiteJob& job);
// The same with all that the sites of a run must agree on, a line each: the terms of a party for run_site().
// Reads public tables and lists of the study, which may be an Error.
SumTerms agreed_terms(const SiteJob& job);
// The neighbours, the user mode, the rank and the scope, as the study says. A UsageError where the method
// does not run over sites, or not for this unit.
void complete_terms(SiteJob& job);

// Method no-sharing: a baseline in which every site fits its own table, and nothing leaves it.
bool shares_nothing(const SiteJob& job);

// Whether this is the number of the server, which has no data and ends with the shared model.
bool is_server(const SiteJob& job, int site);

// The part of one site, or of the server. A UsageError, before anything is sent, where the party did not
// agree with the others on what agreed_terms(job) lists.
SiteOutcome run_site(const SiteJob& job, Party& party);

// All sites in this process, the server first if there is one. Sites that stopped have a reason; an Error
// where none came to its end, or not the first.
std::vector<SiteOutcome> run_sites_here(const SiteJob& job);
// The site of this process, of those that mpirun started; `finish` writes what it has, while the others still
// listen. Where the site stops, `failed` says why at once: mpirun may end this process when another one ends.
void run_site_of_mpi(const SiteJob& job, const std::function<void(const SiteOutcome&)>& finish,
                     const std::function<void(int site, const std::string& why)>& failed);

// For machines. Errors on test cells, those of all given sites together included, are the owners'.
nlohmann::ordered_json report_of(const SiteJob& job, const std::vector<SiteOutcome>& sites);
// Error on the test cells of all sites, of the one model or the other; nothing where there are none.
std::optional<Scores> pooled_scores(
    const std::vector<SiteOutcome>& sites,
    std::optional<Scores> CompletionOutcome::*which = &CompletionOutcome::scores);

}  // namespace tulle
