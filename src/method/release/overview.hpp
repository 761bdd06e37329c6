// A first, cheap look at private entries: their mean, and how unlike neighbours are along each mode. A few
// sums over many entries, so that a small part of the budget is enough; later releases are shaped by them.
#pragma once

#include <tulle/method/private_completion.hpp>

#include <vector>

namespace tulle {

// Pairs of entries whose difference is looked at. No entry is in more than one pair of a list.
struct EntryPairs {
  using List = std::vector<std::pair<std::size_t, std::size_t>>;
  std::vector<List> along;  // a mode: neighbours in it, at the same position in all others
  List apart;               // any two, drawn by `seed`

  EntryPairs(const Cells& cells, std::uint64_t seed);
};

struct Overview {
  double mean = 0;            // of the entries, in their own unit
  double mean_deviation = 0;  // of its noise
  // Half the mean squared difference of pairs, as a share of the squared width.
  std::vector<double> along;      // a mode; infinite where it is not known
  double apart = 0;               // of any two entries
  std::vector<double> deviation;  // of the noise of `along`
};

// The release of an overview. Where there are so few entries that noise would drown the differences, it is
// the mean alone.
class OverviewRelease {
 public:
  explicit OverviewRelease(const PrivateRequest& request);

  const AdditiveNoise& noise() const { return noise_; }
  double epsilon() const { return epsilon_; }
  Overview operator()(Curator& curator) const;

 private:
  std::vector<double> sums(const SparseTensor& observed) const;

  const PrivateRequest& request_;
  EntryPairs pairs_;
  bool differences_;  // are looked at
  double epsilon_;
  AdditiveNoise noise_;
};

}  // namespace tulle
