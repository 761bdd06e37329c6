// Observed cells in the order in which Spectrum::update_tubes visits them.
//
// SortedEntries does not serve here: a tubal model is a dense array, so a cell is stored as its place in a
// block of that array, and each cell must occur once.
#pragma once

#include <tulle/tensor/sparse.hpp>

#include <cstdint>
#include <span>
#include <vector>

namespace tulle {

// Cells sorted by their place in C order and cut at the blocks of tubes. Cells listed more than once become
// one, with the means of their values and weights.
class Observations {
 public:
  // Weights: one per listed cell; empty: 1 each.
  explicit Observations(const SparseTensor& tensor, std::span<const double> weights = {});

  std::size_t size() const { return places_.size(); }
  std::size_t block_begin(std::size_t block) const { return starts_[block]; }
  std::size_t block_end(std::size_t block) const { return starts_[block + 1]; }
  std::size_t place(std::size_t entry) const { return places_[entry]; }  // in its block
  double value(std::size_t entry) const { return values_[entry]; }
  double weight(std::size_t entry) const { return weights_.empty() ? 1 : weights_[entry]; }

 private:
  std::vector<std::size_t> starts_;  // the first entry of each block, and the number of entries
  std::vector<std::uint32_t> places_;
  std::vector<float> values_, weights_;
};

}  // namespace tulle
