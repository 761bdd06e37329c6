// Counts of events in a tensor of so many cells that only those that stand out are kept one by one. All
// others follow a forest over the modes: the positions of a mode are distributed alike, or as those of one
// other mode say.
#pragma once

#include <tulle/model/estimated.hpp>

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#pragma GCC visibility push(default)

namespace tulle {

// How the events at each position of a parent mode are divided over the positions of a mode.
struct ModeShares {
  int mode;
  int parent = -1;  // -1: a root, divided alike everywhere
  // One row per position of the parent (or one), in C order: shares that add up to 1; and the variances of
  // the counts that they were made of.
  std::vector<double> shares, variances;
};

struct SparseCounts;

// The kept cells at each position of each mode: a sum over few positions sees no others.
class KeptCells {
 public:
  KeptCells() = default;
  explicit KeptCells(const SparseCounts& counts);
  // The numbers of kept cells among which those of the block are: at its positions of the mode where they are
  // fewest.
  std::vector<std::size_t> near(const Block& block) const;

 private:
  struct OfMode {
    std::vector<std::size_t> begins, cells;  // cells by position, and where those of each one begin
  };
  std::size_t all_ = 0;
  std::vector<OfMode> modes_;
};

struct SparseCounts {
  Shape extent;
  Estimated events;               // that the forest divides over all cells
  std::vector<ModeShares> modes;  // all, parents first
  // Cells that stand out, in C order without repetition, with counts of their own and the variances of these:
  // the forest says nothing of them.
  std::vector<std::uint64_t> places;
  std::vector<double> counts, variances;

  double at(std::span<const Index> cell) const;
  double of_forest(std::span<const Index> cell) const;
  double of_forest(std::uint64_t place) const;
  // By mode and position: the expected sums over all other modes.
  std::vector<std::vector<double>> sums_by_position() const;
  // Of a block that has these shares of all events at its positions of each mode.
  Estimated sum(const Block& block, std::span<const double> shares_of_modes, const KeptCells& kept) const;
};

// The positions of a cell by its number in C order; only those of the shape's modes are valid.
std::array<Index, kMaxOrder> cell_of_place(const Shape& shape, std::uint64_t place);

// An Error unless sizes agree and numbers are those of counts.
void check(const SparseCounts& counts);

}  // namespace tulle

#pragma GCC visibility pop
