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

// What a study file says; no table is read. Without privacy it is a coupled model of all its relations, which
// read_tables() reads. A private study names the entity that the guarantee is for: each of its relations is a
// table of these users, in one place or at every site, or a public one.
struct StudyFile {
  struct Relation {
    std::string name;
    std::vector<std::string> entities = {};  // in the order of its modes
    ReadOptions reading = {};
    // In a private study.
    std::optional<std::pair<double, double>> clamp = {};  // of the values: low, high
    std::optional<std::pair<double, double>> range = {};  // of those of users' relations but the first
    bool is_public = false;
    std::string file = "";                 // "": where the sites say
    Transform values = Transform::none;    // what is made of its values
    std::vector<int> dropped = {};         // positions of its last entity, from 1 on
    std::string where = "";                // the file and line of it, for errors
    std::string formula = "", model = "";  // one of them, without privacy: cp, tucker
    Divergence divergence = KullbackLeibler{};
    double weight = 1, floor = 0;  // of the divergence, of the values

    bool has(const std::string& entity) const;
  };
  // Who has tables of users: a site, or the one place that has all of them.
  struct Site {
    std::string name;
    std::string file, test;              // of the first relation. test: to measure the error on; "": none
    std::optional<double> holdout = {};  // instead of a test file: this part of the cells
    std::string ledger, account;         // that the site's run is charged to; "": none
    // Where sites are simulated on one table: the part of the users in its files that is dealt to it. The
    // cells of a user are dealt to `overlap` sites.
    int part = 0, parts = 1, overlap = 1;
    std::map<std::string, std::string> files = {};  // of further relations, by name: those that it has

    std::vector<std::string> tables() const;  // all that it has of its users
  };
  // Of the elements of a factor: one of them, or none.
  struct Prior {
    std::optional<GammaPrior> gamma = {};
    std::optional<NormalPrior> normal = {};
  };

  std::string path, title;
  std::vector<std::string> entities;
  std::vector<Relation> relations;     // the first of a private study is one of users
  bool is_partial = false;             // relations of the file were left out
  std::optional<Index> rank;           // of latent indices without a size
  std::map<std::string, Index> sizes;  // of latent indices, and of entities whose positions go by number

  std::string inference;  // "": not stated
  Prior prior;            // of all factors without one of their own
  std::map<std::string, Prior> priors;

  std::string private_entity;                    // "": nothing is private
  std::vector<std::string> local;                // entities of which each site has factors of its own
  std::map<std::string, std::string> positions;  // of other entities: files with a label per line
  std::vector<Site> sites;                       // one, without a name, where all is in one place
  bool simulated = false;                        // one table, dealt out

  bool is_private() const { return !private_entity.empty(); }
  bool has_sites() const { return simulated || sites.size() > 1; }
  std::vector<std::string> inputs() const;  // all files that it names
  const Relation& first() const { return relations.front(); }
  // Entities of the users' relations, those of the first one first: the modes of the tensor that these make.
  std::vector<std::string> modes() const;
  int user_mode() const;  // among them
  bool is_local(const std::string& entity) const;

  // Deals the users of a simulated study to so many sites, the cells of each to `overlap` of them; 1 site:
  // the table as it is. A UsageError for other studies.
  void deal_to(int count, int overlap = 1);
};

// What is read otherwise than the file says.
struct StudyChanges {
  std::string tables;         // the folder that paths of tables are relative to; empty: that of the file
  std::string only;           // one relation, by its name, without the others; empty: all
  std::optional<Index> rank;  // of latent indices that [sizes] does not name
  std::optional<Divergence> divergence;  // of all relations
  std::optional<double> floor;           // of all relations
  std::optional<GammaPrior> prior;       // of all factors that [priors] does not name
};

// Errors name the file and the line.
StudyFile read_study(const std::string& path, const StudyChanges& changes = {});

// Without privacy: the model that the file states, and all its tables. An Error of a private study.
Study read_tables(const StudyFile& file);
// More cells of a relation, from a file that has positions and values as the relation's own file has them.
Dataset read_cells_of(const StudyFile& file, const Study& study, int product, const std::string& path,
                      ReadOptions reading);

// Of a private study: the positions of an entity other than the users, for tables that name them or that
// number them. An Error where a table numbers what the study lists by other names.
PublicPositions stated_positions(const StudyFile& study, const std::string& entity, bool has_labels);
// The table of a public relation, whose modes are numbered as study.modes() has them.
PublicTable read_public_table(const StudyFile& study, const StudyFile::Relation& relation);

}  // namespace tulle
