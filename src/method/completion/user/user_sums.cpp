#include "user_sums.hpp"

#include <algorithm>

namespace tulle {

// Her length is computed from at most as many squares as there are sums, K, and is off by K units in the last
// place or less; rounding down to the grid makes her vector longer by at most sqrt(K) steps. Her vector is
// shortened by more than both. Her weight does not depend on how many users there are, only on how many there
// may be.
UserScale::UserScale(double length, std::size_t sums, double most_users) : grid_(length, most_users) {
  const auto numbers = static_cast<double>(sums);
  shortened_ = std::max(0.0, length * (1 - (numbers + 16) * 0x1p-51) - 2 * std::sqrt(numbers) * grid_.step());
}

}  // namespace tulle
