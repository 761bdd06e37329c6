#include "couple_sites.hpp"

#include "charging.hpp"
#include "options.hpp"
#include "terminal/interrupt.hpp"
#include "terminal/terminal.hpp"

#include <tulle/base/error.hpp>
#include <tulle/base/json.hpp>
#include <tulle/exchange/mpi.hpp>
#include <tulle/io/outputs.hpp>
#include <tulle/job/site_run.hpp>

#include <algorithm>
#include <filesystem>
#include <iterator>

namespace tulle::cli {
namespace {

SiteJob site_job(const SiteOptions& options, const CoupledPlaces& places) {
  const bool is_private = options.is_private();
  if (is_private && !options.epsilon)
    fail_usage("--trust sites needs --epsilon E, --range LOW:HIGH and, but for ldp1 and ldp2, --delta D");
  if (is_private && options.range.empty())
    fail_usage("--trust sites needs --range LOW:HIGH, the public bounds of a value");
  SiteJob job{.study = read_site_study(places.study, places.tables),
              .completion = {.method = options.method},
              .unit = unit_of(options.unit),
              .most_lost = options.most_lost,
              .ledger = is_private ? default_ledger() : ""};
  check_most_lost(options.most_lost);
  if (options.sites != 0 || (options.overlap != 1 && job.study.simulated))
    job.study.deal_to(options.sites != 0 ? options.sites : static_cast<int>(job.study.sites.size()),
                      options.overlap);
  if (job.study.sites.size() == 1)
    refuse_given({{"--colluding", options.colluding != 1}, {"--threshold", options.threshold != 0}},
                 "is for several sites, and here all is in one place; leave it out");
  Terms& terms = job.completion.terms;
  if (is_private) {
    terms.budget = options.budget();
    terms.range = parse_range("--range", options.range);
  }
  terms.calibration = options.chosen_calibration();
  terms.seed = places.seed;
  terms.sites = Sites{.colluding = options.colluding,
                      .threshold = options.threshold,
                      .overlap = options.overlap,
                      .server = options.server};
  job.completion.settings = options.settings;
  if (options.sampling_rate) job.completion.settings.set(setting::sampling_rate, *options.sampling_rate);
  if (options.sweeps < -1) fail_usage("--sweeps {}: give 0 or more", options.sweeps);
  if (options.sweeps >= 0) job.completion.settings.set(setting::steps, options.sweeps);
  if (places.rank > 0) job.completion.fit.ranks = {places.rank};
  job.completion.fit.seed = seed_or_new(places.seed);
  complete_terms(job);
  job.tell = [sites = job.study.sites](int site, const std::string& note) {
    tell_owner(fmt::format("site {}: {}", sites[static_cast<std::size_t>(site)].name, note));
  };
  return job;
}

std::string name_of(const SiteJob& job, int site) {
  if (is_server(job, site)) return "the server";
  return "site " + job.study.sites[static_cast<std::size_t>(site)].name;
}

std::string own_model(const SiteOptions& options, const SiteJob& job, int site) {
  if (options.site_models.empty() || is_server(job, site)) return "";
  const std::string& name = job.study.sites[static_cast<std::size_t>(site)].name;
  return (std::filesystem::path(options.site_models) / (name + ".npz")).string();
}

// Reports on the whole run: who carries the messages.
bool reports(const SiteOptions& options, const SiteJob& job, int site) {
  return options.server ? is_server(job, site) : site == 0;
}

// A server holds the shared model. Without one every process of MPI writes it, which is the same for all,
// where it runs: the sites may be on machines of their own.
bool writes_shared(const SiteOptions& options, const SiteJob& job, int site) {
  return reports(options, job, site) || (mpi_place() && !options.server);
}

// Before anything is read or charged. A process of MPI writes what is of its own site.
void check_site_outputs(const SiteOptions& options, const CoupledPlaces& places, const SiteJob& job) {
  if (!places.page.curve.empty())
    fail_usage("--curve is for one place that has the data; leave it out over sites");
  places.page.check(true, "", true, places.study);
  if (shares_nothing(job))
    refuse_given(
        {{"--output", !places.output.empty()},
         {"--site-models", !options.site_models.empty()},
         {"--report", places.page.wanted()}},
        "is for a shared model, and method no-sharing is a baseline that has no shared model; leave it out");
  std::vector<std::string> inputs = {places.study}, outputs;
  for (const auto& [entity, file] : job.study.positions) inputs.push_back(file);
  for (const SiteStudy::Relation& relation : job.study.relations) inputs.push_back(relation.file);
  for (const SiteStudy::Site& site : job.study.sites) {
    inputs.insert(inputs.end(), {site.file, site.test, site.ledger});
    for (const auto& [relation, file] : site.files) inputs.push_back(file);
  }
  const auto place = mpi_place();
  if (!place || writes_shared(options, job, place->rank)) outputs.push_back(places.output);
  if (!place || reports(options, job, place->rank)) outputs.push_back(places.page.path);
  for (int site = 0; site < static_cast<int>(job.study.sites.size()); ++site)
    if (!place || place->rank == site) outputs.push_back(own_model(options, job, site));
  check_outputs(outputs, inputs);
}

// The shared model once; a site's own users in a file of that site.
void write_site(const SiteOptions& options, const CoupledPlaces& places, const SiteJob& job,
                const SiteOutcome& site) {
  if (site.stopped || shares_nothing(job)) return;
  const std::string account =
      is_server(job, site.site) ? "" : job.study.sites[static_cast<std::size_t>(site.site)].account;
  write_outputs(account, [&] {
    save_models(
        {writes_shared(options, job, site.site) ? places.output : "", own_model(options, job, site.site)},
        job.completion, site.outcome, *site.data);
  });
  site.payment->delivered();
}

// The page of the whole run: of what all sites share, and so the same at every site.
void write_page_of_sites(const CoupledPlaces& places, const SiteJob& job,
                         const std::vector<SiteOutcome>& sites) {
  const SiteOutcome& first = sites.front();
  if (!places.page.wanted()) return;
  write_page(places.page, "Privacy report: a model of several sites", report_of(job, sites),
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

void print_sites(const CoupledPlaces& places, const SiteJob& job, const std::vector<SiteOutcome>& sites) {
  const SiteOutcome& first = sites.front();
  const Completion& fit = first.outcome.completion;
  fmt::print("{} {} sites with {}: {} sums, {} bytes sent and {} received by {}\n", bold("Coupled"),
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
  if (!places.output.empty()) fmt::print("{} {}\n", bold("Model:"), places.output);
  if (places.page.wanted()) fmt::print("{} {}\n", bold("Report:"), places.page.path);
}

// Of a process of MPI: its own site, and those of which it knows that they stopped, without why.
std::vector<SiteOutcome> known_at(const SiteOutcome& site) {
  std::vector<SiteOutcome> known = {site};
  for (int gone : site.gone) known.push_back({.site = gone, .stopped = "it ended before the others"});
  return known;
}

void show_sites(const CoupledPlaces& places, const SiteJob& job, const std::vector<SiteOutcome>& sites) {
  write_page_of_sites(places, job, sites);
  if (places.json)
    fmt::print("{}\n", json_text(report_of(job, sites), 2));
  else
    print_sites(places, job, sites);
}

}  // namespace

void SiteOptions::declare_private(Verb& verb) {
  BudgetOptions::declare(verb);
  const char* const group = "Privacy";
  declare_most_lost(verb, most_lost);
  verb.add_option("--unit", unit,
                  "Whose data are protected: user, all of a user's; entry, one of them (ldp1, ldp2)")
      .one_of({"user", "entry"})
      .show_default()
      .group(group);
  verb.add_option("--range", range, "Public bounds of a value, LOW:HIGH; values outside are clamped")
      .group(group);
  verb.add_option(
          "--colluding", colluding,
          "The guarantee holds when so many sites put together what they know; 0: against outsiders only")
      .show_default()
      .group(group);
  verb.add_option("--threshold", threshold, "Sites may stop on the way as long as so many are left [all]")
      .group(group);
  verb.add_option("--rate", sampling_rate,
                  "Share of the users that a step of gradient or dp-sgld samples [1]; as published, of a "
                  "site's cells [0.02]")
      .group(group);
  verb.add_option("--sweeps", sweeps,
                  "Sweeps of method als [as many as pay], or steps of gradient [100] or dp-sgld [40, as "
                  "published 100]")
      .group(group);
  std::vector<MethodSetting> taken = find_method("dp-sgld").settings;
  std::ranges::copy_if(find_method("ldp1").settings, std::back_inserter(taken), [&](const auto& setting) {
    return std::ranges::find(taken, setting.name, &MethodSetting::name) == taken.end();
  });
  for (const MethodSetting& setting : taken)
    if (setting.name != setting::steps.name && setting.name != setting::sampling_rate.name)
      verb.add_option_function<std::string>(
              fmt::format("--{}", setting.name),
              [this, setting](const std::string& text) { settings.parse(setting, text); },
              std::string(setting.meaning))
          .group(group);
}

void SiteOptions::declare(Verb& verb, OptionUses& uses) {
  const char* const group = "Privacy";
  verb.add_option(
          "--trust", trust,
          "central: one place sees all data, without privacy; sites: each site of the study sees its own "
          "table alone, and what leaves it is noisy and masked")
      .one_of({"central", "sites"})
      .show_default()
      .group(group);
  uses.declare(verb, kPrivate, [&] { declare_private(verb); });
  uses.declare(verb, kSites, [&] {
    verb.add_option("--method", method, "The method of a run over sites").show_default().group(group);
    verb.add_option("--overlap", overlap,
                    "The data of one user may be at so many sites; the noise grows by this factor")
        .positive()
        .show_default()
        .group(group);
    verb.add_flag(
            "--server", server,
            "A server without data carries the sites' messages and holds the shared factors: with MPI the "
            "last process, one more than there are sites. It alone writes the model; any site may stop, "
            "the first too, as far as --threshold allows")
        .group(group);
    verb.add_option("--sites", sites,
                    "Deal the users of a study's [split] to so many sites: a simulation; 1: all in one place")
        .group(group);
    verb.add_option("--site-models", site_models,
                    "A folder in which every site leaves a model with the rows of its own users, SITE.npz")
        .group(group);
  });
}

void run_couple_sites(const SiteOptions& options, const CoupledPlaces& places) {
  const SiteJob job = site_job(options, places);
  check_site_outputs(options, places, job);
  if (std::ranges::any_of(job.study.sites, [](const auto& site) { return !site.account.empty(); }))
    say_when_interrupted("nothing was written; whether the sites' accounts were charged: tulle budget show");
  if (mpi_place()) {
    run_site_of_mpi(
        job,
        [&](const SiteOutcome& site) {
          write_site(options, places, job, site);
          if (reports(options, job, site.site)) return show_sites(places, job, known_at(site));
          if (places.json) return;
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
    const Progress progress("coupling sites");
    return run_sites_here(job);
  }();
  for (const SiteOutcome& site : sites) write_site(options, places, job, site);
  show_sites(places, job, sites);
}

}  // namespace tulle::cli
