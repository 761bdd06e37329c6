#include "../memory.hpp"
#include "formula.hpp"
#include "private_study.hpp"
#include "table_values.hpp"

#include <tulle/base/error.hpp>
#include <tulle/base/names.hpp>
#include <tulle/base/spelling.hpp>
#include <tulle/base/suggestion.hpp>
#include <tulle/base/toml.hpp>
#include <tulle/io/study.hpp>

#include <algorithm>
#include <cmath>
#include <filesystem>

namespace tulle {
namespace {

namespace fs = std::filesystem;
using Relation = StudyFile::Relation;

TomlSection open_study(const std::string& path) {
  return is_in_memory(path) ? TomlSection::parse(text_in_memory(path), path) : TomlSection::load(path);
}

std::string in_folder(const fs::path& folder, const std::string& file) {
  return is_in_memory(file) ? file : (folder / file).string();
}

// Returns choose(); its errors name the line of the key.
template <class Choose>
auto chosen(const TomlSection& section, std::string_view key, const Choose& choose) {
  try {
    return choose();
  } catch (const Error& error) {
    fail("{}: {}", section.place(key), text_of(error));
  }
}

// ---- Relations ----

constexpr Names<Unlisted, 2> kUnlisted = {{{Unlisted::missing, "missing"}, {Unlisted::zero, "zero"}}};

// The divergence, stated by its name or as the number p.
Divergence divergence_in(TomlSection& section) {
  const auto number = section.find<double>("p");
  const auto name = section.find<std::string>("divergence");
  if (number && name)
    fail("{}: a relation has a divergence by its name or as p, not both", section.place("p"));
  return chosen(section, number ? "p" : "divergence",
                [&] { return divergence_of(number ? fmt::format("{}", *number) : name.value_or("kl")); });
}

// Reads the model of a relation and its divergence, for a study without privacy.
void read_model(TomlSection& section, Relation& relation) {
  relation.formula = section.get<std::string>("formula", "");
  relation.model = section.get<std::string>("model", relation.formula.empty() ? "cp" : "");
  if (!relation.formula.empty() && !relation.model.empty())
    fail("{}: a relation has a formula or a model by its name, not both", relation.where);
  if (!relation.model.empty() && relation.model != "cp" && relation.model != "tucker")
    chosen(section, "model", [&] {
      fail_unknown("model", relation.model, std::vector<std::string>{"cp", "tucker"});
    });
  if (relation.name.empty() && !relation.formula.empty())
    relation.name = parse_formula(relation.formula, section.place("formula")).left.name;
  relation.divergence = divergence_in(section);
  relation.weight = section.get<double>("weight", 1);
  relation.floor = section.get<double>("floor", 0);
  relation.reading.unlisted = chosen(section, "unlisted", [&] {
    return find_named(kUnlisted, section.get<std::string>("unlisted", "missing"), "kind of unlisted cells");
  });
  relation.reading.is_column = relation.entities.size() == 1;
}

std::optional<std::pair<double, double>> read_bounds(TomlSection& relation, const char* key) {
  const auto bounds = relation.list<double>(key);
  if (bounds.empty()) return std::nullopt;
  if (bounds.size() != 2 || !(bounds[0] < bounds[1]))
    fail("{}: {} = [LOW, HIGH] has two numbers, the lower one first", relation.place(key), key);
  if (!(bounds[1] - bounds[0] >= 1e-30 && std::max(std::abs(bounds[0]), bounds[1]) <= 1e30))
    fail("{}: {} = [{:g}, {:g}]; give finite bounds, at most 1e30 and no less than 1e-30 apart",
         relation.place(key), key, bounds[0], bounds[1]);
  return std::pair(bounds[0], bounds[1]);
}

void read_bounds(TomlSection& section, Relation& relation) {
  relation.clamp = read_bounds(section, "clamp");
  relation.is_public = section.get<bool>("public", false);
  if (!relation.is_public) relation.range = read_bounds(section, "range");
}

// Reads the relation's file and the options for reading it.
void read_file(TomlSection& section, const fs::path& folder, Relation& relation) {
  const auto file = section.find<std::string>("file");
  if (!file) fail("{}: relation {} needs a file", relation.where, relation.name);
  relation.file = in_folder(folder, *file);
  relation.reading.nan_is_missing = true;
}

// Reads the keys that transform the table's values.
void read_values(TomlSection& section, Relation& relation) {
  relation.values =
      chosen(section, "values", [&] { return transform_of(section.get<std::string>("values", "as-is")); });
  relation.dropped = section.list<int>("drop");
  relation.reading.variable = section.get<std::string>("variable", "");
}

// ratings for data/ratings.csv.gz; empty without a file.
std::string name_of_file(TomlSection& section) {
  const std::string file = fs::path(section.find<std::string>("file").value_or("")).filename().string();
  return file.substr(0, file.find('.'));
}

Relation read_relation(TomlSection& section, const fs::path& folder, const StudyFile& study,
                       bool names_sites) {
  Relation relation{.name = section.get<std::string>("name", "")};
  relation.where = section.place();
  relation.entities = section.list<std::string>("entities");
  study.is_private() ? read_bounds(section, relation) : read_model(section, relation);
  if (relation.name.empty()) relation.name = name_of_file(section);
  if (relation.name.empty())
    fail("{}: a relation needs a name, or a formula that begins with it", relation.where);
  if (!names_sites || relation.is_public)
    read_file(section, folder, relation);
  else if (section.find<std::string>("file"))
    fail("{}: relation {}: sites state the files of their tables; remove file, or state public = true",
         section.place("file"), relation.name);
  if (!study.is_private() || relation.is_public) read_values(section, relation);
  relation.reading.columns = section.list<std::string>("columns");
  relation.reading.header = section.find<bool>("header");
  relation.reading.duplicates = chosen(
      section, "duplicates", [&] { return duplicates_of(section.get<std::string>("duplicates", "refuse")); });
  if (const auto format = section.find<std::string>("format"))
    relation.reading.format = chosen(section, "format", [&] { return format_of("." + *format); });
  section.refuse_the_rest();
  return relation;
}

void check_entity(const std::string& where, const std::string& entity,
                  const std::vector<std::string>& known) {
  if (std::ranges::find(known, entity) == known.end())
    fail("{}: '{}' is not among the entities{}; there is: {}", where, entity, suggestion(entity, known),
         fmt::join(known, ", "));
}

void check_entities(const Relation& relation, const std::vector<std::string>& known) {
  if (relation.entities.empty() || relation.entities.size() > 5)
    fail("{}: relation {} has {} entities; it needs 1 to 5", relation.where, relation.name,
         relation.entities.size());
  for (const std::string& entity : relation.entities)
    check_entity(fmt::format("{}: relation {}", relation.where, relation.name), entity, known);
}

void read_relations(TomlSection& section, const fs::path& folder, const StudyChanges& changes,
                    bool names_sites, StudyFile& study) {
  std::vector<std::string> names;
  for (TomlSection& each : section.tables("relations")) {
    Relation relation = read_relation(each, folder, study, names_sites);
    if (changes.divergence) relation.divergence = *changes.divergence;
    if (changes.floor) relation.floor = *changes.floor;
    if (std::ranges::count(names, relation.name) > 0)
      fail("{}: two relations are named {}; give each a name of its own", relation.where, relation.name);
    names.push_back(relation.name);
    check_entities(relation, study.entities);
    if (changes.only.empty() || changes.only == relation.name) study.relations.push_back(std::move(relation));
  }
  if (study.relations.empty() && !names.empty()) fail_unknown("relation", changes.only, names);
  if (study.relations.empty() || study.entities.empty())
    fail("{}: a study needs entities = [..] and at least one [[relations]]", study.path);
  study.is_partial = study.relations.size() < names.size();
}

// ---- Sizes and priors ----

Index positive(const TomlSection& place, const std::string& key, int size) {
  if (size < 1) fail("{}: {} is {}; it must be 1 or more", place.place(key), key, size);
  return static_cast<Index>(size);
}

void read_sizes(TomlSection& section, StudyFile& study) {
  if (const auto rank = section.find<int>("rank")) study.rank = positive(section, "rank", *rank);
  auto table = section.table("sizes");
  if (!table) return;
  for (const std::string& name : table->keys()) {
    if (study.is_private()) check_entity(table->place(name), name, study.entities);
    study.sizes[name] = positive(*table, name, table->get<int>(name, 0));
  }
}

StudyFile::Prior prior_in(TomlSection& section, const std::string& key) {
  auto table = section.table(key);
  if (!table) return {};
  const auto variance = table->find<double>("variance"), shape = table->find<double>("shape"),
             mean = table->find<double>("mean");
  table->refuse_the_rest();
  if (variance && (shape || mean))
    fail("{}: a prior has a shape and a mean, or a variance, not both", section.place(key));
  if (!(shape.value_or(1) > 0 && mean.value_or(1) > 0 && variance.value_or(1) > 0))
    fail("{}: a prior needs a shape and a mean above 0, or a variance above 0", section.place(key));
  if (variance) return {std::nullopt, NormalPrior{*variance}};
  return {GammaPrior{shape.value_or(1), mean.value_or(1)}, std::nullopt};
}

void read_inference(TomlSection& section, StudyFile& study) {
  study.inference = section.get<std::string>("inference", "");
  study.prior = prior_in(section, "prior");
  if (auto own = section.table("priors"))
    for (const std::string& factor : own->keys()) study.priors[factor] = prior_in(*own, factor);
}

// ---- Sites ----

// Reads the cells to measure the error on: those of a file, or a share of the table's.
void read_test_cells(TomlSection& section, const fs::path& folder, StudyFile::Site& site) {
  if (const auto test = section.find<std::string>("test")) site.test = (folder / *test).string();
  site.holdout = section.find<double>("holdout");
  if (!site.holdout) return;
  if (!site.test.empty())
    fail("{}: cells to measure the error on are read or held out; give test or holdout", section.place());
  if (!(*site.holdout > 0 && *site.holdout < 1))
    fail("{}: holdout is {}; it must be a number between 0 and 1", section.place("holdout"), *site.holdout);
}

// Reads the files of further relations, by the names of the relations.
void read_further_files(TomlSection& section, const fs::path& folder, const StudyFile& study,
                        StudyFile::Site& site) {
  auto files = section.table("files");
  if (!files) return;
  for (const std::string& name : files->keys()) {
    const auto relation = std::ranges::find(study.relations, name, &Relation::name);
    if (relation == study.relations.end() || relation->is_public || name == study.first().name)
      fail(
          "{}: files = {{..}} has the tables of the sites' relations but the first, and '{}' is none of them",
          files->place(name), name);
    site.files[name] = (folder / files->get<std::string>(name, "")).string();
  }
}

// [split]: one table, whose users are divided among sites.
void read_split(TomlSection& split, const fs::path& folder, StudyFile& study) {
  StudyFile::Site all;
  const auto file = split.find<std::string>("file");
  if (!file) fail("{}: a split needs a file", split.place());
  all.file = (folder / *file).string();
  read_further_files(split, folder, study, all);
  read_test_cells(split, folder, all);
  const int sites = split.get<int>("sites", 2);
  split.refuse_the_rest();
  study.simulated = true;
  study.sites = {all};
  study.deal_to(sites);
}

void read_sites(TomlSection& section, const fs::path& folder, StudyFile& study) {
  for (TomlSection& site : section.tables("sites")) {
    StudyFile::Site read;
    read.name = site.get<std::string>("name", "");
    const auto file = site.find<std::string>("file");
    if (read.name.empty() || !file) fail("{}: a site needs a name and a file", site.place());
    if (read.name.find('/') != std::string::npos || read.name.starts_with('.'))
      fail("{}: a site's name is that of its model's file; '{}' has a '/' or begins with a '.'", site.place(),
           read.name);
    read.file = (folder / *file).string();
    read_further_files(site, folder, study, read);
    for (const StudyFile::Site& other : study.sites) {
      if (other.name == read.name) fail("{}: there are two sites '{}'", site.place(), read.name);
      for (const std::string& table : read.tables())
        if (std::ranges::count(other.tables(), table) > 0)
          fail("{}: two sites have the file {}; each has a table of its own", site.place(), table);
    }
    read_test_cells(site, folder, read);
    read.ledger = site.get<std::string>("ledger", "");
    read.account = site.get<std::string>("account", "");
    if (read.ledger.empty() != read.account.empty())
      fail("{}: a site is charged by its ledger and an account of that; give both or neither", site.place());
    if (!read.ledger.empty() && read.ledger.find("://") == std::string::npos)
      read.ledger = (folder / read.ledger).string();
    site.refuse_the_rest();
    study.sites.push_back(std::move(read));
  }
  if (study.sites.size() < 2) fail("{}: a study needs two [[sites]] or more, or none", section.path());
}

// Reads the holders of the users' tables: the sites, or the one place that has all tables.
void read_places(TomlSection& section, const fs::path& folder, bool names_sites, StudyFile& study) {
  auto split = section.table("split");
  if (split && !section.tables("sites").empty())
    fail("{}: a study has [[sites]] or one table to [split], not both", section.path());
  if (split) return read_split(*split, folder, study);
  if (names_sites) return read_sites(section, folder, study);
  StudyFile::Site all{.name = "", .file = study.first().file};
  for (const Relation& relation : study.relations)
    if (!relation.is_public && relation.name != study.first().name) all.files[relation.name] = relation.file;
  study.sites = {all};
}

void read_private(TomlSection& section, const fs::path& folder, bool names_sites, StudyFile& study) {
  if (names_sites) study.local = section.list<std::string>("local");
  if (auto positions = section.table("positions"))  // relative to the study file, not to the tables
    for (const std::string& name : positions->keys()) {
      check_entity(positions->place(name), name, study.entities);
      study.positions[name] =
          in_folder(fs::path(study.path).parent_path(), positions->get<std::string>(name, ""));
    }
  check_private(study);
  read_places(section, folder, names_sites, study);
}

}  // namespace

StudyFile read_study(const std::string& path, const StudyChanges& changes) {
  TomlSection section = open_study(path);
  const fs::path folder = changes.tables.empty() ? fs::path(path).parent_path() : fs::path(changes.tables);
  StudyFile study{.path = path};
  const std::string stem = fs::path(spelled(path, cpp_spelling())).stem().string();
  study.title = section.get<std::string>("title", stem);
  study.entities = section.list<std::string>("entities");
  for (const std::string& entity : study.entities)
    if (std::ranges::count(study.entities, entity) > 1)
      fail("{}: entity {} is listed twice; list it once", section.place("entities"), entity);
  const bool names_sites = !section.tables("sites").empty() || section.table("split");
  const auto users = section.list<std::string>("private");
  if (names_sites ? users.size() != 1 : users.size() > 1)
    fail("{}: private = [..] must name one entity: the users whom the guarantee protects", path);
  if (!users.empty()) study.private_entity = users.front();
  read_sizes(section, study);
  if (changes.rank) study.rank = *changes.rank;
  read_relations(section, folder, changes, names_sites, study);
  study.is_private() ? read_private(section, folder, names_sites, study) : read_inference(section, study);
  if (changes.prior) study.prior = {*changes.prior, std::nullopt};
  section.refuse_the_rest();
  return study;
}

}  // namespace tulle
