#include "site_data.hpp"

#include <tulle/base/error.hpp>

#include <algorithm>

namespace tulle {
namespace {

constexpr const char* kLacked = "(none)";  // the position of cells whose relation lacks the entity

// A site reads its own files, and of shared entities the public positions.
DataOptions data_options(const SiteStudy& study, const SiteStudy::Relation& relation,
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
  for (std::size_t mode = 0; mode < entities.size(); ++mode) {
    const std::string before = fmt::format("mode {} (", data.modes[mode].name);
    for (std::string& fact : data.public_facts)
      if (const std::size_t place = fact.find(before); place != std::string::npos)
        fact.replace(place, before.size(), fmt::format("mode {} (", entities[mode]));
    data.modes[mode].name = data.public_modes[mode].name = entities[mode];
  }
}

int users_of(const SiteStudy& study, const SiteStudy::Relation& relation) {
  return static_cast<int>(std::ranges::find(relation.entities, study.private_entity) -
                          relation.entities.begin());
}

CompletionData read_relation(const SiteStudy& study, const SiteStudy::Relation& relation,
                             const DataOptions& options, std::uint64_t seed) {
  const DataPrivacy privacy{
      .values = true, .positions = true, .user_mode = std::to_string(users_of(study, relation) + 1)};
  CompletionData data = [&] {
    try {
      return read_completion_data(options, privacy, seed);
    } catch (const UsageError& error) {  // which does not name the table
      fail_usage("relation {} ({}): {}", relation.name, options.train, error.what());
    }
  }();
  if (data.modes.size() != relation.entities.size())
    fail("{}: its table has {} modes, but relation {} has {} entities", options.train, data.modes.size(),
         relation.name, relation.entities.size());
  name_by_entities(data, relation.entities);
  return data;
}

CompletionData read_first(const SiteJob& job, int number, std::uint64_t seed) {
  const SiteStudy::Site& site = site_of(job, number);
  DataOptions options = data_options(job.study, job.study.first(), site.file);
  options.test = site.test;
  options.holdout = site.holdout;
  return read_relation(job.study, job.study.first(), options, seed);
}

// Of tables that are dealt out: the entries of the site's own users, who are those of every so many
// positions.
SparseTensor own_part(const SparseTensor& all, int mode, const SiteStudy::Site& site) {
  if (site.parts == 1) return all;
  std::vector<std::size_t> own;
  for (std::size_t entry = 0; entry < all.size(); ++entry)
    if (all.cells()(entry, mode) % static_cast<Index>(site.parts) == static_cast<Index>(site.part))
      own.push_back(entry);
  return all.select(own);
}

void deal(CompletionData& data, int mode, const SiteStudy::Site& site) {
  if (site.parts == 1) return;
  data.train = own_part(std::get<SparseTensor>(data.train), mode, site);
  if (data.test) data.test = own_part(*data.test, mode, site);
}

// ---- Several relations ----

// Makes one tensor of the relations of a site.
class Stack {
 public:
  Stack(const SiteJob& job, int site, CompletionData first)
      : job_(job), site_(site), entities_(job.study.entities()), all_(std::move(first)) {
    for (const SiteStudy::Relation& relation : job.study.relations) add_structure(relation);
    add_local();
    if (job.study.relations.size() > 1) check_numbers(job.study.relations.front(), all_.modes);
    known_ = all_.modes;
    known_.resize(entities_.size());
    tables_.push_back(observed({{}, std::move(all_.train)}));
    read_.push_back(0);
  }

  // Rows of local entities that are this site's.
  void add_local() {
    for (const std::string& entity : job_.study.local) {
      const auto count = static_cast<Index>(positions_of(entity));
      coupling_.local.push_back({mode_of(entity), static_cast<Index>(site_) * count, count});
    }
  }

  // Users are known by their names in all relations.
  void add(const SiteStudy::Relation& relation, CompletionData data) {
    const auto& labels = known_[static_cast<std::size_t>(job_.study.user_mode())].labels;
    check_numbers(relation, data.modes);
    Dataset table{data.modes, std::move(data.train)};
    number_by_name(table, users_of(job_.study, relation), labels);
    for (std::size_t mode = 0; mode < relation.entities.size(); ++mode)
      known_[static_cast<std::size_t>(mode_of(relation.entities[mode]))] = table.modes[mode];
    SparseTensor cells = observed(std::move(table));
    move_to_range(relation, cells);
    tables_.push_back(std::move(cells));
    read_.push_back(number_of(relation));
    all_.dropped += data.dropped;
    all_.merged_rows += data.merged_rows;
    for (std::string& fact : data.public_facts)
      if (std::ranges::find(all_.public_facts, fact) == all_.public_facts.end())
        all_.public_facts.push_back(std::move(fact));
    all_.public_facts.push_back(fmt::format("the range of relation {}", relation.name));
  }

  CompletionData data() {
    SparseTensor train = empty();
    for (std::size_t table = 0; table < tables_.size(); ++table)
      append_stacked(train, coupling_, read_[table], placed(tables_[table], read_[table]));
    all_.train = own_part(train, job_.study.user_mode(), site_of(job_, site_));
    if (all_.test) {
      SparseTensor test = empty();
      append_stacked(test, coupling_, 0, placed(*all_.test, 0));
      all_.test = own_part(test, job_.study.user_mode(), site_of(job_, site_));
    }
    name_modes();
    return std::move(all_);
  }

  Coupling coupling() const { return coupling_; }

 private:
  // Relations that number the positions of an entity must mean the same by a number as those that name them.
  void check_numbers(const SiteStudy::Relation& relation, const std::vector<Mode>& modes) const {
    for (std::size_t mode = 0; mode < relation.entities.size(); ++mode)
      if (relation.entities[mode] != job_.study.private_entity && modes[mode].labels.empty())
        static_cast<void>(stated_positions(job_.study, relation.entities[mode], false));
  }

  int mode_of(const std::string& entity) const {
    return static_cast<int>(std::ranges::find(entities_, entity) - entities_.begin());
  }
  std::size_t number_of(const SiteStudy::Relation& relation) const {
    return static_cast<std::size_t>(
        std::ranges::find(coupling_.relations, relation.name, &Coupling::Relation::name) -
        coupling_.relations.begin());
  }
  std::uint64_t positions_of(const std::string& entity) const {
    const auto size = job_.study.sizes.find(entity);
    return size != job_.study.sizes.end() ? size->second : read_lines(job_.study.positions.at(entity)).size();
  }
  std::uint64_t copies_of(const std::string& entity) const {
    return job_.study.is_local(entity) ? job_.study.sites.size() : 1;
  }

  void add_structure(const SiteStudy::Relation& relation) {
    if (coupling_.sizes.empty())
      for (const std::string& entity : entities_)
        coupling_.sizes.push_back(
            entity == job_.study.private_entity ? 1 : positions_of(entity) * copies_of(entity));
    if (relation.is_public) {
      coupling_.tables.push_back(read_public_table(job_.study, relation));
      all_.public_facts.push_back(fmt::format("relation {}, all of it", relation.name));
      return;
    }
    coupling_.relations.push_back({relation.name, {}});
    for (const std::string& entity : relation.entities)
      coupling_.relations.back().modes.push_back(mode_of(entity));
  }

  SparseTensor empty() const {
    const auto users =
        std::max<std::size_t>(1, known_[static_cast<std::size_t>(job_.study.user_mode())].labels.size());
    return {coupling_.shape(job_.study.user_mode(), users), Unlisted::missing};
  }

  // Rows of local entities are those of this site.
  SparseTensor placed(const SparseTensor& cells, std::size_t relation) const {
    const std::vector<int>& modes = coupling_.relations[relation].modes;
    std::vector<std::uint64_t> shape;
    std::vector<std::vector<Index>> columns;
    for (int mode = 0; mode < cells.order(); ++mode) {
      const std::string& entity = entities_[static_cast<std::size_t>(modes[static_cast<std::size_t>(mode)])];
      if (entity != job_.study.private_entity && cells.shape()[mode] != positions_of(entity))
        fail("relation {}: positions of {} are numbers; state how many there are in [sizes]",
             coupling_.relations[relation].name, entity);
      columns.emplace_back(cells.column(mode).begin(), cells.column(mode).end());
      shape.push_back(cells.shape()[mode] * copies_of(entity));
      if (job_.study.is_local(entity))
        for (Index& position : columns.back())
          position += static_cast<Index>(site_) * static_cast<Index>(cells.shape()[mode]);
    }
    return {Cells(Shape(shape), std::move(columns)),
            {cells.values().begin(), cells.values().end()},
            Unlisted::missing};
  }

  void move_to_range(const SiteStudy::Relation& relation, SparseTensor& cells) const {
    const Range from{relation.range->first, relation.range->second}, &to = job_.completion.terms.range;
    for (float& value : cells.values())
      value = static_cast<float>(to.low + (from.clamp(value) - from.low) * (to.width() / from.width()));
  }

  // Positions of local entities have the site's name before their own.
  Mode named(std::size_t entity) const {
    Mode mode = known_[entity];
    mode.name = entities_[entity];
    const auto size = static_cast<Index>(positions_of(mode.name));
    const bool lacked = coupling_.is_lacked(static_cast<int>(entity)), local = job_.study.is_local(mode.name);
    if (!lacked && !local) return mode;
    std::vector<std::string> labels;
    for (const SiteStudy::Site& site : job_.study.sites)
      for (Index position = 0; position < size && (local || labels.size() < size); ++position)
        labels.push_back((local ? site.name + "/" : "") + position_name(mode, position));
    if (lacked) labels.emplace_back(kLacked);
    mode.labels = std::move(labels);
    return mode;
  }

  void name_modes() {
    all_.modes.clear();
    const auto users = static_cast<std::size_t>(job_.study.user_mode());
    for (std::size_t entity = 0; entity < entities_.size(); ++entity)
      all_.modes.push_back(entity == users ? known_[entity] : named(entity));
    if (coupling_.several()) {
      all_.modes.push_back({"relation", {}});
      for (const Coupling::Relation& relation : coupling_.relations)
        all_.modes.back().labels.push_back(relation.name);
    }
    all_.public_modes = all_.modes;
    all_.public_modes[users] = {entities_[users], {}, true};
  }

  const SiteJob& job_;
  int site_;
  std::vector<std::string> entities_;
  CompletionData all_;
  Coupling coupling_;
  std::vector<Mode> known_;  // of the entities, as far as relations were read
  std::vector<SparseTensor> tables_;
  std::vector<std::size_t> read_;  // relation of each table
};

}  // namespace

const SiteStudy::Site& site_of(const SiteJob& job, int number) {
  return job.study.sites[static_cast<std::size_t>(number)];
}

CompletionData read_first_relation(const SiteJob& job, int site, std::uint64_t seed) {
  CompletionData data = read_first(job, site, seed);
  deal(data, job.study.user_mode(), site_of(job, site));
  return data;
}

CompletionData read_site_data(const SiteJob& job, int site, std::uint64_t seed,
                              std::shared_ptr<const Coupling>& coupling) {
  if (job.study.relations.size() == 1 && job.study.local.empty()) return read_first_relation(job, site, seed);
  Stack stack(job, site, read_first(job, site, seed));
  for (const SiteStudy::Relation& relation : job.study.relations) {
    const auto& files = site_of(job, site).files;
    const auto file = files.find(relation.name);
    if (file == files.end()) continue;
    stack.add(relation,
              read_relation(job.study, relation, data_options(job.study, relation, file->second), seed));
  }
  CompletionData data = stack.data();
  Coupling made = stack.coupling();
  if (made.several() || !made.tables.empty() || !made.local.empty())
    coupling = std::make_shared<const Coupling>(std::move(made));
  return data;
}

}  // namespace tulle
