#include "private_study.hpp"

#include <tulle/base/error.hpp>
#include <tulle/io/list.hpp>

#include <algorithm>

namespace tulle {
namespace {

using Relation = StudyFile::Relation;

int place_of(const std::vector<std::string>& names, const std::string& name) {
  const auto found = std::ranges::find(names, name);
  return found == names.end() ? -1 : static_cast<int>(found - names.begin());
}

void check_users(const StudyFile& study, const Relation& relation) {
  if (!relation.has(study.private_entity))
    fail(
        "{}: relation {} has no {}, so the guarantee would protect nobody in it; if it is public, state "
        "public = true and its file",
        relation.where, relation.name, study.private_entity);
  for (const std::string& entity : relation.entities)
    if (std::ranges::count(relation.entities, entity) > 1)
      fail("{}: relation {} has entity {} twice; only a public relation may", relation.where, relation.name,
           entity);
  const bool is_first = &relation == &study.first();
  if (is_first && relation.range)
    fail("{}: relation {} is the first one, whose range is an option of the run; remove range",
         relation.where, relation.name);
  if (!is_first && !relation.range)
    fail("{}: relation {} needs range = [LOW, HIGH], the public bounds of its values", relation.where,
         relation.name);
}

// All entities of a public relation must be in relations of users, except at most one.
void check_public(const StudyFile& study, const Relation& relation) {
  if (relation.has(study.private_entity))
    fail("{}: relation {} has {}, who is private, and cannot be public", relation.where, relation.name,
         study.private_entity);
  const std::vector<std::string> shared = study.modes();
  std::size_t own = 0;
  for (std::size_t mode = 0; mode < relation.entities.size(); ++mode) {
    const std::string& entity = relation.entities[mode];
    if (study.is_local(entity))
      fail(
          "{}: relation {} has {}, of which each site has factors of its own; a public relation is about "
          "those that all share",
          relation.where, relation.name, entity);
    own += place_of(shared, entity) < 0 || place_of(relation.entities, entity) < static_cast<int>(mode);
  }
  if (own > 1 || own == relation.entities.size())
    fail("{}: public relation {} needs entities that relations of {} have, each once, and one more at most",
         relation.where, relation.name, study.private_entity);
}

void check_relations(const StudyFile& study) {
  if (study.first().is_public)
    fail("{}: the first relation is a table of {}, and {} is public; let another one come first",
         study.first().where, study.private_entity, study.first().name);
  for (const Relation& relation : study.relations) {
    if (relation.entities.size() < 2)
      fail("{}: relation {} needs two entities or more", relation.where, relation.name);
    (relation.is_public ? check_public : check_users)(study, relation);
  }
  for (const std::string& entity : study.local)
    if (entity == study.private_entity || place_of(study.modes(), entity) < 0)
      fail("{}: local = [..] names '{}'; it is for entities of the sites' relations other than {}",
           study.path, entity, study.private_entity);
  if (study.modes().size() + 1 > kMaxOrder)
    fail("{}: the relations of {} have {} entities; {} are the most", study.path, study.private_entity,
         study.modes().size(), kMaxOrder - 1);
}

// The positions of all other entities must be stated, since those in the tables are private.
void check_positions(const StudyFile& study) {
  for (const std::string& entity : study.modes()) {
    const auto stated = study.sizes.count(entity) + study.positions.count(entity);
    if (entity == study.private_entity && stated > 0)
      fail("{}: how many positions entity {} has is private; do not state it", study.path, entity);
    if (entity != study.private_entity && stated != 1)
      fail("{}: state the positions of entity {} once: in [sizes] or in [positions]", study.path, entity);
  }
}

// Refuses entities and positions that no relation uses. If only some of the study's relations are read, they
// may lack entities of the others.
void check_used(const StudyFile& study) {
  if (study.is_partial) return;
  for (const std::string& entity : study.entities)
    if (std::ranges::none_of(study.relations, [&](const Relation& each) { return each.has(entity); }))
      fail("{}: no relation has entity {}; remove it from entities = [..]", study.path, entity);
  for (const auto& [entity, list] : study.positions)
    if (place_of(study.modes(), entity) < 0)
      fail("{}: no relation of {} has entity {}; remove its [positions]", study.path, study.private_entity,
           entity);
}

// The model of several relations has a mode for the relations, and in the mode of an entity a position for
// the cells of relations without that entity. No entity and no position may have the name of these, since
// names in a model file are unique.
void check_names(const StudyFile& study) {
  std::vector<const Relation*> own;
  for (const Relation& relation : study.relations)
    if (!relation.is_public) own.push_back(&relation);
  if (own.size() < 2) return;
  for (const std::string& entity : study.modes()) {
    const auto has = [&](const Relation* relation) { return relation->has(entity); };
    if (entity == kRelationMode)
      fail(
          "{}: an entity {} and a model of several relations, which has a mode of this name; give the entity "
          "another name",
          (*std::ranges::find_if(own, has))->where, entity);
    const auto listed = study.positions.find(entity);
    if (std::ranges::all_of(own, has) || study.is_local(entity) || listed == study.positions.end()) continue;
    if (std::ranges::count(read_list({listed->second, ""}, entity), kLackedPosition) > 0)
      fail("{}: '{}' is the position of cells whose relation has no {}; give this one another name",
           listed->second, kLackedPosition, entity);
  }
}

}  // namespace

void check_private(const StudyFile& study) {
  check_relations(study);
  check_positions(study);
  check_used(study);
  check_names(study);
}

bool StudyFile::Relation::has(const std::string& entity) const {
  return place_of(entities, entity) >= 0;
}

std::vector<std::string> StudyFile::Site::tables() const {
  std::vector<std::string> all = {file};
  for (const auto& [relation, further] : files) all.push_back(further);
  return all;
}

std::vector<std::string> StudyFile::inputs() const {
  std::vector<std::string> all = {path};
  for (const auto& [entity, list] : positions) all.push_back(list);
  for (const Relation& relation : relations) all.push_back(relation.file);
  for (const Site& site : sites) {
    all.insert(all.end(), {site.test, site.ledger});
    for (const std::string& table : site.tables()) all.push_back(table);
  }
  return all;
}

std::vector<std::string> StudyFile::modes() const {
  std::vector<std::string> all;
  for (const Relation& relation : relations)
    for (const std::string& entity : relation.entities)
      if (!relation.is_public && place_of(all, entity) < 0) all.push_back(entity);
  return all;
}

int StudyFile::user_mode() const {
  return place_of(modes(), private_entity);
}

bool StudyFile::is_local(const std::string& entity) const {
  return place_of(local, entity) >= 0;
}

void StudyFile::deal_to(int count, int overlap) {
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

}  // namespace tulle
