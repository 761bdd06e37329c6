// Gaussian noise that several sites add together, each to what it sends (CAPE: Imtiaz and Sarwate 2018).
#pragma once

#include <tulle/privacy/additive_noise.hpp>
#include <tulle/privacy/noise/random_bits.hpp>

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#pragma GCC visibility push(default)

namespace tulle {

// Sites that share noise: any `colluding` of them may put together what they know, and a sum may be over
// fewer than all of them, since sites drop out, but over no fewer than `fewest`. The data of one unit are at
// `overlap` sites at most. A server, which adds no noise, may be with the colluding ones.
struct SharingSites {
  std::size_t sites = 0;
  int colluding = 0;
  int fewest = 0;  // 0: all
  int overlap = 1;
  bool server = false;
};

class SharedNoise {
 public:
  // So much for each of the sites that those which neither dropped out nor collude have, together, the noise
  // that `noise` says. A UsageError where that cannot be; `what` is the release's name there.
  SharedNoise(const AdditiveNoise& noise, const SharingSites& sharing, const std::string& what);

  int colluding() const { return sharing_.colluding; }
  double deviation() const { return deviation(sharing_.sites); }  // of the sum of all sites
  double deviation(std::size_t sites) const;                      // of the sum of so many of them
  std::string adversary() const;                                  // whom a release holds against, in words
  std::string assumption() const;  // what it rests on besides the noise; empty for nothing

  // What a site sends: its answer in whole cells of a grid, modulo 2^64, with noise where bits are given.
  std::vector<std::uint64_t> message(std::span<const double> answer, RandomBits* bits) const;
  // The sum of all messages modulo 2^64, as numbers.
  std::vector<double> values(std::span<const std::uint64_t> sum) const;

 private:
  const GridNoise& on_grid() const;

  SharingSites sharing_;
  AdditiveNoise share_;  // of one site
};

}  // namespace tulle

#pragma GCC visibility pop
