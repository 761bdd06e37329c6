// Observed cells in the order of their users: what a query over users walks through.
//
// This is not SortedEntries: a user's cells stay in the order of the list, because they are read together and
// once per query, so that sorting them further would cost time and gain nothing.
#pragma once

#include <tulle/tensor/sparse.hpp>

#include <span>
#include <vector>

namespace tulle {

// The cells of one user are contiguous, in the order of the tensor's list. For each cell only the data that a
// query over users reads are kept: its value and its positions in the shared modes, which are all modes but
// the users'. Only queries and protected values may see it.
class UserCells {
 public:
  UserCells(const SparseTensor& observed, int user_mode);

  std::size_t size() const { return values_.size(); }
  std::size_t users() const { return starts_.size() - 1; }
  std::size_t begin(std::size_t user) const { return starts_[user]; }
  std::size_t end(std::size_t user) const { return starts_[user + 1]; }
  std::size_t count(std::size_t user) const { return end(user) - begin(user); }

  std::size_t shared_modes() const { return sizes_.size(); }
  Index positions_of(std::size_t shared) const { return sizes_[shared]; }  // of a shared mode: their number

  // Valid for up to kLookAhead cells behind the last one too, so that a loop may prefetch without a check.
  const Index* positions(std::size_t cell) const { return positions_.data() + cell * sizes_.size(); }
  static constexpr std::size_t kLookAhead = 8;
  float value(std::size_t cell) const { return values_[cell]; }

 private:
  std::vector<Index> sizes_;
  std::vector<std::size_t> starts_;  // of each user's cells
  std::vector<Index> positions_;     // one per shared mode, cell by cell
  std::vector<float> values_;
};

}  // namespace tulle
