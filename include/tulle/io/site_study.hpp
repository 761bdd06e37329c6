// A study whose tables lie at several sites, each of which has the rows of its own users: docs/study-file.md.
#pragma once

#include <tulle/data/coupling.hpp>
#include <tulle/data/public_positions.hpp>
#include <tulle/io/read.hpp>

#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace tulle {

struct SiteStudy {
  // A table of every site, with its own users; or a public one, without users, which all sites read.
  struct Relation {
    std::string name;
    std::vector<std::string> entities = {};  // in the order of its modes
    ReadOptions reading = {};
    std::optional<std::pair<double, double>> clamp = {};  // of the values: low, high
    std::optional<std::pair<double, double>> range = {};  // of those of all sites' relations but the first
    bool is_public = false;
    std::string file = "";          // of a public one
    std::string values = "as-is";   // what is made of its values
    std::vector<int> dropped = {};  // positions of its last entity, from 1 on

    bool has(const std::string& entity) const;
  };
  struct Site {
    std::string name;
    std::string file, test;              // of the first relation. test: to measure the error on; "": none
    std::optional<double> holdout = {};  // instead of a test file: this part of the cells
    std::string ledger, account;         // that the site's run is charged to; "": none
    // Where sites are simulated on one table: the part of the users in its files that is dealt to it. The
    // cells of a user are dealt to `overlap` sites.
    int part = 0, parts = 1, overlap = 1;
    std::map<std::string, std::string> files = {};  // of further relations, by name: those that it has
  };

  std::string title;
  std::vector<Relation> relations;               // the first is one of the sites'
  std::string private_entity;                    // whose positions each site has for itself
  std::vector<std::string> local;                // entities of which each site has factors of its own
  std::map<std::string, Index> sizes;            // of shared entities whose positions go by number
  std::map<std::string, std::string> positions;  // of the others: files with a label per line
  std::optional<Index> rank;
  std::vector<Site> sites;
  bool simulated = false;  // one table, dealt out

  const Relation& first() const { return relations.front(); }
  // Of the sites' relations, those of the first one first: the modes of the tensor that they make together.
  std::vector<std::string> entities() const;
  int user_mode() const;  // among them
  bool is_local(const std::string& entity) const;

  // Deals the users of a simulated study to so many sites, the cells of each to `overlap` of them; 1 site:
  // the table as it is. A UsageError for other studies.
  void deal_to(int count, int overlap = 1);
};

// Whether a study file names sites.
bool has_sites(const std::string& path);
// Reads the file and none of its tables: a site reads its own. `tables`: the folder that their paths are
// relative to; empty: that of the file.
SiteStudy read_site_study(const std::string& path, const std::string& tables = "");
// Of an entity that sites share, for tables that name its positions or that number them. An Error where a
// table numbers what the study lists by other names.
PublicPositions stated_positions(const SiteStudy& study, const std::string& entity, bool has_labels);
// The table of a public relation, whose modes are numbered as study.entities() has them.
PublicTable read_public_table(const SiteStudy& study, const SiteStudy::Relation& relation);

}  // namespace tulle
