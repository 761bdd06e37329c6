// Pilot statistics of private entries: their mean, and how much neighbours differ along each mode. They are a
// few sums over many entries, so that a small part of the budget is enough; later releases depend on them.
#pragma once

#include <tulle/method/private_completion.hpp>

#include <vector>

namespace tulle {

// Pairs of entries whose squared difference is summed. No entry is in more than one pair of a list.
struct EntryPairs {
  using List = std::vector<std::pair<std::size_t, std::size_t>>;
  std::vector<List> along;  // per mode: neighbours in it, at the same position in all others
  List apart;               // any two, drawn by `seed`

  EntryPairs(const Cells& cells, std::uint64_t seed);
};

struct PilotStatistics {
  double mean = 0;            // of the entries, in their own unit
  double mean_deviation = 0;  // standard deviation of its noise
  // Half the mean squared difference of pairs, as a share of the squared width.
  std::vector<double> along;      // per mode; infinite where it is not known
  double apart = 0;               // of any two entries
  std::vector<double> deviation;  // standard deviation of the noise of `along`
};

// The release of pilot statistics. Where there are so few entries that the noise would exceed the
// differences, only the mean is released.
class PilotRelease {
 public:
  explicit PilotRelease(const PrivateRequest& request);

  Stage stage() const { return {.loss = loss_of(noise_), .epsilon = epsilon_}; }
  PilotStatistics operator()(Curator& curator) const;

 private:
  std::vector<double> sums(const SparseTensor& observed) const;

  const PrivateRequest& request_;
  EntryPairs pairs_;
  bool differences_;  // whether they are released
  double epsilon_;
  AdditiveNoise noise_;
};

}  // namespace tulle
