#include <tulle/data/coupling.hpp>

#include <algorithm>

namespace tulle {

int PublicTable::own_mode() const {
  return static_cast<int>(std::ranges::find(modes, kOwn) - modes.begin());
}

bool Coupling::is_lacked(int entity) const {
  return std::ranges::any_of(relations, [&](const Relation& relation) {
    return std::ranges::find(relation.modes, entity) == relation.modes.end();
  });
}

Shape Coupling::shape(int user_mode, std::uint64_t users) const {
  std::vector<std::uint64_t> dimensions;
  for (int entity = 0; entity < relation_mode(); ++entity)
    dimensions.push_back(entity == user_mode ? users
                                             : sizes[static_cast<std::size_t>(entity)] + is_lacked(entity));
  if (several()) dimensions.push_back(relations.size());
  return Shape(dimensions);
}

void append_stacked(SparseTensor& tensor, const Coupling& coupling, std::size_t relation,
                    const SparseTensor& cells) {
  const std::vector<int>& modes = coupling.relations[relation].modes;
  std::vector<Index> cell(static_cast<std::size_t>(tensor.order()));
  for (std::size_t mode = 0; mode < cell.size(); ++mode)
    cell[mode] = tensor.shape()[static_cast<int>(mode)] - 1;
  if (coupling.several()) cell.back() = static_cast<Index>(relation);
  tensor.reserve(tensor.size() + cells.size());
  for (std::size_t entry = 0; entry < cells.size(); ++entry) {
    for (std::size_t mode = 0; mode < modes.size(); ++mode)
      cell[static_cast<std::size_t>(modes[mode])] = cells.cells()(entry, static_cast<int>(mode));
    tensor.append(cell, cells.values()[entry]);
  }
}

}  // namespace tulle
