// The observations of a table in the form in which solvers sum over them.
#pragma once

#include <tulle/data/study.hpp>

#include <memory>

namespace tulle {

// Entries with the same weights: `data` times the part of the divergence that vanishes with x, and `model`
// times the part that a zero has too.
struct Block {
  std::shared_ptr<const SparseTensor> entries;  // the table's own, if the table has no floor
  double data = 1, model = 1;
};

// The divergence of a table from its model is the sum over its blocks and, if `closed`, the model's part over
// all cells: under the Euclidean and the Kullback-Leibler divergence this is a product of sums. Zeros under
// other divergences are listed, or a weighted random sample of them if there are many.
struct Observations {
  std::vector<Block> blocks;
  bool closed = false;
};

bool lists_all_cells(const SparseTensor& data);

// The result refers to the table, which must outlive it.
Observations observe(const Table& table, std::uint64_t seed);

}  // namespace tulle
