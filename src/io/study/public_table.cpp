#include "table_values.hpp"

#include <tulle/base/error.hpp>
#include <tulle/io/list.hpp>
#include <tulle/io/study.hpp>
#include <tulle/io/study_keys.hpp>

#include <algorithm>

namespace tulle {
namespace {

// The table's modes among those of the sites' relations, each at most once; any other mode is the table's
// own.
std::vector<int> modes_of(const StudyFile& study, const StudyFile::Relation& relation) {
  const std::vector<std::string> shared = study.modes();
  std::vector<int> modes;
  for (const std::string& entity : relation.entities) {
    const auto found = std::ranges::find(shared, entity);
    const int mode = found == shared.end() ? PublicTable::kOwn : static_cast<int>(found - shared.begin());
    modes.push_back(std::ranges::find(modes, mode) == modes.end() ? mode : PublicTable::kOwn);
  }
  return modes;
}

// Checks the stated size of the entity that no relation of users has: its positions are those of the table.
void check_own_size(const StudyFile& study, const StudyFile::Relation& relation, const Shape& shape,
                    const std::string& where) {
  const std::vector<std::string> shared = study.modes();
  for (int mode = 0; mode < shape.order(); ++mode) {
    const std::string& entity = relation.entities[static_cast<std::size_t>(mode)];
    const auto stated = study.sizes.find(entity);
    if (stated == study.sizes.end() || std::ranges::find(shared, entity) != shared.end()) continue;
    if (stated->second != shape[mode])
      fail("{}: the table has {} positions of {}, but [sizes] states {}; remove that size", where,
           shape[mode], entity, stated->second);
  }
}

}  // namespace

// In a table with numbers, n is the n-th line of a list, so the list must not contain other numbers or names.
PublicPositions stated_positions(const StudyFile& study, const std::string& entity, bool has_labels) {
  if (const auto size = study.sizes.find(entity); size != study.sizes.end()) return {{}, size->second};
  const std::string& file = study.positions.at(entity);
  const std::vector<std::string> lines = read_list({file, ""}, entity);
  if (has_labels) return listed_positions(lines, file);
  for (std::size_t line = 0; line < lines.size(); ++line)
    if (lines[line] != std::to_string(line + 1))
      fail(
          "{}: a table has numbers for {}, and line {} of the list is '{}'; list 1, 2, .. in order, or give "
          "the table names",
          file, entity, line + 1, lines[line]);
  return {{}, lines.size()};
}

PublicTable read_public_table(const StudyFile& study, const StudyFile::Relation& relation) {
  Dataset data = reading_by_keys([&] { return read(relation.file, relation.reading); });
  const std::string where = fmt::format("{}: relation {}", relation.file, relation.name);
  if (data.modes.size() != relation.entities.size())
    fail("{} has {} entities, but the table has {} modes", where, relation.entities.size(),
         data.modes.size());
  SparseTensor cells = observed(data);
  if (!relation.dropped.empty() && !data.modes.back().labels.empty())
    fail("{}: drop is for numbered positions; remove the lines instead", where);
  if (!relation.dropped.empty()) cells = without_positions(cells, relation.dropped, where);
  transform_values(cells.values(), relation.values);
  if (relation.clamp)
    for (float& value : cells.values())
      value = std::clamp(value, static_cast<float>(relation.clamp->first),
                         static_cast<float>(relation.clamp->second));
  check_own_size(study, relation, cells.shape(), where);
  data.tensor = std::move(cells);
  const std::vector<int> modes = modes_of(study, relation);
  std::vector<std::optional<PublicPositions>> positions;
  for (std::size_t mode = 0; mode < modes.size(); ++mode)
    positions.push_back(modes[mode] == PublicTable::kOwn
                            ? std::nullopt
                            : std::optional(stated_positions(study, relation.entities[mode],
                                                             !data.modes[mode].labels.empty())));
  PlacedData placed = [&] {
    try {
      return at_public_positions(data, positions, OutsidePositions::refuse);
    } catch (const Error& error) {
      fail("{}: {}", where, text_of(error));
    }
  }();
  return {relation.name, std::get<SparseTensor>(std::move(placed.data.tensor)), modes};
}

}  // namespace tulle
