// What a run over sites is asked for, by whichever door: the study, the terms of its privacy, the fit, the
// outputs.
#pragma once

#include <tulle/job/options/option_table.hpp>
#include <tulle/job/options/page.hpp>
#include <tulle/job/options/privacy.hpp>
#include <tulle/job/site_run.hpp>

#include <cstdint>
#include <optional>
#include <string>

namespace tulle {

struct FederationOptions {
  std::string study, tables;
  int sites = 0;  // of a table that is dealt out; 0: as the study says

  BudgetOptions privacy;
  Unit unit = Unit::user;
  std::optional<Range> range;
  Sites terms;
  std::optional<double> most_lost;

  std::string method = first_method(&Method::sums_over_sites).name;
  Settings settings;
  std::optional<double> sampling_rate;
  int sweeps = -1, rank = 0;
  std::optional<std::uint64_t> seed;

  std::string output, site_models;
  bool keep_releases = true;  // in the file of the shared model
  PageOptions page;

  OptionUses uses;

  void declare(OptionTable& table);
  // With method no-sharing nothing leaves a site, and nothing is private.
  bool is_private() const { return method != "no-sharing"; }

 private:
  void declare_private(OptionTable& table);
};

// Checked, and its outputs too; no table is read. A UsageError where it cannot be met.
SiteJob site_job(const FederationOptions& options);

// Where the model of a site with its own users' rows goes; "" where it is not wanted, and of a server.
std::string own_model(const FederationOptions& options, const SiteJob& job, int site);
// Whether this site, or the server, reports on the whole run: it carries the messages.
bool reports(const FederationOptions& options, const SiteJob& job, int site);
// A server holds the shared model. Without one every process of MPI writes it, which is the same for all,
// where it runs: the sites may be on machines of their own.
bool writes_shared(const FederationOptions& options, const SiteJob& job, int site);

}  // namespace tulle
