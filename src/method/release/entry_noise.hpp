// The noise of single entries: the kind that was asked for, or the one with the smallest variance that the
// budget allows.
#pragma once

#include <tulle/method/private_completion.hpp>

#include <span>

namespace tulle {

// Staircase and Duchi's noise are available up to this epsilon. Staircase noise for it has a standard
// deviation of a thousandth of the width: less than Laplace noise for an epsilon of up to 1400.
inline constexpr double kMostDrawnEpsilon = 20;

// How one unit changes the values that are released.
struct EntryChanges {
  Bounds bounds;               // of each value
  double most;                 // by how much one of them changes at most
  std::uint64_t numbers = 0;   // that are released
  std::uint64_t changing = 1;  // of them, by one unit
};

// The noise of a release with this allowance. `kinds` are those the method has. If none is asked for, it is
// the one with the smallest variance, averaged over values that are uniform on their bounds: a public choice.
// Only gaussian needs a delta; duchi and piecewise are not considered where they cannot be drawn.
AdditiveNoise entry_noise(const PrivateRequest& request, const Allowance& allowance,
                          const EntryChanges& changes, std::span<const NoiseKind> kinds);

}  // namespace tulle
