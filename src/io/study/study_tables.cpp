// The tables of a study without privacy, and the model that is fitted to them.
#include "entity_positions.hpp"
#include "structure.hpp"
#include "table_values.hpp"

#include <tulle/base/error.hpp>
#include <tulle/base/suggestion.hpp>
#include <tulle/io/study.hpp>
#include <tulle/io/study_keys.hpp>

#include <algorithm>
#include <cmath>

namespace tulle {
namespace {

using Relation = StudyFile::Relation;

// Drops listed zeros, which are redundant if unlisted cells are zeros.
SparseTensor without_zeros(const SparseTensor& data) {
  std::vector<std::size_t> kept;
  for (std::size_t entry = 0; entry < data.size(); ++entry)
    if (data.values()[entry] != 0) kept.push_back(entry);
  return data.select(kept);
}

// True for formats that state a shape; lists of cells show only the largest positions.
bool states_shape(const Relation& relation) {
  const Format format = format_of(relation.file, relation.reading);
  return format != Format::tns && format != Format::csv && format != Format::tsv;
}

SparseTensor read_table(const Relation& relation, EntityPositions& entities) {
  const std::string where = fmt::format("{}: relation {}: {}", relation.where, relation.name, relation.file);
  const Dataset data = [&] {
    try {
      return read(relation.file, relation.reading);
    } catch (const Error& error) {  // which names the table's file
      fail("{}: relation {}: {}", relation.where, relation.name, with_keys(text_of(error)));
    }
  }();
  SparseTensor cells =
      std::holds_alternative<DenseTensor>(data.tensor) ? observed(data) : std::get<SparseTensor>(data.tensor);
  const std::size_t order = relation.entities.size();
  const bool column = order == 1 && cells.order() == 2 && cells.shape()[1] == 1;
  if (!column && cells.order() != static_cast<int>(order))
    fail("{} has {} modes, but the relation has {} entities{}", where, cells.order(), order,
         order == 1 ? "; a table of one entity is a column, n x 1" : "");
  if (!relation.dropped.empty()) {
    if (!data.modes[order - 1].labels.empty())
      fail("{}: drop is for numbered positions; remove the lines instead", where);
    cells = without_positions(cells, relation.dropped, where);
  }
  if (relation.reading.unlisted == Unlisted::zero) cells = without_zeros(cells);
  std::vector<float> values(cells.values().begin(), cells.values().end());
  transform_values(values, relation.values);
  std::vector<int> numbers;
  for (const std::string& entity : relation.entities) numbers.push_back(entities.number_of(entity));
  return {entities.add(data, cells.cells(), numbers, states_shape(relation), where), std::move(values),
          relation.reading.unlisted};
}

// The table in the final sizes of its entities, since tables that were read later may have more positions.
Table sized(const StudyFile& file, const Study& study, int product, const SparseTensor& table) {
  const Relation& relation = file.relations[static_cast<std::size_t>(product)];
  const std::vector<float> values(table.values().begin(), table.values().end());
  Table all{.data = {table.cells().within(study.model.shape(product)), values, relation.reading.unlisted},
            .divergence = relation.divergence,
            .weight = relation.weight,
            .floor = relation.floor};
  try {
    check_table(study.model, product, all, study.entities);
  } catch (const Error& error) {
    fail("{}: relation {}: {}: {}", relation.where, relation.name, relation.file, text_of(error));
  }
  return all;
}

void set_priors(const StudyFile& file, Study& study) {
  std::vector<std::string> names;
  for (const Factor& factor : study.model.factors) {
    names.push_back(factor.name);
    const auto own = file.priors.find(factor.name);
    const StudyFile::Prior& prior = own == file.priors.end() ? file.prior : own->second;
    study.priors.push_back(prior.gamma);
    study.normal_priors.push_back(prior.normal);
  }
  for (const auto& [name, prior] : file.priors)
    if (!file.is_partial && std::ranges::find(names, name) == names.end())
      fail("{}: [priors] names '{}', which is no factor{}", file.path, name, suggestion(name, names));
}

}  // namespace

Study read_tables(const StudyFile& file) {
  if (file.is_private())
    fail("{}: states that each {} is private; its tables are for a private run alone", file.path,
         file.private_entity);
  EntityPositions entities(file.entities, file.sizes);
  Study study;
  study.model = structure_of(file);
  set_priors(file, study);
  std::vector<SparseTensor> tables;
  for (const Relation& relation : file.relations) tables.push_back(read_table(relation, entities));
  study.entities = entities.modes();
  for (Axis& axis : study.model.axes)
    if (!axis.latent()) axis.size = entities.size(entities.number_of(axis.entity));
  for (std::size_t v = 0; v < tables.size(); ++v)
    study.tables.push_back(sized(file, study, static_cast<int>(v), tables[v]));
  try {
    check(study);
  } catch (const Error& error) {
    fail("{}: {}", file.path, text_of(error));
  }
  return study;
}

Dataset read_cells_of(const StudyFile& file, const Study& study, int product, const std::string& path,
                      ReadOptions reading) {
  const Relation& relation = file.relations[static_cast<std::size_t>(product)];
  const Shape shape = study.model.shape(product);
  std::vector<std::uint64_t> sizes(shape.dimensions().begin(), shape.dimensions().end());
  sizes.back() += relation.dropped.size();
  reading.known = modes_of(study.model, product, study.entities);
  reading.shape = Shape(sizes);
  reading.is_column = relation.entities.size() == 1;
  reading.nan_is_missing = true;
  SparseTensor cells = observed(read(path, reading));
  if (!relation.dropped.empty()) cells = without_positions(cells, relation.dropped, path);
  transform_values(cells.values(), relation.values);
  if (!std::ranges::all_of(cells.values(), [](float value) { return std::isfinite(value); }))
    fail("{}: values = \"log\" is for values above -1; correct them, or change the study", path);
  return {std::move(reading.known), std::move(cells)};
}

}  // namespace tulle
