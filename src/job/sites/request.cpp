#include <tulle/base/error.hpp>
#include <tulle/exchange/mpi.hpp>
#include <tulle/io/outputs.hpp>
#include <tulle/job/options/common.hpp>
#include <tulle/job/sites/request.hpp>

#include <algorithm>
#include <filesystem>

namespace tulle {
namespace {

// The use of options that play no part where nothing is private.
constexpr const char* kPrivate = "private";

SiteJob site_job_of(const FederationOptions& options) {
  const bool is_private = options.is_private();
  if (!is_private)
    options.uses.refuse(
        kPrivate, "is for a private run, and with method no-sharing nothing is private; omit one of them");
  if (is_private && !options.privacy.epsilon)
    fail_usage("a run over sites needs @epsilon E, @range LOW:HIGH and, but for {}, @delta D",
               names_of_methods(&Method::sends_entries, Job::completion, " and "));
  if (is_private && !options.range)
    fail_usage("a run over sites needs @range LOW:HIGH, the public bounds of a value");
  check_most_lost(options.most_lost);
  SiteJob job{.study = read_study(options.study, {.tables = options.tables}),
              .completion = {.method = options.method,
                             .settings = options.settings,
                             .keep_releases = options.keep_releases},
              .unit = options.unit,
              .most_lost = options.most_lost,
              .ledger = is_private ? default_ledger() : ""};
  if (!job.study.has_sites()) fail_usage("{} has no sites; run tulle couple", options.study);
  const int overlap = options.terms.overlap;
  if (options.sites != 0 || (overlap != 1 && job.study.simulated))
    job.study.deal_to(options.sites != 0 ? options.sites : static_cast<int>(job.study.sites.size()), overlap);
  if (job.study.sites.size() == 1)
    refuse_given({{"colluding", options.terms.colluding != 1}, {"threshold", options.terms.threshold != 0}},
                 "is for several sites, and here all is in one place; omit it");
  Terms& terms = job.completion.terms;
  if (is_private) {
    terms.budget = options.privacy.budget();
    terms.range = *options.range;
  }
  terms.calibration = options.privacy.calibration;
  terms.seed = options.seed;
  terms.sites = options.terms;
  if (options.sampling_rate) job.completion.settings.set(setting::sampling_rate, *options.sampling_rate);
  if (options.sweeps < -1) fail_usage("@sweeps {}: give 0 or more", options.sweeps);
  if (options.sweeps >= 0) job.completion.settings.set(setting::steps, options.sweeps);
  if (options.rank > 0) job.completion.fit.ranks = {options.rank};
  job.completion.fit.seed = seed_or_new(options.seed);
  complete_terms(job);
  return job;
}

// Before anything is read or charged. A process of MPI writes what is of its own site.
void check_site_outputs(const FederationOptions& options, const SiteJob& job) {
  options.page.check(true, "", true, options.study);
  if (shares_nothing(job))
    refuse_given(
        {{"output", !options.output.empty()},
         {"site-models", !options.site_models.empty()},
         {"report", options.page.wanted()}},
        "is for a shared model, and method no-sharing is a baseline that has no shared model; omit it");
  std::vector<std::string> outputs;
  const auto place = mpi_place();
  if (!place || writes_shared(options, job, place->rank)) outputs.push_back(options.output);
  if (!place || reports(options, job, place->rank)) outputs.push_back(options.page.path);
  for (int site = 0; site < static_cast<int>(job.study.sites.size()); ++site)
    if (!place || place->rank == site) outputs.push_back(own_model(options, job, site));
  check_outputs(outputs, job.study.inputs());
}

}  // namespace

SiteJob site_job(const FederationOptions& options) {
  SiteJob job = site_job_of(options);
  check_site_outputs(options, job);
  return job;
}

std::string own_model(const FederationOptions& options, const SiteJob& job, int site) {
  if (options.site_models.empty() || is_server(job, site)) return "";
  const std::string& name = job.study.sites[static_cast<std::size_t>(site)].name;
  return (std::filesystem::path(options.site_models) / (name + ".npz")).string();
}

bool reports(const FederationOptions& options, const SiteJob& job, int site) {
  return options.terms.server ? is_server(job, site) : site == 0;
}

bool writes_shared(const FederationOptions& options, const SiteJob& job, int site) {
  return reports(options, job, site) || (mpi_place() && !options.terms.server);
}

// ---- The table of options ----

namespace {

bool samples_over_sites(const Method& each) {
  return each.sums_over_sites() && each.setting(setting::sampling_rate.name);
}

// The methods with steps that sample, or not, and how many they take: "gradient [100] or dp-sgld [40]".
std::string steps_over_sites(bool sampled) {
  std::vector<std::string> texts;
  for (const Method& each : methods(Job::completion))
    if (const auto* steps = each.setting(setting::steps.name);
        steps && each.sums_over_sites() && samples_over_sites(each) == sampled)
      texts.push_back(fmt::format("{} [{}]", each.name, steps->otherwise));
  return fmt::format("{}", fmt::join(texts, " or "));
}

}  // namespace

void FederationOptions::declare_private(OptionTable& table) {
  declare_releases(table, keep_releases);
  privacy.declare(table);
  const char* const group = "Privacy";
  declare_most_lost(table, most_lost, "never: other sites would see it");
  table
      .add("unit", unit, unit_of,
           fmt::format("Unit of protection: user, all data of a user; entry, one value ({})",
                       names_of_methods(&Method::sends_entries, Job::completion, ", ")))
      .one_of({"user", "entry"})
      .show_default({std::string("user")})
      .group(group);
  declare_range(table, range);
  table.add("colluding", terms.colluding, "Number of colluding sites to protect against; 0: outsiders only")
      .show_default()
      .group(group);
  table
      .add("threshold", terms.threshold,
           "Minimum number of sites that must stay; the others may drop out during the run [all]")
      .group(group);
  table
      .add("rate", sampling_rate,
           fmt::format("Fraction of the users that a step of {} samples [1]; as published, of a site's cells "
                       "[0.02]",
                       names_of_methods(samples_over_sites)))
      .group(group);
  table
      .add("sweeps", sweeps,
           fmt::format("Number of sweeps of {}, or of steps of {}", steps_over_sites(false),
                       steps_over_sites(true)))
      .group(group);
  declare_settings(table, [](const Method& each) { return each.couples || each.sends_entries(); }, settings,
                   group, {setting::steps.name, setting::sampling_rate.name});
}

void FederationOptions::declare(OptionTable& table) {
  const char* const group = "Privacy";
  table.add("study", study, "Study file (.toml): entities, relations, sites").required();
  table.add("output", output, "File for the shared model (.npz)");
  table.add("site-models", site_models,
            "Folder in which every site writes a model with the rows of its own users, SITE.npz");
  table.add("tables", tables, "Folder of the study's tables [that of the study file]");
  table.add("rank", rank, "Size of every latent index that is not in the study's sizes").positive();
  table.add("method", method, "Method (see: tulle methods)").show_default();
  uses.declare(table, kPrivate, [&] { declare_private(table); });
  table
      .add("overlap", terms.overlap,
           "Maximum number of sites with data of one user; the noise grows by this factor")
      .positive()
      .show_default()
      .group(group);
  table
      .add("server", terms.server,
           "Add a server without data (with MPI: one more process, the last) that carries messages, holds "
           "the shared factors and alone writes the model; any site may then stop, the first too, within "
           "@threshold")
      .group(group);
  table
      .add("sites", sites,
           "Number of sites to simulate, to which the users of the study's split are dealt; 1: all in one "
           "place")
      .group(group);
  page.declare(table, false);
  declare_seed(table, seed);
  declare_threads(table);
  table.mark_everyday(
      {"output", "rank", "method", "epsilon", "delta", "range", "colluding", "threshold", "sites", "report"});
}

}  // namespace tulle
