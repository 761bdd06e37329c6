// Hashes of the names of positions. Random decisions about a unit (held out or not, at which site, which of
// its entries count) follow from its own names and a key, so that adding or removing a unit changes none for
// the others. A position without a label is named by its number.
#pragma once

#include <tulle/tensor/dataset.hpp>

#include <cstdint>
#include <vector>

namespace tulle {

class NameHashes {
 public:
  NameHashes(const std::vector<Mode>& modes, const Shape& shape, std::uint64_t key);

  // Hash of a cell, from the names of all its positions: as good as random bits to anyone without the key.
  std::uint64_t of(const Cells& cells, std::size_t entry) const;

 private:
  std::vector<std::vector<std::uint64_t>> hashes_;  // one per mode, one per position
  std::uint64_t key_ = 0;
};

// Decides which entries of a user count, if not all do.
NameHashes hashes_for_choice(const std::vector<Mode>& modes, const Shape& shape, std::uint64_t seed);

// Assigns each of the first `size` positions of a mode to one of `parts` equally likely parts: the same part
// for a name in every table.
std::vector<int> parts_by_name(const Mode& mode, std::uint64_t size, int parts);

}  // namespace tulle
