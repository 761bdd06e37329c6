// tulle federate: a model of several sites that may not share records.
#include "charging.hpp"
#include "options.hpp"
#include "parser/explain.hpp"
#include "terminal/interrupt.hpp"
#include "terminal/terminal.hpp"
#include "verbs.hpp"

#include <tulle/base/error.hpp>
#include <tulle/base/json.hpp>
#include <tulle/exchange/mpi.hpp>
#include <tulle/job/sites/request.hpp>
#include <tulle/job/write_page.hpp>

#include <algorithm>

namespace tulle::cli {
namespace {

struct Federate {
  FederationOptions asked;
  bool json = false;
  Spelling flags = {};
};

std::string name_of(const SiteJob& job, int site) {
  if (is_server(job, site)) return "the server";
  return "site " + job.study.sites[static_cast<std::size_t>(site)].name;
}

// Writes the shared model, once, and the site's model with its own users, to a file of that site.
void write_site(const FederationOptions& options, const SiteJob& job, const SiteOutcome& site) {
  if (site.stopped || shares_nothing(job)) return;
  const std::string account =
      is_server(job, site.site) ? "" : job.study.sites[static_cast<std::size_t>(site.site)].account;
  write_outputs(account, [&] {
    save_models(
        {writes_shared(options, job, site.site) ? options.output : "", own_model(options, job, site.site)},
        job.completion, site.outcome, *site.data);
  });
  site.payment->delivered();
}

// The page of the whole run: it shows only what all sites share, so it is the same at every site.
void write_page_of_sites(const FederationOptions& options, const SiteJob& job,
                         const std::vector<SiteOutcome>& sites) {
  const SiteOutcome& first = sites.front();
  if (!options.page.wanted()) return;
  write_page(options.page, "Privacy report: a model of several sites", report_of(job, sites),
             drawings_of(published_model(job.completion, first.outcome, *first.data)), *first.payment);
}

void print_notes(const SiteJob& job, const SiteOutcome& site) {
  for (const std::string& note : site.outcome.owner_notes)
    fmt::print("{} {}: {} ({})\n", bold("Note:"), name_of(job, site.site), note, kForTheOwner);
}

void print_scores(const std::optional<Scores>& scores, std::string_view of) {
  if (!scores) return;
  fmt::print("{} RMSE {:.5g}, MAE {:.5g} on {} cells ({})\n",
             bold(fmt::format("Test cells{}{}:", of.empty() ? "" : ", ", of)), scores->rmse, scores->mae,
             scores->cells, kForTheOwner);
}

void print_sites(const FederationOptions& options, const SiteJob& job,
                 const std::vector<SiteOutcome>& sites) {
  const SiteOutcome& first = sites.front();
  const Completion& fit = first.outcome.completion;
  fmt::print("{} {} sites with {}: {} sums, {} bytes sent and {} received by {}\n", bold("Federated"),
             job.study.sites.size(), job.completion.method, first.traffic.rounds, first.traffic.sent,
             first.traffic.received, name_of(job, first.site));
  for (const std::string& remark : fit.remarks) fmt::print("{}\n", remark);
  for (const SiteOutcome& site : sites)
    if (site.stopped)
      fmt::print("{} {} stopped: {} ({})\n", bold("Note:"), name_of(job, site.site), *site.stopped,
                 kForTheOwner);
  for (const SiteOutcome& site : sites) print_notes(job, site);
  print_scores(pooled_scores(sites), with_own_rows(fit));
  print_scores(pooled_scores(sites, &CompletionOutcome::published_scores), kPublishedAlone);
  fmt::print("{} {}\n", bold("Guarantee:"), sentence(fit.guarantee));
  if (!options.output.empty()) fmt::print("{} {}\n", bold("Model:"), options.output);
  if (options.page.wanted()) fmt::print("{} {}\n", bold("Report:"), options.page.path);
}

// The outcomes that a process of MPI knows: that of its own site, and sites that stopped, without the reason.
std::vector<SiteOutcome> known_at(const SiteOutcome& site) {
  std::vector<SiteOutcome> known = {site};
  for (int gone : site.gone) known.push_back({.site = gone, .stopped = "it ended before the others"});
  return known;
}

void show_sites(const FederationOptions& options, const SiteJob& job, const std::vector<SiteOutcome>& sites,
                bool json) {
  write_page_of_sites(options, job, sites);
  if (json)
    fmt::print("{}\n", json_text(report_of(job, sites), 2));
  else
    print_sites(options, job, sites);
}

void run_federate(const Federate& federate) {
  const FederationOptions& options = federate.asked;
  SiteJob job = site_job(options);
  job.spelling = federate.flags;
  job.tell = [sites = job.study.sites](int site, const std::string& note) {
    tell_owner(fmt::format("site {}: {}", sites[static_cast<std::size_t>(site)].name, note));
  };
  if (std::ranges::any_of(job.study.sites, [](const auto& site) { return !site.account.empty(); }))
    say_when_interrupted("nothing was written; whether the sites' accounts were charged: tulle budget show");
  if (mpi_place()) {
    run_site_of_mpi(
        job,
        [&](const SiteOutcome& site) {
          write_site(options, job, site);
          if (reports(options, job, site.site))
            return show_sites(options, job, known_at(site), federate.json);
          if (federate.json) return;
          print_notes(job, site);
          fmt::print("{} {}: {}\n", bold("Guarantee:"), name_of(job, site.site),
                     sentence(site.outcome.completion.guarantee));
        },
        [&](int site, const std::string& why) {
          fmt::print(stderr, "{} stops: {} ({})\n", name_of(job, site), why, kForTheOwner);
          std::fflush(stderr);
        });
    return;
  }
  std::vector<SiteOutcome> sites = [&] {
    const Progress progress("fitting over sites");
    return run_sites_here(job);
  }();
  for (const SiteOutcome& site : sites) write_site(options, job, site);
  show_sites(options, job, sites, federate.json);
}

}  // namespace

void add_federate(Verb& command) {
  auto options = std::make_shared<Federate>();
  Verb verb =
      command.add_verb("federate", "Fit one model over sites that may not show each other their records");
  verb.add_options([&](OptionTable& table) { options->asked.declare(table); },
                   {{"study", "STUDY"}, {"output", "-o,--output"}});
  declare_json(verb, options->json);
  options->flags = flags_of(verb.parser());
  verb.footer(
      "The study file is described in docs/study-file.md. Started by mpirun, each process is one site.\n"
      "Example:\n  tulle federate shops.toml --epsilon 1 --delta 1e-5 --range 1:5 -o films.npz");
  verb.callback([options] { run_federate(*options); });
}

}  // namespace tulle::cli
