// The steps of DP-SGD (Abadi et al. 2016) for any units and model: cells or users of a tensor, examples of a
// network. Each is one release: the sum, over a Poisson sample of the units, of gradients clipped to length
// C, plus N(0, z^2 C^2) on every number of the model, touched or not.
//
// Sensitivity: a unit adds a vector of length C at most, whatever its data and whatever was released before,
// and units are summed over independently of each other; so it contributes at most C, under every relation
// (Event::sampled says what that means under replace). C may change from step to step: it is computed from
// what was released.
//
// Adaptive clipping (after Andrew et al. 2021) puts one more number into the same release: w C / 2 times the
// difference of how many gradients were added whole and how many were clipped. A unit then adds a vector of
// length C sqrt(1 + w^2/4) at most, and no further release is needed.
#pragma once

#include <tulle/privacy/curator.hpp>
#include <tulle/tensor/kernels/clipped_gradients.hpp>

#include <optional>
#include <span>
#include <string>

namespace tulle {

class ClippedSteps {
 public:
  // `noise`: the multiplier of a step. With a quantile, clip_factor() follows it.
  ClippedSteps(const PoissonSampler& sampler, double noise, std::optional<double> clip_quantile, Unit unit,
               Relation relation)
      : sampler_(sampler), noise_(noise), clip_quantile_(clip_quantile), unit_(unit), relation_(relation) {}

  double rate() const { return sampler_.sampling().rate(); }
  AdditiveNoise noise(double clip, std::size_t numbers) const;  // of a release

  // sum(gradients, units) answers with a ClippedSum of `numbers` numbers in which no unit counts for more
  // than `clip`. The count of whole gradients, if there is one, comes last.
  template <class Gradients, class Sum>
  Noisy release(Curator& curator, const Protected<Gradients>& gradients,
                const Protected<std::uint64_t>& count, double clip, std::size_t numbers, std::string what,
                const Sum& sum) const {
    return curator.release(gradients, curator.sample(sampler_, count), noise(clip, numbers), std::move(what),
                           [&](const Gradients& all, std::span<const std::uint64_t> units) {
                             return with_count(sum(all, units), clip);
                           });
  }

  // The factor of the clip. adapt_clip() updates it with the count of a release made with `clip`; `units` is
  // about the number of units.
  double clip_factor() const { return clip_factor_; }
  void adapt_clip(const Noisy& released, double clip, double units);

 private:
  std::vector<double> with_count(ClippedSum sum, double clip) const;

  PoissonSampler sampler_;
  double noise_;
  std::optional<double> clip_quantile_;
  Unit unit_;
  Relation relation_;
  double clip_factor_ = 1;
};

}  // namespace tulle
