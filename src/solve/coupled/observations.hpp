// What a table says about its cells, as solvers sum over it.
#pragma once

#include <tulle/data/study.hpp>

#include <memory>

namespace tulle {

// Entries that count alike: `data` times the part of the divergence that vanishes with x, and `model` times
// the part that a zero has.
struct Block {
  std::shared_ptr<const SparseTensor> entries;  // the table's own where they are all that it lists
  double data = 1, model = 1;
};

// The divergence of a table from its model is the sum over its blocks, and where `closed` the model's part
// over all cells besides, where all have a value: of the Euclidean and the Kullback-Leibler divergence this
// is a product of sums. Zeros of other divergences are listed, or where there are many a weighted sample of
// them is.
struct Observations {
  std::vector<Block> blocks;
  bool closed = false;
};

bool lists_all_cells(const SparseTensor& data);

// The result refers to the table, which has to outlive it.
Observations observe(const Table& table, std::uint64_t seed);

}  // namespace tulle
