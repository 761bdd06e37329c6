// Tucker completion from the observed cells only, by stochastic gradient descent, one observed cell per step.
// Minimises the objective of complete_als.hpp (wei2022, equation 7).
#pragma once

#include <tulle/model/tucker.hpp>
#include <tulle/solve/fit.hpp>
#include <tulle/tensor/sparse.hpp>

#include <optional>
#include <vector>

namespace tulle {

struct TuckerCompletionSgdOptions {
  std::vector<int> ranks;       // one per mode
  std::optional<double> ridge;  // empty: learnt from the data
  double core_ridge = 0.001;    // with a ridge only
  bool per_cell = true;         // ridge, core_ridge, per_cell, biases and scale: see complete_als.hpp
  bool biases = true;
  double scale = 0;
  double step = 0.1;   // of the first epoch
  double decay = 0.1;  // epoch t = 0, 1, .. of T uses step / (1 + decay t) (1 - t / T)
  Start start = Start::random;

  // An iteration is an epoch: one visit to every observed cell. Iteration::change is the relative change of
  // the objective, or of the learnt noise, over the last five epochs, because one may be small by chance.
  Control control;

  // Held-out cells: the fit stops after `patience` epochs without a smaller error there, and returns its best
  // model.
  const SparseTensor* validation = nullptr;
  int patience = 5;
};

Fit<Tucker> complete_tucker_sgd(const SparseTensor& observed, const TuckerCompletionSgdOptions& options);

}  // namespace tulle
