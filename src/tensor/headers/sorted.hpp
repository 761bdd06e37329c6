// The listed cells of a sparse tensor in lexicographic order: the layout that kernels over sparse data stream
// through. Rows (positions of the first mode) are contiguous, and neighbours share positions, so work that
// they have in common is done once.
//
// Other groupings serve other purposes. Strata (tensor/strata.hpp) are blocks of cells that share no row in
// any mode: concurrent updates need them, and no order provides them. Observations
// (src/solve/tubal/observations.hpp) are places in a dense array of tubes, each cell once. Methods that read
// the cells of a position together, in the order of the list, group them by tensor/group_entries.hpp.
#pragma once

#include <tulle/base/large_pages.hpp>
#include <tulle/tensor/sparse.hpp>

#include <cstdint>
#include <vector>

namespace tulle {

struct SortedEntries {
  std::vector<int> modes;           // of each level; the order is by modes[0], then by modes[1], ..
  std::size_t all_rows = 0;         // positions of the mode of level 0
  std::vector<Index> rows;          // those that occur, ascending: a huge, nearly empty mode costs nothing
  std::vector<std::size_t> starts;  // entries of rows[r] are starts[r] .. starts[r + 1]
  std::vector<Index> leading;       // positions of level 0, entry by entry
  // Positions of the other levels, the levels of an entry side by side: one stream of memory instead of
  // several. Zeros for kLookAhead more entries follow the last one, so that a kernel may prefetch without a
  // bounds check.
  PagedVector<Index> positions;
  PagedVector<float> values;
  // The first level whose position differs from the entry before; the last one if none.
  std::vector<std::uint8_t> fresh;

  static constexpr std::size_t kLookAhead = 16;

  std::size_t size() const { return values.size(); }
  int levels() const { return static_cast<int>(modes.size()); }
  const Index* others(std::size_t entry) const { return positions.data() + entry * (modes.size() - 1); }
  Index position(int level, std::size_t entry) const {
    return level == 0 ? leading[entry] : others(entry)[level - 1];
  }

  // Work for threads, planned from the data alone. A task is a run of short rows; a row too long for a task
  // is cut into pieces instead.
  struct Task {
    std::size_t first_row, last_row;
  };
  struct Piece {
    std::size_t row, begin, end;
  };
  std::vector<Task> tasks;
  std::vector<Piece> pieces;                       // of all long rows, in order
  std::vector<std::size_t> batches;                // pieces batches[b] .. batches[b + 1] cover whole rows
  static constexpr std::size_t kMostPieces = 256;  // per batch: bounds the memory for their sums

  // Every value becomes (value - shift) * factor.
  void transform_values(double shift, double factor);
};

// The entries ordered by modes[0], then by modes[1], ..; ties keep the order of the list.
std::vector<std::size_t> lexicographic_order(const Cells& cells, std::span<const int> modes);

// Sorts by any sequence of modes; positions in other modes are dropped.
SortedEntries sort_entries(const SparseTensor& tensor, std::vector<int> modes);

// The order of the other modes after the mode of the rows.
enum class Levels {
  // Small to large: small modes repeat most, so neighbours share most (Tucker).
  small_first,
  // Large to small: within a row, gathers move forward through the largest factor (CP). Nothing is shared, so
  // `fresh` and `leading` are empty.
  large_first,
};

// Sorts by one mode, then by the others in the order of the levels.
SortedEntries sort_by_mode(const SparseTensor& tensor, int mode, Levels levels);

// The same, once for each mode.
std::vector<SortedEntries> sort_by_every_mode(const SparseTensor& tensor, Levels levels);

// All modes but one, from small to large, then that one: this order makes the fibers of the mode contiguous.
std::vector<int> modes_towards(const Shape& shape, int last);

}  // namespace tulle
