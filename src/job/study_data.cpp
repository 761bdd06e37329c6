#include "study_data.hpp"

#include "public_modes.hpp"

#include <tulle/base/error.hpp>
#include <tulle/data/name_hashes.hpp>
#include <tulle/io/list.hpp>
#include <tulle/io/study_keys.hpp>
#include <tulle/job/merging.hpp>
#include <tulle/job/owner_notes.hpp>

#include <algorithm>

namespace tulle {
namespace {

// A site reads its own files, and of shared entities the public positions.
DataOptions data_options(const StudyFile& study, const StudyFile::Relation& relation,
                         const std::string& file) {
  DataOptions options{.train = file, .reading = relation.reading};
  if (relation.clamp) options.clamp = Range{relation.clamp->first, relation.clamp->second};
  std::vector<std::uint64_t> shape;
  for (const std::string& entity : relation.entities) {
    const auto size = study.sizes.find(entity);
    shape.push_back(size == study.sizes.end() ? 1 : size->second);
    if (const auto listed = study.positions.find(entity); listed != study.positions.end())
      options.public_modes.push_back({std::to_string(shape.size()), listed->second});
  }
  if (!study.sizes.empty()) options.reading.shape = Shape(shape);
  return options;
}

// A file may have names of its own for the modes, or none; the guarantee names entities.
void name_by_entities(CompletionData& data, const std::vector<std::string>& entities) {
  for (std::size_t mode = 0; mode < entities.size(); ++mode)
    data.modes[mode].name = data.public_modes[mode].name = entities[mode];
}

// What the guarantee takes as public. It follows from the study alone, so that no site says by it which
// tables it has, and all say the same.
std::vector<std::string> stated_facts(const StudyFile& study) {
  std::vector<std::string> facts;
  const auto add = [&](std::string fact) {
    if (std::ranges::find(facts, fact) == facts.end()) facts.push_back(std::move(fact));
  };
  for (const StudyFile::Relation& relation : study.relations) {
    if (relation.is_public) {
      add(fmt::format("relation {}, all of it", relation.name));
      continue;
    }
    for (const std::string& entity : relation.entities)
      if (entity != study.private_entity)
        add(study.positions.contains(entity) ? listed_fact(entity) : size_fact(entity));
    if (relation.reading.duplicates != Duplicates::refuse)
      add(merging_fact(relation.reading.duplicates, Unit::user));
    if (relation.range) add(fmt::format("the range of relation {}", relation.name));
  }
  return facts;
}

int users_of(const StudyFile& study, const StudyFile::Relation& relation) {
  return static_cast<int>(std::ranges::find(relation.entities, study.private_entity) -
                          relation.entities.begin());
}

DataPrivacy privacy_of(const StudyFile& study, const StudyFile::Relation& relation) {
  return {.values = true, .positions = true, .user_mode = std::to_string(users_of(study, relation) + 1)};
}

CompletionData read_relation(const StudyFile& study, const StudyFile::Relation& relation,
                             const DataOptions& options, std::uint64_t seed) {
  CompletionData data = [&] {
    try {
      return reading_by_keys(
          [&] { return read_completion_data(options, privacy_of(study, relation), seed); });
    } catch (const UsageError& error) {  // which does not name the table
      fail_usage("relation {} ({}): {}", relation.name, options.train, text_of(error));
    }
  }();
  if (data.modes.size() != relation.entities.size())
    fail("{}: its table has {} modes, but relation {} has {} entities", options.train, data.modes.size(),
         relation.name, relation.entities.size());
  name_by_entities(data, relation.entities);
  data.public_facts = stated_facts(study);
  return data;
}

CompletionData read_first(const StudyFile& study, int number, std::uint64_t seed) {
  const StudyFile::Site& site = site_of(study, number);
  DataOptions options = data_options(study, study.first(), site.file);
  options.test = site.test;
  options.holdout = site.holdout;
  return read_relation(study, study.first(), options, seed);
}

// As a site has it whose table has no entry.
CompletionData first_without_entries(const StudyFile& study) {
  const std::size_t order = study.first().entities.size();
  Dataset none{unnamed_modes(static_cast<int>(order)),
               SparseTensor(Shape(std::vector<std::uint64_t>(order, 1)), Unlisted::missing)};
  CompletionData data =
      completion_data_of(std::move(none), data_options(study, study.first(), study.sites.front().file),
                         privacy_of(study, study.first()), 0);
  name_by_entities(data, study.first().entities);
  data.public_facts = stated_facts(study);
  return data;
}

// Of tables that are dealt out: the entries of the site's own users, by their names, so that a user more or
// less is at one site and moves nobody to another one; where a user is at several sites, by the sum of the
// entry's other positions.
SparseTensor own_part(const SparseTensor& all, int mode, const Mode& users, const StudyFile::Site& site) {
  if (site.parts == 1) return all;
  const std::vector<int> part_of = parts_by_name(users, all.shape()[mode], site.parts);
  std::vector<std::size_t> own;
  for (std::size_t entry = 0; entry < all.size(); ++entry) {
    std::uint64_t others = 0;
    for (int other = 0; other < all.order(); ++other)
      if (other != mode) others += all.cells()(entry, other);
    const auto shift = static_cast<int>(others % static_cast<std::uint64_t>(site.overlap));
    if ((part_of[all.cells()(entry, mode)] + shift) % site.parts == site.part) own.push_back(entry);
  }
  return all.select(own);
}

void deal(CompletionData& data, int mode, const StudyFile::Site& site) {
  const Mode& users = data.modes[static_cast<std::size_t>(mode)];
  data.train = own_part(std::get<SparseTensor>(data.train), mode, users, site);
  if (data.test) data.test = own_part(*data.test, mode, users, site);
}

// ---- Several relations ----

// Makes one tensor of the relations of a site.
class Stack {
 public:
  Stack(const StudyFile& study, const Range& range, int site, CompletionData first)
      : study_(study), range_(range), site_(site), entities_(study.modes()), all_(std::move(first)) {
    for (const StudyFile::Relation& relation : study.relations) add_structure(relation);
    add_local();
    if (study.relations.size() > 1) check_numbers(study.first(), all_.modes);
    users_have_names_ = all_.users_have_names;
    users_ = all_.modes[static_cast<std::size_t>(study.user_mode())];
    tables_.push_back(observed({{}, std::move(all_.train)}));
    read_.push_back(0);
    if (coupling_.several()) note_values(study.first(), tables_.front(), range, all_.modes);
  }

  // Rows of local entities that are this site's.
  void add_local() {
    for (const std::string& entity : study_.local) {
      const auto count = static_cast<Index>(positions_of(entity));
      coupling_.local.push_back({mode_of(entity), static_cast<Index>(site_) * count, count});
    }
  }

  // Users are known by their names in all relations.
  void add(const StudyFile::Relation& relation, CompletionData data) {
    const int users = users_of(study_, relation);
    check_numbers(relation, data.modes);
    check_users(relation, data.users_have_names);
    note(relation, merging_note(data));
    Dataset table{data.modes, std::move(data.train)};
    number_by_name(table, users, users_.labels);
    users_ = table.modes[static_cast<std::size_t>(users)];
    const std::vector<Mode> modes = table.modes;
    SparseTensor cells = observed(std::move(table));
    const Range range{relation.range->first, relation.range->second};
    note_values(relation, cells, range, modes);
    move_to_range(range, cells);
    tables_.push_back(std::move(cells));
    read_.push_back(number_of(relation));
    all_.dropped += data.dropped;
    if (all_.dropped_examples.empty()) all_.dropped_examples = std::move(data.dropped_examples);
  }

  CompletionData data() {
    SparseTensor train = empty();
    for (std::size_t table = 0; table < tables_.size(); ++table)
      append_stacked(train, coupling_, read_[table], placed(tables_[table], read_[table]));
    all_.train = std::move(train);
    if (all_.test) {
      SparseTensor test = empty();
      append_stacked(test, coupling_, 0, placed(*all_.test, 0));
      all_.test = std::move(test);
    }
    name_modes();
    if (coupling_.several() || !coupling_.tables.empty() || !coupling_.local.empty())
      all_.coupling = std::make_shared<const Coupling>(coupling_);
    return std::move(all_);
  }

 private:
  void note(const StudyFile::Relation& relation, const std::optional<std::string>& said) {
    if (said) all_.notes.push_back(fmt::format("Relation {}: {}", relation.name, *said));
  }
  // Of the site's own users.
  void note_values(const StudyFile::Relation& relation, const SparseTensor& cells, const Range& range,
                   const std::vector<Mode>& modes) {
    auto loss = clamping_loss(own_part(cells, users_of(study_, relation), users_, site_of(study_, site_)),
                              range, modes);
    if (!loss) return;
    loss->what = fmt::format("Relation {}: {}", relation.name, loss->what);
    all_.losses.push_back(std::move(*loss));
  }

  // Relations that number the positions of an entity must mean the same by a number as those that name them.
  void check_numbers(const StudyFile::Relation& relation, const std::vector<Mode>& modes) const {
    for (std::size_t mode = 0; mode < relation.entities.size(); ++mode)
      if (relation.entities[mode] != study_.private_entity && modes[mode].labels.empty())
        static_cast<void>(stated_positions(study_, relation.entities[mode], false));
  }

  // A user is one unit only where all tables call her the same. Decided from the formats of the files, which
  // are public: which names there are is not.
  void check_users(const StudyFile::Relation& relation, bool names) const {
    if (names == users_have_names_) return;
    const auto how = [&](const StudyFile::Relation& of, const std::string& file, bool by_name) {
      return fmt::format("relation {} ({}) {} each {}", of.name, file,
                         by_name ? "names" : "has a number, from 1, for", study_.private_entity);
    };
    const StudyFile::Site& site = site_of(study_, site_);
    fail("{}, but {}: nobody would be the same in both; name them in all tables, or number them in all",
         how(study_.first(), site.file, users_have_names_),
         how(relation, site.files.at(relation.name), names));
  }

  int mode_of(const std::string& entity) const {
    return static_cast<int>(std::ranges::find(entities_, entity) - entities_.begin());
  }
  std::size_t number_of(const StudyFile::Relation& relation) const {
    return static_cast<std::size_t>(
        std::ranges::find(coupling_.relations, relation.name, &Coupling::Relation::name) -
        coupling_.relations.begin());
  }
  std::uint64_t positions_of(const std::string& entity) const {
    const auto size = study_.sizes.find(entity);
    return size != study_.sizes.end() ? size->second
                                      : read_list({study_.positions.at(entity), ""}, entity).size();
  }
  std::uint64_t copies_of(const std::string& entity) const {
    return study_.is_local(entity) ? study_.sites.size() : 1;
  }

  void add_structure(const StudyFile::Relation& relation) {
    if (coupling_.sizes.empty())
      for (const std::string& entity : entities_)
        coupling_.sizes.push_back(entity == study_.private_entity ? 1
                                                                  : positions_of(entity) * copies_of(entity));
    if (relation.is_public) {
      coupling_.tables.push_back(read_public_table(study_, relation));
      return;
    }
    coupling_.relations.push_back({relation.name, {}});
    for (const std::string& entity : relation.entities)
      coupling_.relations.back().modes.push_back(mode_of(entity));
  }

  SparseTensor empty() const {
    const auto users = std::max<std::size_t>(1, users_.labels.size());
    return {coupling_.shape(study_.user_mode(), users), Unlisted::missing};
  }

  // The site's own entries; rows of local entities are those of this site.
  SparseTensor placed(const SparseTensor& table, std::size_t relation) const {
    const std::vector<int>& modes = coupling_.relations[relation].modes;
    const auto users = std::ranges::find(modes, study_.user_mode()) - modes.begin();
    const SparseTensor cells = own_part(table, static_cast<int>(users), users_, site_of(study_, site_));
    std::vector<std::uint64_t> shape;
    std::vector<std::vector<Index>> columns;
    for (int mode = 0; mode < cells.order(); ++mode) {
      const std::string& entity = entities_[static_cast<std::size_t>(modes[static_cast<std::size_t>(mode)])];
      if (entity != study_.private_entity && cells.shape()[mode] != positions_of(entity))
        fail("relation {}: positions of {} are numbers; state how many there are in [sizes]",
             coupling_.relations[relation].name, entity);
      columns.emplace_back(cells.column(mode).begin(), cells.column(mode).end());
      shape.push_back(cells.shape()[mode] * copies_of(entity));
      if (study_.is_local(entity))
        for (Index& position : columns.back())
          position += static_cast<Index>(site_) * static_cast<Index>(cells.shape()[mode]);
    }
    return {Cells(Shape(shape), std::move(columns)),
            {cells.values().begin(), cells.values().end()},
            Unlisted::missing};
  }

  void move_to_range(const Range& from, SparseTensor& cells) const {
    const Range& to = range_;
    for (float& value : cells.values())
      value = static_cast<float>(to.low + (from.clamp(value) - from.low) * (to.width() / from.width()));
  }

  // As the study states them, whether or not the site has a table with the entity. Positions of local
  // entities have the site's name before their own.
  Mode named(std::size_t entity) const {
    Mode mode{entities_[entity], stated_positions(study_, entities_[entity], true).labels};
    const auto size = static_cast<Index>(positions_of(mode.name));
    const bool lacked = coupling_.is_lacked(static_cast<int>(entity)), local = study_.is_local(mode.name);
    if (!lacked && !local) return mode;
    std::vector<std::string> labels;
    for (const StudyFile::Site& site : study_.sites)
      for (Index position = 0; position < size && (local || labels.size() < size); ++position)
        labels.push_back((local ? site.name + "/" : "") + position_name(mode, position));
    if (lacked) labels.emplace_back(kLackedPosition);
    mode.labels = std::move(labels);
    return mode;
  }

  void name_modes() {
    all_.modes.clear();
    const auto users = static_cast<std::size_t>(study_.user_mode());
    for (std::size_t entity = 0; entity < entities_.size(); ++entity)
      all_.modes.push_back(entity == users ? users_ : named(entity));
    if (coupling_.several()) {
      all_.modes.push_back({kRelationMode, {}});
      for (const Coupling::Relation& relation : coupling_.relations)
        all_.modes.back().labels.push_back(relation.name);
    }
    all_.public_modes = all_.modes;
    all_.public_modes[users] = {entities_[users], {}, true};
    all_.privacy.user_mode = entities_[users];
  }

  const StudyFile& study_;
  const Range& range_;
  int site_;
  std::vector<std::string> entities_;
  CompletionData all_;
  Coupling coupling_;
  Mode users_;  // of the relations that were read
  bool users_have_names_ = false;
  std::vector<SparseTensor> tables_;
  std::vector<std::size_t> read_;  // relation of each table
};

bool has_one_table(const StudyFile& study) {
  return study.relations.size() == 1 && study.local.empty();
}

}  // namespace

const StudyFile::Site& site_of(const StudyFile& study, int number) {
  return study.sites[static_cast<std::size_t>(number)];
}

CompletionData read_first_relation(const StudyFile& study, int site, std::uint64_t seed) {
  CompletionData data = read_first(study, site, seed);
  deal(data, study.user_mode(), site_of(study, site));
  return data;
}

CompletionData read_study_data(const StudyFile& study, const Range& range, int site, std::uint64_t seed) {
  if (has_one_table(study)) return read_first_relation(study, site, seed);
  Stack stack(study, range, site, read_first(study, site, seed));
  for (const StudyFile::Relation& relation : study.relations) {
    const auto& files = site_of(study, site).files;
    if (const auto file = files.find(relation.name); file != files.end())
      stack.add(relation, read_relation(study, relation, data_options(study, relation, file->second), seed));
  }
  return stack.data();
}

CompletionData server_data(const StudyFile& study, const Range& range) {
  CompletionData first = first_without_entries(study);
  if (has_one_table(study)) return first;
  return Stack(study, range, 0, std::move(first)).data();
}

}  // namespace tulle
