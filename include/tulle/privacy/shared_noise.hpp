// Gaussian noise that several sites add together, each to its own message (CAPE: Imtiaz and Sarwate 2018).
#pragma once

#include <tulle/privacy/additive_noise.hpp>
#include <tulle/privacy/noise/random_bits.hpp>

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#pragma GCC visibility push(default)

namespace tulle {

// Sites that share noise. Any `colluding` of them may pool their knowledge, perhaps with a server, which adds
// no noise. Sites may drop out, so a sum may be over fewer than all of them, but over at least `fewest`. The
// data of one unit are at `overlap` sites at most.
struct SharingSites {
  std::size_t sites = 0;
  int colluding = 0;
  int fewest = 0;  // 0: all
  int overlap = 1;
  bool server = false;
};

class SharedNoise {
 public:
  // Noise for each site such that the sites of a sum that do not collude add, together, at least the noise
  // that `noise` states. A UsageError, naming the release `what`, if that is impossible.
  SharedNoise(const AdditiveNoise& noise, const SharingSites& sharing, const std::string& what);

  double deviation() const { return deviation(sharing_.sites); }  // of the sum over all sites
  double deviation(std::size_t sites) const;                      // of the sum over this many of them
  std::string adversary() const;   // whom a release is protected against, in words
  std::string assumption() const;  // what it rests on besides the noise; empty: nothing

  // What a site sends: its answer in whole cells of a grid, modulo 2^64, with noise if bits are given.
  std::vector<std::uint64_t> message(std::span<const double> answer, RandomBits* bits) const;
  // The values that the sum of all messages, modulo 2^64, represents.
  std::vector<double> values(std::span<const std::uint64_t> sum) const;

 private:
  const GridNoise& on_grid() const;

  SharingSites sharing_;
  AdditiveNoise share_;  // of one site
};

}  // namespace tulle

#pragma GCC visibility pop
