// tulle couple --trust sites: a study whose table lies at several sites.
#pragma once

#include "page/page_options.hpp"
#include "privacy_options.hpp"

namespace tulle::cli {

struct SiteOptions : BudgetOptions {
  std::string trust = "central", method = "als", unit = "user", range, site_models;
  int colluding = 1, threshold = 0, overlap = 1, sweeps = -1, sites = 0;
  bool server = false;
  std::optional<double> sampling_rate;
  Settings settings;

  void declare(Verb& verb);
  // Whether the run is over sites. A UsageError where options for sites are given without them.
  bool over_sites() const;
};

// What couple has of its own.
struct CoupledPlaces {
  std::string study, tables, output;
  int rank = 0;
  std::optional<std::uint64_t> seed;
  bool json = false;
  PageOptions page = {};
};

void run_couple_sites(const SiteOptions& options, const CoupledPlaces& places);

}  // namespace tulle::cli
