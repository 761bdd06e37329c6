// CP completion by stochastic gradient descent over the observed cells (Wei et al. 2022, equation 6).
#pragma once

#include <tulle/model/cp.hpp>
#include <tulle/solve/fit.hpp>
#include <tulle/tensor/sparse.hpp>

#include <optional>

namespace tulle {

struct CpCompletionSgdOptions {
  int rank = 10;                // maximum, as for complete_cp_als
  std::optional<double> ridge;  // empty: learnt from the data
  bool biases = true;           // a global level and an offset for every position of every mode
  double step = 0.5;            // of the first epoch, for values scaled to variance 1
  double decay = 0.05;          // epoch t = 0, 1, .. of T uses step / (1 + decay t) (1 - t / T)
  Start start = Start::random;
  const SparseTensor* validation = nullptr;  // if given, the epoch with the least error on it is returned
  int patience = 5;  // with validation: stop after this many epochs without improvement
  Control control;   // an iteration is an epoch: one visit to every observed cell
};

// Minimises the objective of complete_cp_als cell by cell: the steps of each row shrink with the gradients
// that it has seen (Duchi, Hazan and Singer 2011, one rate per row), and the order of the cells is shuffled
// every epoch. Learnt ridges come from an approximation that costs nothing per cell.
//
// Iteration::objective is the root mean square error on the observed cells, each taken before its visit, in
// their unit. Iteration::change is its relative change over the last five epochs, because a single epoch may
// change it little by chance.
Fit<Cp> complete_cp_sgd(const SparseTensor& observed, const CpCompletionSgdOptions& options = {});

}  // namespace tulle
