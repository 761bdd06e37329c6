// The study file: tables that share entities, in one place or at several sites, in TOML. docs/study-file.md
// describes it.
#pragma once

#include <tulle/data/coupling.hpp>
#include <tulle/data/public_positions.hpp>
#include <tulle/data/study.hpp>
#include <tulle/io/read.hpp>

#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace tulle {

enum class Transform { none, binary, log };
std::string_view name(Transform transform);

// The contents of a study file, without its tables. Without privacy the study is a coupled model of all its
// relations, whose tables read_tables() reads. A private study names the entity that the guarantee protects:
// each of its relations is a table of these users, in one place or at every site, or a public table.
struct StudyFile {
  struct Relation {
    std::string name;
    std::vector<std::string> entities = {};  // in the order of its modes
    ReadOptions reading = {};
    // In a private study.
    std::optional<std::pair<double, double>> clamp = {};  // of the values: low, high
    std::optional<std::pair<double, double>> range = {};  // of the values of users' relations but the first
    bool is_public = false;
    std::string file = "";                 // "": each site states its own
    Transform values = Transform::none;    // of the values
    std::vector<int> dropped = {};         // positions of its last entity, from 1 on
    std::string where = "";                // its file and line, for errors
    std::string formula = "", model = "";  // one of the two, without privacy; model: cp, tucker
    Divergence divergence = KullbackLeibler{};
    double weight = 1, floor = 0;  // of the divergence, of the values

    bool has(const std::string& entity) const;
  };
  // A holder of tables of users: a site, or the one place that has all of them.
  struct Site {
    std::string name;
    std::string file, test;              // of the first relation. test: to measure the error on; "": none
    std::optional<double> holdout = {};  // instead of a test file: this share of the cells
    std::string ledger, account;         // to which the site's run is charged; "": none
    // For sites simulated on one table: the part of the users in its files that is assigned to this site. The
    // cells of a user are divided among `overlap` sites.
    int part = 0, parts = 1, overlap = 1;
    std::map<std::string, std::string> files = {};  // of the further relations that it has, by name

    std::vector<std::string> tables() const;  // all tables of its users
  };
  // The prior of the elements of a factor: at most one of the two.
  struct Prior {
    std::optional<GammaPrior> gamma = {};
    std::optional<NormalPrior> normal = {};
  };

  std::string path, title;
  std::vector<std::string> entities;
  std::vector<Relation> relations;     // the first one of a private study is a table of users
  bool is_partial = false;             // StudyChanges::only omitted relations of the file
  std::optional<Index> rank;           // of latent indices without a size
  std::map<std::string, Index> sizes;  // of latent indices, and of entities with numbered positions

  std::string inference;  // "": not stated
  Prior prior;            // of all factors without one of their own
  std::map<std::string, Prior> priors;

  std::string private_entity;                    // "": nothing is private
  std::vector<std::string> local;                // entities for which each site has its own factors
  std::map<std::string, std::string> positions;  // of other entities: files with a label per line
  std::vector<Site> sites;                       // a single one without a name if all is in one place
  bool simulated = false;                        // one table, divided among sites

  bool is_private() const { return !private_entity.empty(); }
  bool has_sites() const { return simulated || sites.size() > 1; }
  std::vector<std::string> inputs() const;  // all files that it names
  const Relation& first() const { return relations.front(); }
  // The entities of the users' relations, those of the first one first: the modes of their common tensor.
  std::vector<std::string> modes() const;
  int user_mode() const;  // among them
  bool is_local(const std::string& entity) const;

  // Divides the users of a simulated study among `count` sites, and the cells of each user among `overlap` of
  // them; 1 site: the table as it is. Throws a UsageError for other studies.
  void deal_to(int count, int overlap = 1);
};

// Changes of what the file states.
struct StudyChanges {
  std::string tables;         // the folder that paths of tables are relative to; empty: that of the file
  std::string only;           // the name of the only relation to read; empty: all
  std::optional<Index> rank;  // of latent indices that [sizes] does not name
  std::optional<Divergence> divergence;  // of all relations
  std::optional<double> floor;           // of all relations
  std::optional<GammaPrior> prior;       // of all factors that [priors] does not name
};

// Errors name the file and the line.
StudyFile read_study(const std::string& path, const StudyChanges& changes = {});

// The model that the file states, and all its tables. Throws an Error for a private study.
Study read_tables(const StudyFile& file);
// Further cells of a relation, from a file with the same layout as the relation's own.
Dataset read_cells_of(const StudyFile& file, const Study& study, int product, const std::string& path,
                      ReadOptions reading);

// The positions of an entity of a private study other than the users, for tables with labels or with numbers.
// Throws an Error if a table numbers positions that the study lists by other names.
PublicPositions stated_positions(const StudyFile& study, const std::string& entity, bool has_labels);
// The table of a public relation, with modes numbered as in study.modes().
PublicTable read_public_table(const StudyFile& study, const StudyFile::Relation& relation);

}  // namespace tulle
