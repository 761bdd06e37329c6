// Hashes of the names of positions. What is decided of a unit by chance (held out or not, at which site,
// which of its entries count) follows from its own names and a key, so that a unit more or less changes it
// for no other one. A position without a label is named by its number.
#pragma once

#include <tulle/tensor/dataset.hpp>

#include <cstdint>
#include <vector>

namespace tulle {

class NameHashes {
 public:
  NameHashes(const std::vector<Mode>& modes, const Shape& shape, std::uint64_t key);

  // Of a cell, from the names of all its positions: as good as random bits to whoever does not know the key.
  std::uint64_t of(const Cells& cells, std::size_t entry) const;

 private:
  std::vector<std::vector<std::uint64_t>> hashes_;  // one per mode, one per position
  std::uint64_t key_ = 0;
};

// Of which entries of a user count where not all do.
NameHashes hashes_for_choice(const std::vector<Mode>& modes, const Shape& shape, std::uint64_t seed);

// Which of `parts` parts, all equally likely, each of the first `size` positions of a mode is dealt to: the
// same for a name in every table.
std::vector<int> parts_by_name(const Mode& mode, std::uint64_t size, int parts);

}  // namespace tulle
