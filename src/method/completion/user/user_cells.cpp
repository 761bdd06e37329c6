#include "user_cells.hpp"

#include <tulle/tensor/group_entries.hpp>

namespace tulle {

UserCells::UserCells(const SparseTensor& observed, int user_mode) : values_(observed.size()) {
  std::vector<std::span<const Index>> columns;
  for (int mode = 0; mode < observed.order(); ++mode) {
    if (mode == user_mode) continue;
    sizes_.push_back(observed.shape()[mode]);
    columns.push_back(observed.column(mode));
  }
  const std::span<const Index> users = observed.column(user_mode);
  positions_.resize((observed.size() + kLookAhead) * columns.size());
  starts_ = group_entries(
      observed.size(), observed.shape()[user_mode], [&](std::size_t cell) { return users[cell]; },
      [&](std::size_t cell, std::size_t place) {
        values_[place] = observed.values()[cell];
        for (std::size_t s = 0; s < columns.size(); ++s)
          positions_[place * columns.size() + s] = columns[s][cell];
      });
}

}  // namespace tulle
