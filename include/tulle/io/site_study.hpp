// A study whose table lies at several sites, each of which has the rows of its own users: docs/study-file.md.
#pragma once

#include <tulle/io/read.hpp>

#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace tulle {

struct SiteStudy {
  struct Site {
    std::string name;
    std::string file, test;              // test: cells to measure the error on; "": none
    std::optional<double> holdout = {};  // instead of a test file: this part of the cells
    std::string ledger, account;         // that the site's run is charged to; "": none
    int part = 0, parts = 1;  // of the users in its files, dealt out: where sites are simulated on one table
  };

  std::string title;
  std::string relation;                            // its name
  std::vector<std::string> entities;               // of the relation, in the order of its modes
  int private_entity = 0;                          // among them: whose positions each site has for itself
  ReadOptions reading;                             // of all sites' files
  std::optional<std::pair<double, double>> clamp;  // of their values: low, high
  std::map<std::string, Index> sizes;              // of shared entities whose positions go by number
  std::map<std::string, std::string> positions;    // of the others: files with a label per line
  std::optional<Index> rank;
  std::vector<Site> sites;
  bool simulated = false;  // one table, dealt out

  // Deals the users of a simulated study to so many sites; 1: the table as it is. A UsageError for other
  // studies.
  void deal_to(int count);
};

// Whether a study file names sites.
bool has_sites(const std::string& path);
// Reads the file and none of its tables: a site reads its own. `tables`: the folder that their paths are
// relative to; empty: that of the file.
SiteStudy read_site_study(const std::string& path, const std::string& tables = "");

}  // namespace tulle
