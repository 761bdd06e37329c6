// A private histogram of the distances of entries from their predictions, and the width of the window around
// the prediction that is best to release entries in.
#pragma once

#include <tulle/method/private_completion.hpp>

#include <cstdint>
#include <functional>
#include <optional>
#include <span>

namespace tulle {

// The public prediction of the value of an entry.
using Prediction = std::function<double(std::uint64_t entry)>;

// Steps of a histogram: down to a thousandth of the range; the last has all below.
inline constexpr int kDistanceBins = 21;

// A histogram of |entry - prediction| / width of the range, on steps of sqrt(2): what it costs is public.
class ResidualWindow {
 public:
  // The epsilon that leaves the counts of `entries` entries good enough to choose by.
  static double epsilon_for(std::uint64_t entries);

  ResidualWindow(const PrivateRequest& request, double epsilon);
  Stage stage(std::uint64_t windows) const {
    return {.loss = loss_of(noise_), .count = windows, .epsilon = epsilon_};
  }

  // How many of these entries lie at which distance from their prediction.
  Noisy distances(const PrivateRequest& request, Curator& curator, std::span<const std::uint64_t> entries,
                  const Prediction& prediction) const;

  // Half the width of the window for these entries, released with noise whose deviation is `deviation` times
  // the width of the window: at most half the width of the range, the whole range.
  double choose(const PrivateRequest& request, Curator& curator, std::span<const std::uint64_t> entries,
                const Prediction& prediction, double deviation) const;

 private:
  double epsilon_;
  AdditiveNoise noise_;
};

// Half the width, at most half the range, of a window that few entries lie outside of; and their mean squared
// distance, with the standard deviation that noise gives it. In widths of the range.
struct TailWindow {
  double half = 0.5;
  double mean_square = 0, stddev = 0;
};
TailWindow tail_window(const Noisy& counts, double entries);

// The best half width from a histogram, in which counts[i] entries have the distance sqrt(2)^-i of the range.
// Declared here for tests.
double best_half_width(std::span<const double> counts, double deviation);

}  // namespace tulle
