// What an auditor sees of a run on data that it made up itself: every release together with what lies beneath
// it. A curator has a witness only if an auditor gave it one, and no other code can (see Curator): never in a
// run on anybody's data.
#pragma once

#include <tulle/privacy/additive_noise.hpp>

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace tulle {

class Witness {
 public:
  virtual ~Witness() = default;

  // The unit whose coins are nobody's business: the attacker may know those of all others, since the
  // guarantee of a Poisson-sampled release holds given them.
  virtual std::optional<std::uint64_t> watched_unit() const = 0;

  // Units drawn for a batch. May be changed.
  virtual void sampled(std::vector<std::uint64_t>& units) = 0;

  // Units whose numbers the next release holds, where it is made in portions.
  virtual void taken(std::span<const std::uint64_t> units) { static_cast<void>(units); }

  // What a release could have been about: one exact answer, or two where the watched unit joins with
  // probability `rate`, without it and with it.
  struct ExactAnswers {
    std::vector<std::vector<double>> answers;
    double rate = 1;
  };
  // Whether the values that go out come from the witness: that is how a transcript is played again on other
  // data.
  virtual bool answers() const { return false; }
  // What goes out: the exact values where the witness answers, to be replaced; else with noise.
  virtual void released(const AdditiveNoise& noise, const ExactAnswers& exact,
                        std::vector<double>& values) = 0;
};

}  // namespace tulle
