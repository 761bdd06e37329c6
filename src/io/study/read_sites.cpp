#include "open_study.hpp"
#include "table_values.hpp"
#include "text/lines.hpp"

#include <tulle/base/error.hpp>
#include <tulle/base/suggestion.hpp>
#include <tulle/base/toml.hpp>
#include <tulle/io/site_study.hpp>

#include <algorithm>
#include <cmath>
#include <filesystem>

namespace tulle {
namespace {

namespace fs = std::filesystem;

int place_of(const std::vector<std::string>& names, const std::string& name) {
  const auto found = std::ranges::find(names, name);
  return found == names.end() ? -1 : static_cast<int>(found - names.begin());
}

// Cells to measure the error on: those of a file, or a part of the table's.
void read_test_cells(TomlSection& section, const fs::path& folder, SiteStudy::Site& site) {
  if (const auto test = section.find<std::string>("test")) site.test = (folder / *test).string();
  site.holdout = section.find<double>("holdout");
  if (!site.holdout) return;
  if (!site.test.empty())
    fail("{}: cells to measure the error on are read or held out; give test or holdout", section.place());
  if (!(*site.holdout > 0 && *site.holdout < 1))
    fail("{}: holdout is {}; it must be a number between 0 and 1", section.place("holdout"), *site.holdout);
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

// Keys of a table that all sites read.
void read_public_keys(TomlSection& section, const fs::path& folder, SiteStudy::Relation& relation) {
  const auto file = section.find<std::string>("file");
  if (!file) fail("{}: relation {} is public and needs a file", section.place(), relation.name);
  relation.file = (folder / *file).string();
  relation.values = section.get<std::string>("values", relation.values);
  relation.dropped = section.list<int>("drop");
  relation.reading.variable = section.get<std::string>("variable", "");
  relation.reading.nan_is_missing = true;
  try {
    transform_of(relation.values);
  } catch (const Error& error) {
    fail("{}: {}", section.place("values"), text_of(error));
  }
}

SiteStudy::Relation read_site_relation(TomlSection& section, const fs::path& folder) {
  SiteStudy::Relation relation;
  relation.name = section.get<std::string>("name", "");
  if (relation.name.empty()) fail("{}: a relation needs a name", section.place());
  relation.entities = section.list<std::string>("entities");
  relation.reading.columns = section.list<std::string>("columns");
  relation.reading.header = section.find<bool>("header");
  if (const auto format = section.find<std::string>("format"))
    relation.reading.format = format_of("." + *format);
  relation.reading.duplicates = duplicates_of(section.get<std::string>("duplicates", "refuse"));
  relation.clamp = read_bounds(section, "clamp");
  relation.is_public = section.get<bool>("public", false);
  if (relation.is_public)
    read_public_keys(section, folder, relation);
  else
    relation.range = read_bounds(section, "range");
  if (!relation.is_public && section.find<std::string>("file"))
    fail("{}: relation {}: a table of the sites is where these say; leave file out, or state public = true",
         section.place("file"), relation.name);
  section.refuse_the_rest();
  if (relation.entities.size() < 2)
    fail("{}: relation {} needs two entities or more", section.place(), relation.name);
  return relation;
}

void read_site_relations(TomlSection& section, const fs::path& folder, SiteStudy& study) {
  for (TomlSection& each : section.tables("relations")) {
    SiteStudy::Relation relation = read_site_relation(each, folder);
    if (std::ranges::find(study.relations, relation.name, &SiteStudy::Relation::name) !=
        study.relations.end())
      fail("{}: there are two relations '{}'", each.place(), relation.name);
    study.relations.push_back(std::move(relation));
  }
  if (study.relations.empty()) fail("{}: a study needs at least one [[relations]]", section.path());
}

// Of the sites' own tables.
void check_private_relation(const std::string& path, const SiteStudy& study,
                            const SiteStudy::Relation& relation) {
  if (!relation.has(study.private_entity))
    fail(
        "{}: relation {} has no {}, so that the guarantee is for nobody in it; if it is public, state public "
        "= "
        "true and its file",
        path, relation.name, study.private_entity);
  for (const std::string& entity : relation.entities)
    if (std::ranges::count(relation.entities, entity) > 1)
      fail("{}: relation {} has entity {} twice; only a public relation may", path, relation.name, entity);
  const bool is_first = &relation == &study.first();
  if (is_first && relation.range)
    fail("{}: relation {} is the first, whose range is that of the run; leave range out", path,
         relation.name);
  if (!is_first && !relation.range)
    fail("{}: relation {} needs range = [LOW, HIGH], the public bounds of its values", path, relation.name);
}

// Its entities are shared by the sites, but for one at most, which it has for itself.
void check_public_relation(const std::string& path, const SiteStudy& study,
                           const SiteStudy::Relation& relation) {
  if (relation.has(study.private_entity))
    fail("{}: relation {} has {}, which is private to sites, and cannot be public", path, relation.name,
         study.private_entity);
  const std::vector<std::string> shared = study.entities();
  std::size_t own = 0;
  for (std::size_t mode = 0; mode < relation.entities.size(); ++mode) {
    const std::string& entity = relation.entities[mode];
    if (study.is_local(entity))
      fail(
          "{}: relation {} has {}, of which each site has factors of its own; a public relation is about "
          "those "
          "that all share",
          path, relation.name, entity);
    own += place_of(shared, entity) < 0 || place_of(relation.entities, entity) < static_cast<int>(mode);
  }
  if (own > 1 || own == relation.entities.size())
    fail(
        "{}: public relation {} needs entities that relations of the sites have, each once, and one more at "
        "most",
        path, relation.name);
}

void check_relations(const std::string& path, const SiteStudy& study, const std::vector<std::string>& known) {
  if (study.first().is_public)
    fail("{}: the first relation is a table of the sites, and {} is public; let another one come first", path,
         study.first().name);
  for (const SiteStudy::Relation& relation : study.relations)
    for (const std::string& entity : relation.entities)
      if (place_of(known, entity) < 0)
        fail("{}: relation {}: '{}' is not among the entities{}", path, relation.name, entity,
             suggestion(entity, known));
  for (const SiteStudy::Relation& relation : study.relations)
    (relation.is_public ? check_public_relation : check_private_relation)(path, study, relation);
  for (const std::string& entity : study.local)
    if (entity == study.private_entity || place_of(study.entities(), entity) < 0)
      fail("{}: local = [..] names '{}'; it is for entities of the sites' relations other than {}", path,
           entity, study.private_entity);
  if (study.entities().size() + 1 > kMaxOrder)
    fail("{}: the sites' relations have {} entities; {} are the most", path, study.entities().size(),
         kMaxOrder - 1);
}

// One entity is private to sites; of all others the positions are stated, since those of the tables are
// private.
void read_site_entities(TomlSection& section, SiteStudy& study) {
  const auto known = section.list<std::string>("entities");
  const auto own = section.list<std::string>("private");
  study.local = section.list<std::string>("local");
  if (own.size() != 1)
    fail("{}: private = [..] names the one entity of relation {} whose positions each site has for itself",
         section.path(), study.first().name);
  study.private_entity = own.front();
  check_relations(section.path(), study, known);
  if (auto sizes = section.table("sizes"))
    for (const std::string& name : sizes->keys()) {
      const int size = sizes->get<int>(name, 0);
      if (size < 1) fail("{}: {} is {}; it must be 1 or more", sizes->place(name), name, size);
      study.sizes[name] = static_cast<Index>(size);
    }
  if (auto positions = section.table("positions"))
    for (const std::string& name : positions->keys())
      study.positions[name] = positions->get<std::string>(name, "");
  for (const std::string& entity : study.entities()) {
    const auto stated = study.sizes.count(entity) + study.positions.count(entity);
    if (entity == own.front() && stated > 0)
      fail("{}: how many positions entity {} has is private to the sites; do not state it", section.path(),
           entity);
    if (entity != own.front() && stated != 1)
      fail("{}: state the positions of entity {}, which sites share, once: in [sizes] or in [positions]",
           section.path(), entity);
  }
}

// The model of several relations has a mode of the relations, and a position for cells of a relation that
// lacks an entity: no entity and none of its positions may be called the same, since a model file has every
// name once.
void check_names(TomlSection& section, const SiteStudy& study) {
  std::vector<const SiteStudy::Relation*> own;
  for (const SiteStudy::Relation& relation : study.relations)
    if (!relation.is_public) own.push_back(&relation);
  if (own.size() < 2) return;
  for (const std::string& entity : study.entities()) {
    if (entity == kRelationMode)
      fail(
          "{}: an entity {} and a model of several relations, which has a mode of this name; give the entity "
          "another name",
          section.place("entities"), entity);
    const auto listed = study.positions.find(entity);
    const bool lacked =
        std::ranges::any_of(own, [&](const SiteStudy::Relation* each) { return !each->has(entity); });
    if (!lacked || study.is_local(entity) || listed == study.positions.end()) continue;
    std::size_t line = 0;
    for_each_line(listed->second, [&](std::string_view position) {
      ++line;
      if (position == kLackedPosition)
        fail("{}:{}: '{}' is the position of cells whose relation has no {}; give this one another name",
             listed->second, line, kLackedPosition, entity);
    });
  }
}

// Tables of further relations, by the names of these.
void read_further_files(TomlSection& section, const fs::path& folder, const SiteStudy& study,
                        SiteStudy::Site& site) {
  auto files = section.table("files");
  if (!files) return;
  for (const std::string& name : files->keys()) {
    const auto relation = std::ranges::find(study.relations, name, &SiteStudy::Relation::name);
    if (relation == study.relations.end() || relation->is_public || name == study.first().name)
      fail(
          "{}: files = {{..}} has the tables of the sites' relations but the first, and '{}' is none of them",
          files->place(name), name);
    site.files[name] = (folder / files->get<std::string>(name, "")).string();
  }
}

// [split]: one table, whose users are dealt to sites.
void read_split(TomlSection& split, const fs::path& folder, SiteStudy& study) {
  SiteStudy::Site all;
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

void read_site_tables(TomlSection& section, const fs::path& folder, SiteStudy& study) {
  for (TomlSection& site : section.tables("sites")) {
    SiteStudy::Site read;
    read.name = site.get<std::string>("name", "");
    const auto file = site.find<std::string>("file");
    if (read.name.empty() || !file) fail("{}: a site needs a name and a file", site.place());
    if (read.name.find('/') != std::string::npos || read.name.starts_with('.'))
      fail("{}: a site's name is that of its model's file; '{}' has a '/' or begins with a '.'", site.place(),
           read.name);
    if (std::ranges::find(study.sites, read.name, &SiteStudy::Site::name) != study.sites.end())
      fail("{}: there are two sites '{}'", site.place(), read.name);
    read.file = (folder / *file).string();
    if (std::ranges::find(study.sites, read.file, &SiteStudy::Site::file) != study.sites.end())
      fail("{}: two sites have the file {}; each has a table of its own", site.place(), *file);
    read_further_files(site, folder, study, read);
    for (const auto& [relation, further] : read.files)
      for (const SiteStudy::Site& other : study.sites)
        if (const auto same = other.files.find(relation);
            same != other.files.end() && same->second == further)
          fail("{}: two sites have the file {}; each has a table of its own", site.place(), further);
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

}  // namespace

bool SiteStudy::Relation::has(const std::string& entity) const {
  return place_of(entities, entity) >= 0;
}

std::vector<std::string> SiteStudy::entities() const {
  std::vector<std::string> all;
  for (const Relation& relation : relations)
    for (const std::string& entity : relation.entities)
      if (!relation.is_public && place_of(all, entity) < 0) all.push_back(entity);
  return all;
}

int SiteStudy::user_mode() const {
  return place_of(entities(), private_entity);
}

bool SiteStudy::is_local(const std::string& entity) const {
  return place_of(local, entity) >= 0;
}

bool has_sites(const std::string& path) {
  TomlSection section = open_study(path);
  return !section.tables("sites").empty() || section.table("split");
}

void SiteStudy::deal_to(int count, int overlap) {
  if (!simulated) fail_usage("this study names its sites; how many there are cannot be chosen");
  if (count < 1) fail_usage("{} sites; give 1 or more", count);
  if (overlap < 1 || overlap > count)
    fail_usage("users at {} of {} sites; give from 1 to {}", overlap, count, count);
  const Site all = sites.front();
  sites.clear();
  for (int part = 0; part < count; ++part) {
    sites.push_back(all);
    sites.back().name = fmt::format("part{}", part + 1);
    sites.back().part = part;
    sites.back().parts = count;
    sites.back().overlap = overlap;
  }
}

SiteStudy read_site_study(const std::string& path, const std::string& tables) {
  TomlSection section = open_study(path);
  const fs::path folder = tables.empty() ? fs::path(path).parent_path() : fs::path(tables);
  SiteStudy study;
  study.title = section.get<std::string>("title", title_of(path));
  if (const auto rank = section.find<int>("rank")) study.rank = static_cast<Index>(std::max(*rank, 0));
  read_site_relations(section, folder, study);
  read_site_entities(section, study);
  if (section.table("split") && !section.tables("sites").empty())
    fail("{}: a study has [[sites]] or one table to [split], not both", section.path());
  if (auto split = section.table("split"))
    read_split(*split, folder, study);
  else
    read_site_tables(section, folder, study);
  // Public lists belong to the study, wherever the tables are.
  for (auto& [entity, file] : study.positions) file = (fs::path(path).parent_path() / file).string();
  check_names(section, study);
  section.refuse_the_rest();
  return study;
}

}  // namespace tulle
