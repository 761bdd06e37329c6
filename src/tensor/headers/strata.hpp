// Observed cells cut into blocks that can be visited concurrently.
//
// Not SortedEntries: descent updates the rows of all modes at a cell, so concurrent work needs blocks that
// share no row in any mode, and cells within a block are visited in random order.
#pragma once

#include <tulle/base/large_pages.hpp>
#include <tulle/base/random.hpp>
#include <tulle/tensor/sparse.hpp>

#include <cstdint>
#include <numeric>
#include <span>
#include <vector>

namespace tulle {

// The positions of every mode are divided into P parts, which gives P^N blocks of cells. A stratum is a set
// of P blocks, no two of which share a part in any mode, hence no row of any factor: they can be updated in
// parallel with the result of sequential updates (Gemulla et al. 2011; for tensors Smith, Park and Karypis
// 2016). P follows from the data, never from the number of threads.
//
// Positions may be renumbered so that those of a part are adjacent, which helps the caches if rows are short.
class Strata {
 public:
  enum class Numbering { by_part, kept };

  // Chooses the number of parts that leaves this many cells per block, on average: with fewer, threads wait
  // for each other more than they work.
  Strata(const SparseTensor& observed, std::size_t cells_per_block, Numbering numbering);

  int order() const { return order_; }
  std::size_t parts() const { return parts_; }
  std::size_t count() const { return blocks_ / parts_; }

  // The words of the cells of a block: order() positions and the bits of the value, cell after cell. It is
  // the block of stratum s that holds part b of the first mode.
  std::span<std::uint32_t> block(std::size_t s, std::size_t b);

  // Cells are numbered in the order of their words; a block holds cells first .. last-1.
  struct CellRange {
    std::size_t first, last;
    std::size_t size() const { return last - first; }
  };
  CellRange cells(std::size_t s, std::size_t b) const;
  const std::uint32_t* words() const { return words_.data(); }

  // Visits all cells once: the strata in random order, the blocks of each concurrently, the cells of each in
  // random order. before(s) and after(s) are called around a stratum, visit(s, b, words) for its blocks.
  template <class Before, class Visit, class After>
  void visit(std::uint64_t seed, const Before& before, const Visit& visit, const After& after);

  const std::vector<Index>& new_positions(int mode) const { return new_positions_[mode]; }
  const std::vector<std::uint32_t>& counts(int mode) const {
    return counts_[mode];
  }  // cells per new position

  Cells renumbered(const Cells& cells) const;

 private:
  void deal(const SparseTensor& observed, int mode, Numbering numbering);
  void shuffle(std::span<std::uint32_t> words, Random random) const;

  int order_;
  std::size_t parts_, blocks_;
  std::vector<std::vector<Index>> new_positions_;
  std::vector<std::vector<std::uint8_t>> part_of_;  // by new position
  std::vector<std::vector<std::uint32_t>> counts_;
  std::vector<std::size_t> starts_;  // of the blocks, in cells
  PagedVector<std::uint32_t> words_;
};

template <class Before, class Visit, class After>
void Strata::visit(std::uint64_t seed, const Before& before, const Visit& visit, const After& after) {
  std::vector<std::size_t> order(count());
  std::iota(order.begin(), order.end(), std::size_t{0});
  Random(seed).shuffle(std::span(order));
  for (std::size_t stratum : order) {
    before(stratum);
#pragma omp parallel for schedule(dynamic) if (parts_ > 1)
    for (std::size_t part = 0; part < parts_; ++part) {
      const auto words = block(stratum, part);
      shuffle(words, Random(seed, stratum * parts_ + part + 1));
      visit(stratum, part, words);
    }
    after(stratum);
  }
}

}  // namespace tulle
