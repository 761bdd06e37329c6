// tulle couple --trust sites: a study whose table lies at several sites.
#pragma once

#include "options.hpp"
#include "page/page_options.hpp"
#include "privacy_options.hpp"

namespace tulle::cli {

struct SiteOptions : BudgetOptions {
  std::string trust = "central", method = "als", unit = "user", range, site_models;
  int colluding = 1, threshold = 0, overlap = 1, sweeps = -1, sites = 0;
  bool server = false;
  std::optional<double> sampling_rate, most_lost;
  Settings settings;

  // Two uses: options of every run over sites, and those of a private one.
  static constexpr const char* kSites = "sites";
  static constexpr const char* kPrivate = "private";
  void declare(Verb& verb, OptionUses& uses);
  bool over_sites() const { return trust == "sites"; }
  // With method no-sharing nothing leaves a site, and nothing is private.
  bool is_private() const { return method != "no-sharing"; }

 private:
  void declare_private(Verb& verb);
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
