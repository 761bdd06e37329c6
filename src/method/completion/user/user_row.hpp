// A user's own row, which is hers beside the parameters that all users share: solved from her own cells and
// from releases.
#pragma once

#include "user_cells.hpp"

#include <tulle/method/private_completion.hpp>
#include <tulle/tensor/panel.hpp>

#include <algorithm>
#include <span>
#include <vector>

namespace tulle {

// The released parameters of the shared modes, in units in which values lie in [-2, 2]. Those of a position
// lie together in the order in which they are read: offset, offset / scale, popularity, a zero, then the
// components.
struct SharedModes {
  static constexpr int kOffset = 0, kScaledOffset = 1, kPopularity = 2, kComponents = 4;
  static constexpr double kSpread = 0.85;  // variance of cells around offsets, as of MovieLens' ratings

  double level = 0, level_variance = 0;  // the variance is that of its error
  int rank = 0;
  std::vector<Panel> positions;  // one per shared mode

  // The size of a row: a level, two numbers per shared mode that scale its offsets and its popularity, then
  // one per component.
  Eigen::Index fixed() const { return 1 + 2 * static_cast<Eigen::Index>(positions.size()); }
  Eigen::Index row_size() const { return fixed() + rank; }

  // Modes with more rows than the cache of a core holds.
  std::vector<std::size_t> large_modes() const;
};

// Ridge regression of one user's cells after the other. The memory is kept from user to user.
class UserRow {
 public:
  UserRow(const UserCells& data, const SharedModes& shared, const Range& range);

  std::span<const double> solve(std::size_t user);  // valid until the next user
  // For each cell of the user that was solved last, its value less all terms but those of the components.
  void without_components(double* rests) const;

 private:
  void features(std::size_t cell, double* row) const;
  void prefetch(std::size_t cell) const;

  const UserCells& data_;
  const SharedModes& shared_;
  const Range& range_;
  double unit_;
  std::size_t size_, stride_;     // of a row, and with the value and padding
  std::size_t count_ = 0;         // of the cells of the user
  std::vector<double> features_;  // of her cells, each followed by its value less the released offsets
  std::vector<double> gram_;
  Vector row_;
  std::vector<std::size_t> large_modes_;
};

// The rows of the components at these positions of all shared modes but `without`, multiplied number by
// number.
inline void multiply_components(const SharedModes& shared, const Index* positions, std::size_t without,
                                double* __restrict product) {
  const auto row = [&](std::size_t s) {
    return shared.positions[s].row(positions[s]) + SharedModes::kComponents;
  };
  // Multiplies the rows of a 3-way tensor in one pass: a second pass would wait for the results of the first.
  if (shared.positions.size() == 2 && without >= 2) {
    const double *const first = row(0), *const second = row(1);
    for (int r = 0; r < shared.rank; ++r) product[r] = first[r] * second[r];
    return;
  }
  std::fill_n(product, shared.rank, 1.0);
  for (std::size_t s = 0; s < shared.positions.size(); ++s) {
    if (s == without) continue;
    const double* const other = row(s);
    for (int r = 0; r < shared.rank; ++r) product[r] *= other[r];
  }
}

}  // namespace tulle
