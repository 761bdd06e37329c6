#include "entity_positions.hpp"

#include <tulle/base/error.hpp>

#include <algorithm>

namespace tulle {

EntityPositions::EntityPositions(std::vector<std::string> names, const std::map<std::string, Index>& sizes)
    : names_(std::move(names)), entities_(names_.size()) {
  for (std::size_t e = 0; e < names_.size(); ++e)
    if (const auto stated = sizes.find(names_[e]); stated != sizes.end())
      entities_[e].exact = stated->second, entities_[e].said_by = "[sizes]";
}

int EntityPositions::number_of(const std::string& entity) const {
  const auto found = std::ranges::find(names_, entity);
  return found == names_.end() ? -1 : static_cast<int>(found - names_.begin());
}

std::vector<Index> EntityPositions::looked_up(Entity& entity, const std::string& name,
                                              const std::vector<std::string>& labels,
                                              const std::string& where) {
  if (entity.labels.empty() && entity.largest > 0)
    fail("{}: positions of {} have names here and numbers in another relation; name them in all or in none",
         where, name);
  std::vector<Index> positions;
  for (const std::string& label : labels) {
    const auto [found, fresh] =
        entity.position_of.try_emplace(label, static_cast<Index>(entity.labels.size()));
    if (fresh) entity.labels.push_back(label);
    positions.push_back(found->second);
  }
  check_size(entity, name, static_cast<Index>(entity.labels.size()), false, where);
  return positions;
}

void EntityPositions::check_size(Entity& entity, const std::string& name, Index size, bool is_exact,
                                 const std::string& where) {
  if (entity.exact && (size > *entity.exact || (is_exact && size != *entity.exact)))
    fail("{}: {} has {} positions here, but {} in {}; the tables must agree", where, name, size,
         *entity.exact, entity.said_by);
  if (is_exact && entity.largest > size)
    fail("{}: {} has {} positions here, but {} in another relation; the tables must agree", where, name, size,
         entity.largest);
  if (is_exact && !entity.exact) entity.exact = size, entity.said_by = where;
  entity.largest = std::max(entity.largest, size);
}

Cells EntityPositions::add(const Dataset& data, const Cells& cells, const std::vector<int>& entities,
                           bool is_exact, const std::string& where) {
  std::vector<std::vector<Index>> columns;
  std::vector<std::uint64_t> shape;
  for (std::size_t mode = 0; mode < entities.size(); ++mode) {
    const int m = static_cast<int>(mode);
    Entity& entity = entities_[entities[mode]];
    const std::string& name = names_[entities[mode]];
    std::vector<Index> column(cells.column(m).begin(), cells.column(m).end());
    if (!data.modes[mode].labels.empty()) {
      const auto positions = looked_up(entity, name, data.modes[mode].labels, where);
      for (Index& position : column) position = positions[position];
    } else {
      if (!entity.labels.empty())
        fail(
            "{}: positions of {} have numbers here and names in another relation; name them in all or in "
            "none",
            where, name);
      check_size(entity, name, cells.shape()[m], is_exact, where);
    }
    columns.push_back(std::move(column));
    shape.push_back(size(entities[mode]));
  }
  if (entities.size() == 1) columns.emplace_back(cells.size(), Index{0}), shape.push_back(1);
  return Cells(Shape(shape), std::move(columns));
}

Index EntityPositions::size(int entity) const {
  return std::max(entities_[entity].exact.value_or(0), entities_[entity].largest);
}

std::vector<Mode> EntityPositions::modes() const {
  std::vector<Mode> all;
  for (std::size_t e = 0; e < names_.size(); ++e) all.push_back({names_[e], entities_[e].labels});
  return all;
}

}  // namespace tulle
