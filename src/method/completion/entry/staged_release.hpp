// Every entry is released once, in disjoint batches (portions) under parallel composition: each batch inside
// a window around what the earlier ones predict, so with noise for the width of that window rather than for
// that of the range.
#pragma once

#include <tulle/method/private_completion.hpp>

#include <functional>
#include <vector>

namespace tulle {

// Predictions of all entries from the portions that were released so far, for the window of the next one:
// made of public facts and releases, and the same whatever is estimated at the end.
using PredictEntries = std::function<std::vector<double>(std::span<const Release* const> portions)>;
// The noise on `numbers` entries inside bounds.
using NoiseOnEntries =
    std::function<AdditiveNoise(const Allowance& allowance, const Bounds& bounds, std::uint64_t numbers)>;

// Whether epsilon is enough to measure windows for this many entries.
bool enough_for_stages(std::uint64_t entries, double epsilon);

// For single entries at public positions, under replace: their mean, then entries in portions, each in a
// window around what the earlier releases predict. Plans its releases with all of the budget. Empty, with
// nothing planned, where epsilon is not enough: then it is better to release all entries at once.
Releases release_in_stages(const PrivateRequest& request, Curator& curator, const NoiseOnEntries& noise_on,
                           const PredictEntries& predict);

// How entries are released on top of other releases, as parts of a pure plan.
struct Portioning {
  std::vector<double> portions;  // of the entries, adding up to 1
  double window_epsilon = 0;     // for the window of each portion
  double epsilon = 0;            // for the entries themselves

  double cost() const { return epsilon + window_epsilon * static_cast<double>(portions.size()); }
};
// The portions that this many entries are released in for an epsilon of which they may have a part.
Portioning portioning(std::uint64_t entries, double epsilon);
// At most `window` (in widths) wide windows around predictions, those around what is known before for a
// start.
Releases release_portions(const PrivateRequest& request, Curator& curator, const Portioning& how,
                          double window, const NoiseOnEntries& noise_on, const PredictEntries& predict);

// A description of the releases, for people.
std::string remark_on_stages(const Measurement& measured);

}  // namespace tulle
