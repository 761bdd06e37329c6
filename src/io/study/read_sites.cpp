#include <tulle/base/error.hpp>
#include <tulle/base/suggestion.hpp>
#include <tulle/base/toml.hpp>
#include <tulle/io/site_study.hpp>

#include <algorithm>
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

void read_clamp(TomlSection& relation, SiteStudy& study) {
  const auto bounds = relation.list<double>("clamp");
  if (bounds.empty()) return;
  if (bounds.size() != 2 || !(bounds[0] < bounds[1]))
    fail("{}: clamp = [LOW, HIGH] has two numbers, the lower one first", relation.place("clamp"));
  study.clamp = {bounds[0], bounds[1]};
}

void read_site_relation(TomlSection& section, SiteStudy& study) {
  std::vector<TomlSection> relations = section.tables("relations");
  if (relations.size() != 1)
    fail("{}: a study with sites has one relation so far, and here are {}", section.path(), relations.size());
  TomlSection& relation = relations.front();
  study.relation = relation.get<std::string>("name", "");
  study.entities = relation.list<std::string>("entities");
  study.reading.columns = relation.list<std::string>("columns");
  study.reading.header = relation.find<bool>("header");
  if (const auto format = relation.find<std::string>("format"))
    study.reading.format = format_of("." + *format);
  study.reading.duplicates = duplicates_of(relation.get<std::string>("duplicates", "refuse"));
  read_clamp(relation, study);
  relation.refuse_the_rest();
  if (study.relation.empty()) fail("{}: a relation needs a name", relation.place());
  if (study.entities.size() < 2)
    fail("{}: relation {} needs an entity that is private to sites and one that they share", relation.place(),
         study.relation);
}

// One entity is private to sites; of all others the positions are stated, since those of the tables are
// private.
void read_site_entities(TomlSection& section, SiteStudy& study) {
  const auto known = section.list<std::string>("entities");
  for (const std::string& entity : study.entities)
    if (place_of(known, entity) < 0)
      fail("{}: relation {}: '{}' is not among the entities{}", section.path(), study.relation, entity,
           suggestion(entity, known));
  const auto own = section.list<std::string>("private");
  if (own.size() != 1 || place_of(study.entities, own.front()) < 0)
    fail("{}: private = [..] names the one entity of relation {} whose positions each site has for itself",
         section.path(), study.relation);
  study.private_entity = place_of(study.entities, own.front());
  if (auto sizes = section.table("sizes"))
    for (const std::string& name : sizes->keys()) {
      const int size = sizes->get<int>(name, 0);
      if (size < 1) fail("{}: {} is {}; it must be 1 or more", sizes->place(name), name, size);
      study.sizes[name] = static_cast<Index>(size);
    }
  if (auto positions = section.table("positions"))
    for (const std::string& name : positions->keys())
      study.positions[name] = positions->get<std::string>(name, "");
  for (const std::string& entity : study.entities) {
    const auto stated = study.sizes.count(entity) + study.positions.count(entity);
    if (entity == own.front() && stated > 0)
      fail("{}: how many positions entity {} has is private to the sites; do not state it", section.path(),
           entity);
    if (entity != own.front() && stated != 1)
      fail("{}: state the positions of entity {}, which sites share, once: in [sizes] or in [positions]",
           section.path(), entity);
  }
}

// [split]: one table, whose users are dealt to sites.
void read_split(TomlSection& split, const fs::path& folder, SiteStudy& study) {
  SiteStudy::Site all;
  const auto file = split.find<std::string>("file");
  if (!file) fail("{}: a split needs a file", split.place());
  all.file = (folder / *file).string();
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
      fail("{}: two sites have the file {}; a user's data are at one site", site.place(), *file);
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

bool has_sites(const std::string& path) {
  TomlSection section = TomlSection::load(path);
  return !section.tables("sites").empty() || section.table("split");
}

void SiteStudy::deal_to(int count) {
  if (!simulated) fail_usage("this study names its sites; how many there are cannot be chosen");
  if (count < 1) fail_usage("{} sites; give 1 or more", count);
  const Site all = sites.front();
  sites.clear();
  for (int part = 0; part < count; ++part) {
    sites.push_back(all);
    sites.back().name = fmt::format("part{}", part + 1);
    sites.back().part = part;
    sites.back().parts = count;
  }
}

SiteStudy read_site_study(const std::string& path, const std::string& tables) {
  TomlSection section = TomlSection::load(path);
  const fs::path folder = tables.empty() ? fs::path(path).parent_path() : fs::path(tables);
  SiteStudy study;
  study.title = section.get<std::string>("title", fs::path(path).stem().string());
  if (const auto rank = section.find<int>("rank")) study.rank = static_cast<Index>(std::max(*rank, 0));
  read_site_relation(section, study);
  read_site_entities(section, study);
  if (section.table("split") && !section.tables("sites").empty())
    fail("{}: a study has [[sites]] or one table to [split], not both", section.path());
  if (auto split = section.table("split"))
    read_split(*split, folder, study);
  else
    read_site_tables(section, folder, study);
  // Public lists belong to the study, wherever the tables are.
  for (auto& [entity, file] : study.positions) file = (fs::path(path).parent_path() / file).string();
  section.refuse_the_rest();
  return study;
}

}  // namespace tulle
