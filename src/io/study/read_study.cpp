#include "entity_positions.hpp"
#include "open_study.hpp"
#include "structure.hpp"
#include "table_values.hpp"

#include <tulle/base/error.hpp>
#include <tulle/base/suggestion.hpp>
#include <tulle/base/toml.hpp>
#include <tulle/io/memory.hpp>
#include <tulle/io/read.hpp>
#include <tulle/io/study.hpp>
#include <tulle/io/study_keys.hpp>

#include <algorithm>
#include <cmath>
#include <filesystem>

namespace tulle {
namespace {

struct RelationEntry {
  StatedRelation stated;
  std::string file;
  ReadOptions reading;
  TableReading made;
  double power = 1, weight = 1, floor = 0;
};

// A Gamma distribution by its shape and mean, or a normal one by its variance.
struct StatedPrior {
  std::optional<GammaPrior> gamma;
  std::optional<NormalPrior> normal;
};

StatedPrior prior_in(TomlSection& section, const std::string& key) {
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

// A choice among words, whose error names the line.
template <class Choose>
auto chosen(const TomlSection& section, std::string_view key, const Choose& choose) {
  try {
    return choose();
  } catch (const Error& error) {
    fail("{}: {}", section.place(key), text_of(error));
  }
}

Unlisted unlisted_of(const std::string& text) {
  if (text == "missing") return Unlisted::missing;
  if (text == "zero") return Unlisted::zero;
  const std::vector<std::string> known = {"missing", "zero"};
  fail_unknown("kind of unlisted cells", text, known);
}

// By its name, or as the number p.
double power_in(TomlSection& section) {
  const auto number = section.find<double>("p");
  const auto name = section.find<std::string>("divergence");
  if (number && name)
    fail("{}: a relation has a divergence by its name or as p, not both", section.place("p"));
  return chosen(section, number ? "p" : "divergence",
                [&] { return divergence_of(number ? fmt::format("{}", *number) : name.value_or("kl")); });
}

void read_model(TomlSection& section, StatedRelation& stated) {
  stated.where = section.place();
  stated.entities = section.list<std::string>("entities");
  stated.formula = section.get<std::string>("formula", "");
  stated.model = section.get<std::string>("model", stated.formula.empty() ? "cp" : "");
  stated.name = section.get<std::string>("name", "");
  if (!stated.formula.empty() && !stated.model.empty())
    fail("{}: a relation has a formula or a model by its name, not both", stated.where);
  if (!stated.model.empty() && stated.model != "cp" && stated.model != "tucker")
    chosen(section, "model", [&] {
      fail_unknown("model", stated.model, std::vector<std::string>{"cp", "tucker"});
    });
  if (stated.name.empty() && !stated.formula.empty())
    stated.name = parse_formula(stated.formula, section.place("formula")).left.name;
  if (stated.name.empty())
    fail("{}: a relation needs a name, or a formula that begins with it", stated.where);
}

RelationEntry read_relation(TomlSection section, const std::filesystem::path& folder) {
  RelationEntry entry;
  read_model(section, entry.stated);
  const auto file = section.find<std::string>("file");
  if (!file) fail("{}: relation {} needs a file", section.place(), entry.stated.name);
  entry.file = is_in_memory(*file) ? *file : (folder / *file).string();
  entry.power = power_in(section);
  entry.weight = section.get<double>("weight", 1);
  entry.floor = section.get<double>("floor", 0);
  entry.made.dropped = section.list<int>("drop");
  entry.made.values =
      chosen(section, "values", [&] { return transform_of(section.get<std::string>("values", "as-is")); });
  entry.reading.unlisted = chosen(
      section, "unlisted", [&] { return unlisted_of(section.get<std::string>("unlisted", "missing")); });
  entry.reading.duplicates = chosen(
      section, "duplicates", [&] { return duplicates_of(section.get<std::string>("duplicates", "refuse")); });
  if (const auto format = section.find<std::string>("format"))
    entry.reading.format = chosen(section, "format", [&] { return format_of("." + *format); });
  entry.reading.columns = section.list<std::string>("columns");
  entry.reading.header = section.find<bool>("header");
  entry.reading.variable = section.get<std::string>("variable", "");
  entry.reading.nan_is_missing = true;
  entry.reading.is_column = entry.stated.entities.size() == 1;
  section.refuse_the_rest();
  return entry;
}

std::vector<RelationEntry> read_relations(TomlSection& section, const std::string& path,
                                          const StudyChanges& changes) {
  const auto folder = changes.tables.empty() ? std::filesystem::path(path).parent_path()
                                             : std::filesystem::path(changes.tables);
  std::vector<RelationEntry> entries;
  std::vector<std::string> names;
  for (const TomlSection& relation : section.tables("relations")) {
    RelationEntry entry = read_relation(relation, folder);
    if (changes.power) entry.power = *changes.power;
    if (changes.floor) entry.floor = *changes.floor;
    if (std::ranges::count(names, entry.stated.name) > 0)
      fail("{}: two relations are named {}; give each a name of its own", entry.stated.where,
           entry.stated.name);
    names.push_back(entry.stated.name);
    if (changes.only.empty() || changes.only == entry.stated.name) entries.push_back(std::move(entry));
  }
  if (entries.empty() && !names.empty()) fail_unknown("relation", changes.only, names);
  return entries;
}

StatedSizes read_sizes(TomlSection& section) {
  StatedSizes sizes;
  const auto positive = [](const TomlSection& place, const std::string& key, int size) {
    if (size < 1) fail("{}: {} is {}; it must be 1 or more", place.place(key), key, size);
    return static_cast<Index>(size);
  };
  if (const auto rank = section.find<int>("rank")) sizes.rank = positive(section, "rank", *rank);
  if (auto table = section.table("sizes"))
    for (const std::string& name : table->keys())
      sizes.each[name] = positive(*table, name, table->get<int>(name, 0));
  return sizes;
}

// The entities of a relation, which must be among those of the study.
std::vector<int> entities_of(const StatedRelation& stated, const EntityPositions& entities) {
  if (stated.entities.empty() || stated.entities.size() > 5)
    fail("{}: relation {} has {} entities; it needs 1 to 5", stated.where, stated.name,
         stated.entities.size());
  std::vector<int> numbers;
  for (const std::string& name : stated.entities) {
    numbers.push_back(entities.number_of(name));
    if (numbers.back() < 0)
      fail("{}: relation {}: '{}' is not among the entities{}; there is: {}", stated.where, stated.name, name,
           suggestion(name, entities.names()), fmt::join(entities.names(), ", "));
  }
  return numbers;
}

// Zeros need not be listed where unlisted cells are zeros.
SparseTensor without_zeros(const SparseTensor& data) {
  std::vector<std::size_t> kept;
  for (std::size_t entry = 0; entry < data.size(); ++entry)
    if (data.values()[entry] != 0) kept.push_back(entry);
  return data.select(kept);
}

// Lists of cells show the largest positions; other formats have a shape.
bool states_shape(const RelationEntry& entry) {
  const Format format = format_of(entry.file, entry.reading);
  return format != Format::tns && format != Format::csv && format != Format::tsv;
}

SparseTensor read_table(const RelationEntry& entry, EntityPositions& entities) {
  const std::vector<int> numbers = entities_of(entry.stated, entities);
  const std::string where =
      fmt::format("{}: relation {}: {}", entry.stated.where, entry.stated.name, entry.file);
  const Dataset data = [&] {
    try {
      return read(entry.file, entry.reading);
    } catch (const Error& error) {  // which names the table's file
      fail("{}: relation {}: {}", entry.stated.where, entry.stated.name, with_keys(text_of(error)));
    }
  }();
  SparseTensor cells =
      std::holds_alternative<DenseTensor>(data.tensor) ? observed(data) : std::get<SparseTensor>(data.tensor);
  const bool column = numbers.size() == 1 && cells.order() == 2 && cells.shape()[1] == 1;
  if (!column && cells.order() != static_cast<int>(numbers.size()))
    fail("{} has {} modes, but the relation has {} entities{}", where, cells.order(), numbers.size(),
         numbers.size() == 1 ? "; a table of one entity is a column, n x 1" : "");
  if (!entry.made.dropped.empty()) {
    if (!data.modes[numbers.size() - 1].labels.empty())
      fail("{}: drop is for positions that have numbers; leave out the lines instead", where);
    cells = without_positions(cells, entry.made.dropped, where);
  }
  if (entry.reading.unlisted == Unlisted::zero) cells = without_zeros(cells);
  std::vector<float> values(cells.values().begin(), cells.values().end());
  transform_values(values, entry.made.values);
  return {entities.add(data, cells.cells(), numbers, states_shape(entry), where), std::move(values),
          entry.reading.unlisted};
}

void read_own_priors(TomlSection& section, Study& study, bool is_whole) {
  for (std::size_t d = 0; d < study.model.factors.size(); ++d)
    if (const StatedPrior own = prior_in(section, study.model.factors[d].name); own.gamma || own.normal) {
      study.priors[d] = own.gamma;
      study.normal_priors[d] = own.normal;
    }
  if (is_whole) section.refuse_the_rest();  // otherwise some are of relations that are left out
}

void add_tables(const std::vector<RelationEntry>& entries, std::vector<SparseTensor> tables, Study& study) {
  for (std::size_t v = 0; v < entries.size(); ++v) {
    const RelationEntry& entry = entries[v];
    // Tables that were read later may have named more positions.
    const std::vector<float> values(tables[v].values().begin(), tables[v].values().end());
    Table table{.data = {tables[v].cells().within(study.model.shape(static_cast<int>(v))), values,
                         entry.reading.unlisted},
                .power = entry.power,
                .weight = entry.weight,
                .floor = entry.floor};
    try {
      check_table(study.model, static_cast<int>(v), table, study.entities);
    } catch (const Error& error) {
      fail("{}: relation {}: {}: {}", entry.stated.where, entry.stated.name, entry.file, text_of(error));
    }
    study.tables.push_back(std::move(table));
  }
}

}  // namespace

StudyFile read_study(const std::string& path, const StudyChanges& changes) {
  TomlSection section = open_study(path);
  StudyFile file;
  file.title = section.get<std::string>("title", title_of(path));
  file.inference = section.get<std::string>("inference", "");
  const auto names = section.list<std::string>("entities");
  StatedSizes sizes = read_sizes(section);
  if (changes.rank) sizes.rank = *changes.rank;
  sizes.may_be_unused = !changes.only.empty();
  StatedPrior common_prior = prior_in(section, "prior");
  if (changes.prior) common_prior = {changes.prior, std::nullopt};
  auto own_priors = section.table("priors");
  const std::vector<RelationEntry> entries = read_relations(section, path, changes);
  section.refuse_the_rest();
  if (names.empty() || entries.empty())
    fail("{}: a study needs entities = [..] and at least one [[relations]]", path);

  EntityPositions entities(names, sizes.each);
  std::vector<StatedRelation> stated;
  for (const RelationEntry& entry : entries) {
    entities_of(entry.stated, entities);
    stated.push_back(entry.stated);
    file.files.push_back(entry.file);
    file.readings.push_back(entry.made);
  }
  Study& study = file.study;
  study.model = structure_of(stated, sizes, path);
  study.priors.assign(study.model.factors.size(), common_prior.gamma);
  study.normal_priors.assign(study.model.factors.size(), common_prior.normal);
  if (own_priors) read_own_priors(*own_priors, study, changes.only.empty());
  std::vector<SparseTensor> tables;
  for (const RelationEntry& entry : entries) tables.push_back(read_table(entry, entities));
  study.entities = entities.modes();
  for (Axis& axis : study.model.axes)
    if (!axis.latent()) axis.size = entities.size(entities.number_of(axis.entity));
  add_tables(entries, std::move(tables), study);
  try {
    check(study);
  } catch (const Error& error) {
    fail("{}: {}", path, text_of(error));
  }
  return file;
}

Dataset read_cells_of(const StudyFile& file, int product, const std::string& path, ReadOptions reading) {
  const Study& study = file.study;
  const TableReading& made = file.readings[static_cast<std::size_t>(product)];
  const Shape shape = study.model.shape(product);
  std::vector<std::uint64_t> sizes(shape.dimensions().begin(), shape.dimensions().end());
  sizes.back() += made.dropped.size();
  reading.known = modes_of(study.model, product, study.entities);
  reading.shape = Shape(sizes);
  reading.is_column = study.model.products[product].axes.size() == 1;
  reading.nan_is_missing = true;
  SparseTensor cells = observed(read(path, reading));
  if (!made.dropped.empty()) cells = without_positions(cells, made.dropped, path);
  transform_values(cells.values(), made.values);
  if (!std::ranges::all_of(cells.values(), [](float value) { return std::isfinite(value); }))
    fail("{}: values = \"log\" is for values above -1; correct them, or change the study", path);
  return {std::move(reading.known), std::move(cells)};
}

}  // namespace tulle
