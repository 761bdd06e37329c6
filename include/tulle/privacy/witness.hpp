// What an auditor sees of a run on synthetic data: every release together with its exact answer. Only an
// auditor can give a curator a witness (see Curator), and does so only in runs on data that it generated.
#pragma once

#include <tulle/privacy/additive_noise.hpp>

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#pragma GCC visibility push(default)

namespace tulle {

class Witness {
 public:
  virtual ~Witness() = default;

  // The unit that differs between the two data sets. The attacker may know the sampling coins of all other
  // units, since the guarantee of a Poisson-sampled release holds conditionally on them.
  virtual std::optional<std::uint64_t> watched_unit() const = 0;

  // The witness of one of several sites, whose curators may be used by threads of their own.
  virtual Witness& at_site(int site) {
    static_cast<void>(site);
    return *this;
  }

  // Units drawn for a batch. May be changed.
  virtual void sampled(std::vector<std::uint64_t>& units) = 0;

  // The seed of random numbers that stay with the data (Curator::map_with_seed). May be changed.
  virtual void seeded(std::uint64_t& seed) { static_cast<void>(seed); }

  // Units whose values the next release holds, where it is one of several on disjoint batches.
  virtual void taken(std::span<const std::uint64_t> units) { static_cast<void>(units); }

  // The exact answer of a release; or two, without and with the watched unit, where that unit joins the
  // sample with probability `rate`.
  struct ExactAnswers {
    std::vector<std::vector<double>> answers;
    double rate = 1;
  };
  // Whether the witness chooses the released values: this is how a transcript is replayed on other data.
  virtual bool answers() const { return false; }
  // `values` is what is released: where the witness answers, the exact values, to be replaced; else noisy.
  virtual void released(const AdditiveNoise& noise, const ExactAnswers& exact,
                        std::vector<double>& values) = 0;
};

}  // namespace tulle

#pragma GCC visibility pop
