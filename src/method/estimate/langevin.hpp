// Stochastic gradient Langevin dynamics on the shared factors of a CP model (ermis2020, 2.3 and 4.2.1;
// Welling and Teh 2011): all of it is public once the gradients are released.
//
// The model is x = f + noise of precision tau, in standardised values; column k of a factor has the prior
// N(0, 1 / lambda_k), lambda_k ~ Gamma(a0, b0), of which the conditional mean is used. A step of size k moves
// a parameter by (k / 2) times the gradient of the log-posterior and wants noise of variance k (Welling and
// Teh, equation 4). The released gradient has noise already, which is a part of that; what is missing is
// added. Noise of deviation s in the gradient is (k / 2)^2 s^2 in the step, too much from k = 4 / s^2 on:
// steps are no longer than that, so that samples are those of the posterior, and the chain is slow where
// there is much noise.
//
// Several relations share factors (data/coupling.hpp); the part of public tables in the gradient has no
// noise.
#pragma once

#include "estimate/public_tables.hpp"

#include <tulle/base/random.hpp>
#include <tulle/tensor/model_layout.hpp>

#include <span>
#include <vector>

namespace tulle {

class Langevin {
 public:
  // `own`: the mode whose rows do not move; `relations`: the modes of each. Steps are `steps` in all, of
  // which the last half are samples.
  Langevin(const ModelLayout& layout, int own, std::vector<std::vector<int>> relations,
           std::vector<double> start, int steps, std::uint64_t seed);

  const std::vector<double>& parameters() const { return parameters_; }

  // A sum of gradients of half the squared errors, in standardised values.
  struct Slope {
    std::span<const double> sum;
    double deviation;           // of the noise on each
    std::vector<double> cells;  // of all data, more or less, by relation
    double share;               // of the data that it is the sum over
  };
  // `tables`: what public tables add at the present parameters; nothing where there are none.
  void step(const Slope& slope, double rate, const PublicTables::Slope& tables = {});
  // Before the first step: a step towards the mode of the posterior given public tables alone, without noise.
  void warm_up(const PublicTables::Slope& tables, double rate);

  std::vector<double> mean() const;  // of the samples
  // The length of the last step as a share of the requested length, which the noise may reduce; 1: not
  // reduced.
  double shortened() const { return shortened_; }

 private:
  void step_factor(int mode, const Slope& slope, double rate, const PublicTables::Slope& tables);
  double prior_precision(int mode, std::size_t column) const;
  // The curvature of the log-likelihood of all cells in a parameter of this mode's factor.
  double bend(int mode, std::size_t column, const std::vector<double>& cells) const;
  // The curvature of the squared error of a cell of a relation.
  double curvature(const std::vector<int>& relation, int mode, std::size_t column) const;

  ModelLayout layout_;
  int own_;
  std::vector<std::vector<int>> relations_;
  double own_square_;  // of a number of a row that does not move, as far as is known
  std::vector<double> parameters_, sum_of_samples_;
  int steps_, taken_ = 0, samples_ = 0;
  double shortened_ = 1;
  Random random_;
};

}  // namespace tulle
