// Seeded splits of the known cells into a training part and a test part. Entries keep their order inside each
// part, so the same seed on the same file gives the same two files on every machine and with any number of
// threads. Tensors whose unlisted cells are zeros are refused: the training part would state that the
// held-out cells are zeros.
#pragma once

#include <tulle/tensor/dataset.hpp>

#include <cstdint>
#include <vector>

#pragma GCC visibility push(default)

namespace tulle {

struct Split {
  SparseTensor train;
  SparseTensor test;
};

// Exactly round(test_fraction * entries) entries are held out; every such choice is equally likely. An Error
// if either part would be empty.
Split split(const SparseTensor& data, double test_fraction, std::uint64_t seed);

// The same for a tensor whose cells are all known. Each cell is listed once, in one of the parts; unlisted
// cells of both are missing.
Split split(const DenseTensor& data, double test_fraction, std::uint64_t seed);

// Decides each entry separately: it is held out with probability test_fraction, by a hash of the names of its
// positions keyed with the seed. So adding or removing an entry does not move another one to the other part,
// as a split by counts would: under add-remove the parts of neighbouring data sets are neighbours, or equal.
// Parts may be empty.
Split split_by_position(const Dataset& data, double test_fraction, std::uint64_t seed);

// Divides the entry numbers 0 .. entries-1 into k groups whose sizes differ by at most one, each ascending.
using Folds = std::vector<std::vector<std::size_t>>;
Folds k_folds(std::size_t entries, int k, std::uint64_t seed);

// Holds out one of the folds (0-based) and trains on the others.
Split fold(const SparseTensor& data, const Folds& folds, int held_out);

}  // namespace tulle

#pragma GCC visibility pop
