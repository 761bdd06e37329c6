// Checks and adjustments of ranks that the Tucker solvers share.
#pragma once

#include <tulle/base/error.hpp>
#include <tulle/tensor/shape.hpp>

#include <vector>

namespace tulle {

// Reduces ranks to useful ones: a mode's rank is at most its size, and at most the product of the other
// ranks.
inline std::vector<int> usable_ranks(std::vector<int> ranks, const Shape& shape) {
  if (static_cast<int>(ranks.size()) != shape.order())
    fail_usage("ranks: {} given for a {} tensor; give one per mode", ranks.size(), shape.text());
  for (std::size_t mode = 0; mode < ranks.size(); ++mode) {
    if (ranks[mode] < 1) fail_usage("ranks: {} is too small; give 1 or more for every mode", ranks[mode]);
    ranks[mode] = static_cast<int>(std::min<std::uint64_t>(ranks[mode], shape[static_cast<int>(mode)]));
  }
  for (bool changed = true; changed;) {
    changed = false;
    for (int& rank : ranks) {
      double others = 1;
      for (int other : ranks) others *= other;
      others /= rank;
      if (rank > others) rank = static_cast<int>(others), changed = true;
    }
  }
  return ranks;
}

inline Shape core_shape(const std::vector<int>& ranks) {
  return Shape(std::vector<std::uint64_t>(ranks.begin(), ranks.end()));
}

}  // namespace tulle
