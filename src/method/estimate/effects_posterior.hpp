// The posterior of the effects behind the cells given noisy weighted sums, exact under Gaussian priors.
//
// Cells x = A t + e with effects t ~ N(0, T), e ~ N(0, s^2); released y = S x + n, n of known deviation,
// where row e of S holds the weights with which cell e enters the sums. Then
//   E[t | y] = T A^T S^T z  with  (S (A T A^T + s^2) S^T + deviation^2) z = y,
// by conjugate gradients: A and S are matrix-free, so a step costs cells x features. The offsets of all modes
// and everything else are found jointly: this is generalised least squares, not one shrunk mean after
// another.
#pragma once

#include "cell_effects.hpp"

#include <tulle/base/random.hpp>

namespace tulle {

struct EffectPrior {
  double noise = 0;               // variance of a cell around its expectation
  std::vector<double> variances;  // of the numbers of each block; 0: the block is no part of the model
};

class EffectsPosterior {
 public:
  // Blocks that have weight 0 in `sums` are not in y.
  EffectsPosterior(const CellEffects& effects, EffectWeights sums, double deviation);

  Vector sums(const Vector& cells) const { return effects_->gather(cells, sums_); }

  // E[t | y]. `start` is where the search for z begins and, afterwards, z.
  Vector mean(const Vector& y, const EffectPrior& prior, double tolerance, Vector& start) const;

  // A prior under which y is likely, from a first guess (empirical Bayes). At the fixed point, the
  // estimates from y have the same mean square in every block, and of the cells' noise, as those from sums
  // drawn from the prior. EM solves the same equation, but converges slowly where there is no signal.
  EffectPrior learn(const Vector& y, EffectPrior prior, int steps) const;

  // The mean square error of the expected cells if the truth were drawn from `truth` and estimated with
  // `assumed`. Looks at no data.
  double expected_error(const EffectPrior& truth, const EffectPrior& assumed, std::uint64_t seed) const;

 private:
  struct Draw {
    Vector effects, y;
  };
  Draw draw(const EffectPrior& prior, Random& random) const;
  Vector scaled(Vector effects, const EffectPrior& prior) const;
  Vector diagonal(const EffectPrior& prior) const;

  const CellEffects* effects_;
  EffectWeights sums_;
  double deviation_;
  Vector once_, twice_;  // sums of weights x features^2, and of weights^2 x features^2
};

}  // namespace tulle
