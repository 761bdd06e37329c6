// What an auditor sees of a run on synthetic data: every release together with its exact answer. Only an
// auditor can give a curator a witness (see Curator), and it does so only in runs on data that it generated.
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

  // The witness of one of several sites, whose curators may run on threads of their own.
  virtual Witness& at_site(int site) {
    static_cast<void>(site);
    return *this;
  }

  // Called with the units drawn for a batch, and may change them.
  virtual void sampled(std::vector<std::uint64_t>& units) = 0;

  // Called with the seed of random numbers that stay private (Curator::map_with_seed), and may change it.
  virtual void seeded(std::uint64_t& seed) { static_cast<void>(seed); }

  // Called with the units whose values the next release holds, if it is a portion.
  virtual void taken(std::span<const std::uint64_t> units) { static_cast<void>(units); }

  // The exact answer of a release; or two, without and with the watched unit, which joins the sample with
  // probability `rate`.
  struct ExactAnswers {
    std::vector<std::vector<double>> answers;
    double rate = 1;
  };
  // Whether the witness chooses the released values, to replay a transcript on other data.
  virtual bool answers() const { return false; }
  // `values` is what is released: the exact values, to be replaced, if answers() is true; else noisy.
  virtual void released(const AdditiveNoise& noise, const ExactAnswers& exact,
                        std::vector<double>& values) = 0;
};

}  // namespace tulle

#pragma GCC visibility pop
