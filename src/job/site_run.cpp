#include "run_fields.hpp"
#include "study_data.hpp"

#include <tulle/base/error.hpp>
#include <tulle/base/json.hpp>
#include <tulle/exchange/embedded.hpp>
#include <tulle/exchange/mpi.hpp>
#include <tulle/io/study_keys.hpp>
#include <tulle/job/merging.hpp>
#include <tulle/job/owner_notes.hpp>
#include <tulle/job/site_link.hpp>
#include <tulle/job/site_run.hpp>
#include <tulle/privacy/ledger/fingerprint.hpp>

#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <cstring>

namespace tulle {
namespace {

// All sites start from the same factors.
std::uint64_t common_seed(std::uint64_t own, Party& party) {
  Bytes bytes(sizeof own);
  std::memcpy(bytes.data(), &own, sizeof own);
  bytes = party.broadcast(std::move(bytes), 0);
  if (bytes.size() != sizeof own) fail("site 1 sent no seed; run the same version at all sites");
  std::memcpy(&own, bytes.data(), sizeof own);
  return own;
}

// Whether sites show each other entries with noise, at positions that are then public.
bool sends_entries(const SiteJob& job) {
  return !shares_nothing(job) && job.completion.found().sends_entries();
}

// Of the cells that a site holds out. Which they are follows from users' names: where a site sends the other
// cells, whoever knows the seed can try for every name whether it fits those, so that it is not the common
// one.
std::uint64_t seed_of_split(const SiteJob& job, std::uint64_t common) {
  return sends_entries(job) && !job.completion.terms.seed ? RandomBits::secure().word() : common;
}

void check_method(const SiteJob& job) {
  const std::string& method = job.completion.method;
  if (job.completion.terms.sites && job.completion.terms.sites->server &&
      (shares_nothing(job) || sends_entries(job) || job.study.sites.size() == 1))
    fail_usage("a server holds factors that two sites or more share by sums, as with method {}; leave it out",
               names_of_methods(&Method::sums_over_sites));
  if (shares_nothing(job)) return;
  if (sends_entries(job) && job.study.sites.size() == 1)
    fail_usage("method {} sends counts from site to site; give two sites or more, or run tulle complete",
               method);
  const std::optional<Sites>& stated = job.completion.terms.sites;
  if (sends_entries(job) && stated && stated->threshold != 0 &&
      stated->threshold != static_cast<int>(job.study.sites.size()))
    fail_usage("method {} needs the counts of all sites, so that none may stop; leave the threshold out",
               method);
  const int sites = static_cast<int>(job.study.sites.size());
  if (stated && sites > 1 && (stated->overlap < 1 || stated->overlap > sites))
    fail_usage("users at {} of {} sites; give from 1 to {}", stated->overlap, sites, sites);
  if (sends_entries(job) && stated && stated->overlap != 1)
    fail_usage("what sites send with method {} adds up for a user at several of them; take method {}", method,
               names_of_methods(&Method::sums_over_sites));
  if (stated &&
      std::ranges::any_of(job.study.sites, [&](const auto& site) { return site.overlap > stated->overlap; }))
    fail_usage("the table is dealt with users at more sites than are stated; state as many");
  if (sends_entries(job)) return;
  if (job.completion.found().over_sites == OverSites::no)
    fail_usage("method {} does not run over sites; take method {}", method,
               names_of_methods([](const Method& other) { return other.over_sites != OverSites::no; }));
  if (job.unit != Unit::user)
    fail_usage("method {} protects users over sites, not unit {}; leave the unit out", method,
               name(job.unit));
}

// A sum of nothing, which fails where too few sites are left: a site that cannot pay stops before it, and no
// other is charged for a run that does not take place. A charge that fails all the same, since a ledger was
// charged by another run meanwhile, leaves the others' without releases: over-counted, never under-counted.
Pay paid_by_all(Payment& payment, Party& party) {
  return [&payment, &party](const Curator& curator) {
    payment.check(curator);
    static_cast<void>(party.sum({}));
    if (const Pay charge = payment.on_first_release()) charge(curator);
  };
}

// Papers have no secure sums: every site adds all of the noise by itself, and none may stop.
Sites as_published(const std::optional<Sites>& stated, int sites) {
  if (stated && stated->threshold != 0 && stated->threshold != sites)
    fail_usage("as published all {} sites take part in every step; leave the threshold out", sites);
  if (stated && stated->overlap != 1) fail_usage("as published a user is at one site; leave the overlap out");
  return {.colluding = sites - 1, .threshold = sites, .server = stated && stated->server};
}

std::shared_ptr<Payment> no_payment() {
  return std::make_shared<Payment>(AccountAddress{}, "", "");
}

// A baseline: what a site finds by itself. Its model and what it says of the fit are the site's own.
SiteOutcome run_alone(const SiteJob& job, int site) {
  SiteOutcome result;
  result.site = site;
  CompletionJob completion = job.completion;
  completion.method = "plain";
  result.seed = completion.fit.seed;
  CompletionRun run(completion, read_first_relation(job.study, site, completion.fit.seed));
  result.outcome = run.run({}, {});
  result.outcome.completion.remarks = {"Every site fits its own table by itself; nothing leaves it."};
  result.outcome.completion.guarantee.remark = "nothing is shared";
  result.payment = no_payment();
  return result;
}

std::shared_ptr<Payment> payment_of(const SiteJob& job, int number) {
  const StudyFile::Site& site = site_of(job.study, number);
  const SumTerms terms = sum_terms(job);
  return std::make_shared<Payment>(
      AccountAddress{site.ledger, site.account},
      fmt::format("federate over {} sites, method {}, {} may collude, threshold {}, overlap {}",
                  terms.parties, job.completion.method, terms.colluding, terms.threshold,
                  job.completion.terms.sites->overlap),
      site.tables());
}

void add_agreed(const StudyFile::Relation& relation, std::vector<std::string>& lines) {
  lines.push_back(fmt::format("relation {} of {}", relation.name, fmt::join(relation.entities, ",")));
  lines.push_back(fmt::format("relation {}: {}", relation.name, merging(relation.reading.duplicates)));
  for (const auto& bounds : {relation.clamp, relation.range})
    if (bounds)
      lines.push_back(
          fmt::format("values of {} from {} to {}", relation.name, bounds->first, bounds->second));
  if (relation.is_public)
    lines.push_back(fmt::format("a public table {} with fingerprint {}, {}, without {}", relation.name,
                                fingerprint_of_file(relation.file), name(relation.values),
                                fmt::join(relation.dropped, ",")));
}

// Users are known by names where the format has any, which for .npz the file itself says.
std::string users_in(const std::string& file, const StudyFile::Relation& relation) {
  const Format format = reading_by_keys([&] { return format_of(file, relation.reading); });
  if (format == Format::csv || format == Format::tsv) return "names";
  return format == Format::npz ? "names or numbers" : "numbers";
}

void add_naming(const StudyFile& study, std::vector<std::string>& lines) {
  const auto add = [&](const StudyFile::Site& site, const StudyFile::Relation& relation,
                       const std::string& file) {
    lines.push_back(fmt::format("{} of {} at site {} by {}", study.private_entity, relation.name, site.name,
                                users_in(file, relation)));
  };
  for (const StudyFile::Site& site : study.sites)
    for (const StudyFile::Relation& relation : study.relations)
      if (&relation == &study.first())
        add(site, relation, site.file);
      else if (const auto further = site.files.find(relation.name); further != site.files.end())
        add(site, relation, further->second);
}

// What all sites must run with, in the words that a site is told where another one differs.
std::vector<std::string> agreed_on(const SiteJob& job) {
  const StudyFile& study = job.study;
  const CompletionJob& completion = job.completion;
  const Terms& terms = completion.terms;
  std::vector<std::string> lines = {
      fmt::format("method {} {}", completion.method,
                  terms.calibration == Calibration::sound ? "sound" : "as published"),
      fmt::format("epsilon {}", terms.budget.epsilon),
      fmt::format("delta {}", terms.budget.delta),
      fmt::format("range {}:{}", terms.range.low, terms.range.high),
      fmt::format("unit {}", name(terms.unit)),
      fmt::format("a user at {} sites at most", terms.sites ? terms.sites->overlap : 1),
      job.most_lost ? fmt::format("at most {} lost", *job.most_lost) : std::string("any part lost"),
      terms.seed ? fmt::format("seed {}", *terms.seed) : std::string("no seed"),
      fmt::format("model {} of rank {}", name(completion.fit.model), fmt::join(completion.fit.ranks, ",")),
      fmt::format("settings '{}'", completion.settings.text()),
      fmt::format("entities {}, private {}", fmt::join(study.modes(), ","), study.private_entity)};
  for (const StudyFile::Site& site : study.sites) lines.push_back("site " + site.name);
  for (const StudyFile::Relation& relation : study.relations) add_agreed(relation, lines);
  add_naming(study, lines);
  for (const std::string& entity : study.local) lines.push_back("factors of each site's own for " + entity);
  for (const auto& [entity, size] : study.sizes) lines.push_back(fmt::format("{} of {}", size, entity));
  for (const auto& [entity, file] : study.positions)
    lines.push_back(fmt::format("a list of {} with fingerprint {}", entity, fingerprint_of_file(file)));
  return lines;
}

// The noise of a site and what it counts on of the others' follow from these lines: sites that compared
// others, or none, before the first sum may add up under other noise than the guarantee states.
void check_agreed(const SiteJob& job, const Party& party) {
  if (party.terms().agreed != agreed_on(job))
    fail_usage(
        "the sites of this run have not compared its options; make each site's party with agreed_terms(job)");
}

void add_notes(CompletionOutcome& outcome, const std::vector<std::string>& notes) {
  outcome.owner_notes.insert(outcome.owner_notes.end(), notes.begin(), notes.end());
}

// What the owner of a site should know before anything is charged. Returns what is not among the run's own
// notes.
std::vector<std::string> tell_site(const SiteJob& job, int number, const CompletionRun& run) {
  const StudyFile::Site& site = site_of(job.study, number);
  std::vector<std::string> notes;
  const bool told = job.study.simulated && number > 0;  // the first one's data are everybody's
  if (site.account.empty() && !job.ledger.empty() && !told)
    if (const auto note = uncharged_note(job.ledger, site.tables())) notes.push_back(*note);
  if (!job.tell) return notes;
  for (const std::string& note : notes) job.tell(number, note);
  for (const LostData& loss : run.losses())
    if (loss.share > kLossToTell) job.tell(number, tulle::told(loss));
  return notes;
}

std::vector<SiteOutcome> run_one_place(const SiteJob& job) {
  std::vector<SiteOutcome> all(1);
  CompletionJob completion = job.completion;
  CompletionData data = read_study_data(job.study, completion.terms.range, 0, completion.fit.seed);
  const StudyFile::Site& site = site_of(job.study, 0);
  all[0].payment = std::make_shared<Payment>(
      AccountAddress{site.account.empty() ? "" : site.ledger, site.account},
      fmt::format("federate at one site, method {}", completion.method), site.tables());
  all[0].seed = completion.fit.seed;
  CompletionRun run(completion, std::move(data), false, job.most_lost);
  const std::vector<std::string> notes = tell_site(job, 0, run);
  all[0].outcome = run.run(all[0].payment->on_first_release(), {});
  add_notes(all[0].outcome, notes);
  all[0].data = run.data();
  return all;
}

// Of one model. Relative errors of sites do not add up.
Json fields_over_sites(const std::optional<Scores>& scores) {
  if (!scores) return nullptr;
  return {{"cells", scores->cells},
          {"rmse", finite_or_null(scores->rmse)},
          {"mae", finite_or_null(scores->mae)},
          {"log_likelihood", finite_or_null(scores->log_likelihood())}};
}

// As the study says: whether a site then has test cells is private.
bool measures_errors(const StudyFile& study) {
  return std::ranges::any_of(study.sites,
                             [](const auto& site) { return !site.test.empty() || site.holdout; });
}

std::string message_of(const std::exception_ptr& failure, const Spelling& spelling) {
  try {
    std::rethrow_exception(failure);
  } catch (const std::exception& error) {
    return spelled(tulle::text_of(error), spelling);
  }
}

}  // namespace

SumTerms sum_terms(const SiteJob& job) {
  const int sites = static_cast<int>(job.study.sites.size());
  if (sites == 1) return {1, 1, 0};
  return sum_terms(*job.completion.terms.sites, sites);
}

SumTerms agreed_terms(const SiteJob& job) {
  SumTerms terms = sum_terms(job);
  terms.agreed = agreed_on(job);
  return terms;
}

bool shares_nothing(const SiteJob& job) {
  return job.completion.method == "no-sharing";
}

bool is_server(const SiteJob& job, int site) {
  return site == static_cast<int>(job.study.sites.size());
}

void complete_terms(SiteJob& job) {
  Terms& terms = job.completion.terms;
  terms.unit = job.unit;
  terms.relation = sends_entries(job) ? Relation::replace : Relation::add_remove;
  terms.user_mode = job.study.user_mode();
  terms.scope.mode = job.unit == Unit::user ? job.study.private_entity : "";
  if (job.study.rank && job.completion.fit.ranks.empty())
    job.completion.fit.ranks = {static_cast<int>(*job.study.rank)};
  check_method(job);
  if (job.study.sites.size() == 1)
    terms.sites.reset();  // one place that has all of the table
  else if (terms.calibration == Calibration::published)
    terms.sites = as_published(terms.sites, static_cast<int>(job.study.sites.size()));
  else
    sum_terms(job);
}

SiteOutcome run_site(const SiteJob& job, Party& party) {
  if (shares_nothing(job)) return run_alone(job, party.rank());
  check_agreed(job, party);
  SiteOutcome result;
  result.site = party.rank();
  CompletionJob completion = job.completion;
  result.seed = completion.fit.seed = common_seed(completion.fit.seed, party);
  CompletionData data = party.is_server() ? server_data(job.study, completion.terms.range)
                                          : read_study_data(job.study, completion.terms.range, party.rank(),
                                                            seed_of_split(job, completion.fit.seed));
  if (sends_entries(job))
    completion.terms.scope.public_facts.emplace_back(
        "which cells the users of each site have, without the users' names");
  if (job.unit == Unit::entry && data.duplicates != Duplicates::refuse)
    completion.terms.scope.public_facts.emplace_back("an entry is a cell with all its rows");
  if (job.study.simulated)
    completion.terms.scope.public_facts.emplace_back("all data are in one place, which simulates the sites");
  result.payment = party.is_server() ? no_payment() : payment_of(job, party.rank());
  CompletionRun run(completion, std::move(data), false, job.most_lost);
  std::vector<std::string> notes;
  if (!party.is_server()) notes = tell_site(job, party.rank(), run);
  run.join_sites(link_over(party, sum_terms(job), completion.terms.sites->overlap),
                 bits_of_site(completion.terms, party.rank()));
  result.outcome = run.run(paid_by_all(*result.payment, party), {});
  if (party.is_server()) result.outcome.owner_notes.clear();  // on a table without entries
  add_notes(result.outcome, notes);
  result.data = run.data();
  result.traffic = party.traffic();
  result.gone = party.stopped();
  return result;
}

std::vector<SiteOutcome> run_sites_here(const SiteJob& job) {
  if (job.study.sites.size() == 1 && shares_nothing(job)) return {run_alone(job, 0)};
  if (job.study.sites.size() == 1) return run_one_place(job);
  const SumTerms terms = agreed_terms(job);
  std::vector<SiteOutcome> sites(job.study.sites.size() + terms.server);
  const EmbeddedEnds ends = run_embedded(
      terms, [&](Party& party) { sites[static_cast<std::size_t>(party.rank())] = run_site(job, party); });
  int finished = 0;
  for (std::size_t site = 0; site < sites.size(); ++site) {
    sites[site].site = static_cast<int>(site);
    if (ends.failures[site]) sites[site].stopped = message_of(ends.failures[site], job.spelling);
    finished += !ends.failures[site];
  }
  if (finished == 0 || ends.failures[static_cast<std::size_t>(terms.hub())])
    std::rethrow_exception(ends.first);
  std::rotate(sites.begin(), sites.begin() + terms.hub(), sites.end());
  return sites;
}

void run_site_of_mpi(const SiteJob& job, const std::function<void(const SiteOutcome&)>& finish,
                     const std::function<void(int site, const std::string& why)>& failed) {
  const SumTerms terms = agreed_terms(job);
  const MpiPlace place = mpi_place().value();
  if (place.size != terms.parties + terms.server)
    fail_usage("{} processes for {} sites{}", place.size, terms.parties,
               terms.server ? " and a server; start one more than there are sites"
                            : "; start as many as there are sites");
  run_mpi(terms, [&](Party& party) {
    try {
      finish(run_site(job, party));
    } catch (const std::exception&) {
      failed(party.rank(), message_of(std::current_exception(), job.spelling));
      throw;
    }
  });
}

std::optional<Scores> pooled_scores(const std::vector<SiteOutcome>& sites,
                                    std::optional<Scores> CompletionOutcome::*which) {
  Scores all{.of_counts = 0};
  double squares = 0, absolute = 0;
  for (const SiteOutcome& site : sites) {
    const std::optional<Scores>& scores = site.outcome.*which;
    if (!scores) continue;
    const Scores& own = *scores;
    const auto cells = static_cast<double>(own.cells);
    all.cells += own.cells;
    squares += cells * own.rmse * own.rmse;
    absolute += cells * own.mae;
    all.of_counts =
        all.of_counts && own.of_counts ? std::optional(*all.of_counts + *own.of_counts) : std::nullopt;
  }
  if (all.cells == 0) return std::nullopt;
  all.rmse = std::sqrt(squares / static_cast<double>(all.cells));
  all.mae = absolute / static_cast<double>(all.cells);
  return all;
}

Json report_of(const SiteJob& job, const std::vector<SiteOutcome>& sites) {
  const SumTerms terms = sum_terms(job);
  const SiteOutcome& first = sites.front();
  const Completion& fit = first.outcome.completion;
  Json report;
  OwnerFields owner;
  report["title"] = job.study.title;
  report["method"] = job.completion.method;
  report["trust"] = "sites";
  report["colluding"] = terms.colluding;
  report["threshold"] = terms.threshold;
  report["server"] = terms.server;
  report["overlap"] = job.completion.terms.sites ? job.completion.terms.sites->overlap : 1;
  report["rounds"] = first.traffic.rounds;
  report["sent_bytes"] = first.traffic.sent;
  report["received_bytes"] = first.traffic.received;
  Json own = Json::array();
  for (const SiteOutcome& site : sites) {
    if (is_server(job, site.site)) continue;
    Json line = {{"name", site_of(job.study, site.site).name}};
    if (site.stopped) {
      line["stopped"] = *site.stopped;
    } else {
      line["train_cells"] = site.outcome.train_cells;
      if (site.outcome.scores) {
        line["test_cells"] = site.outcome.scores->cells;
        line["test_rmse"] = finite_or_null(site.outcome.scores->rmse);
        line["test_log_likelihood"] = finite_or_null(site.outcome.scores->log_likelihood());
      }
      if (site.outcome.published_scores)
        line["test_published_model"] = fields_over_sites(site.outcome.published_scores);
      line["notes"] = site.outcome.owner_notes;
    }
    own.push_back(std::move(line));
  }
  owner.add(report, "sites", std::move(own));
  if (measures_errors(job.study)) {
    const auto scores = pooled_scores(sites);
    owner.add(report, "test_rmse", scores ? finite_or_null(scores->rmse) : Json());
    owner.add(report, "test_mae", scores ? finite_or_null(scores->mae) : Json());
    owner.add(report, "test_cells", scores ? Json(scores->cells) : Json());
    owner.add(report, "test_log_likelihood", scores ? finite_or_null(scores->log_likelihood()) : Json());
  }
  const bool own_rows = std::ranges::any_of(
      sites, [](const SiteOutcome& site) { return site.outcome.completion.with_user_rows.has_value(); });
  if (measures_errors(job.study) && own_rows) {
    owner.add(report, "test_with_own_rows", fields_over_sites(pooled_scores(sites)));
    owner.add(report, "test_published_model",
              fields_over_sites(pooled_scores(sites, &CompletionOutcome::published_scores)));
  }
  add_run_fields(report, owner, first.outcome.seconds, first.seed, fit.remarks,
                 find_method(shares_nothing(job) ? "plain" : job.completion.method), fit.guarantee);
  owner.mark(report);
  return report;
}

}  // namespace tulle
