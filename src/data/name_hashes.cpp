#include "draw.hpp"
#include "hash.hpp"

#include <tulle/data/name_hashes.hpp>

namespace tulle {
namespace {

// FNV-1a of the name of every position of a mode.
std::vector<std::uint64_t> hashes_of(const Mode& mode, std::uint64_t size) {
  std::vector<std::uint64_t> hashes(size);
  for (std::uint64_t position = 0; position < size; ++position) {
    std::uint64_t hash = 0xcbf29ce484222325;
    for (const char c : position_name(mode, static_cast<Index>(position)))
      hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3;
    hashes[position] = hash;
  }
  return hashes;
}

}  // namespace

NameHashes::NameHashes(const std::vector<Mode>& modes, const Shape& shape, std::uint64_t key) : key_(key) {
  const Mode numbered;
  for (std::size_t mode = 0; mode < static_cast<std::size_t>(shape.order()); ++mode)
    hashes_.push_back(hashes_of(mode < modes.size() ? modes[mode] : numbered, shape[static_cast<int>(mode)]));
}

std::uint64_t NameHashes::of(const Cells& cells, std::size_t entry) const {
  std::uint64_t hash = key_;
  for (int mode = 0; mode < cells.order(); ++mode)
    hash = mixed(hash ^ hashes_[static_cast<std::size_t>(mode)][cells(entry, mode)]);
  return hash;
}

NameHashes hashes_for_choice(const std::vector<Mode>& modes, const Shape& shape, std::uint64_t seed) {
  return {modes, shape, random_for(Use::choose, seed).bits()};
}

std::vector<int> parts_by_name(const Mode& mode, std::uint64_t size, int parts) {
  const std::uint64_t key = random_for(Use::deal, 0).bits();
  std::vector<int> part;
  part.reserve(size);
  for (const std::uint64_t hash : hashes_of(mode, size))
    part.push_back(static_cast<int>(place_of(mixed(key ^ hash)) * parts));
  return part;
}

}  // namespace tulle
