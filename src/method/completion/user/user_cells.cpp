#include "user_cells.hpp"

namespace tulle {

UserCells::UserCells(const SparseTensor& observed, int user_mode)
    : starts_(observed.shape()[user_mode] + std::size_t{1}), values_(observed.size()) {
  std::vector<std::span<const Index>> columns;
  for (int mode = 0; mode < observed.order(); ++mode) {
    if (mode == user_mode) continue;
    sizes_.push_back(observed.shape()[mode]);
    columns.push_back(observed.column(mode));
  }
  const std::span<const Index> users = observed.column(user_mode);
  for (Index user : users) ++starts_[user + std::size_t{1}];
  for (std::size_t user = 1; user < starts_.size(); ++user) starts_[user] += starts_[user - 1];
  positions_.resize((observed.size() + kLookAhead) * columns.size());
  std::vector<std::size_t> next(starts_.begin(), starts_.end() - 1);
  for (std::size_t cell = 0; cell < observed.size(); ++cell) {
    const std::size_t place = next[users[cell]]++;
    values_[place] = observed.values()[cell];
    for (std::size_t s = 0; s < columns.size(); ++s)
      positions_[place * columns.size() + s] = columns[s][cell];
  }
}

}  // namespace tulle
