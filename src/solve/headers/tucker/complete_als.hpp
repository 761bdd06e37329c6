// Tucker completion from the observed cells only, by alternating least squares.
//
// Minimises, over factors A, B, C, .. and the core G, the sum over observed cells (i, j, k, ..) of
//   (x - xhat)^2  +  ridge (|a_i|^2 + |b_j|^2 + |c_k|^2 + ..)  +  core_ridge ||G||^2,
// which is wei2022, equation 7, as stochastic gradients apply it: at every cell they visit. Without per_cell
// the penalty counts once instead of once per cell, as published. Values are divided by `scale` first. Each
// row of a factor, and the core, is the solution of a ridge regression given everything else, so the
// objective never increases.
//
// Without a ridge: empirical Bayes. The variances of the noise, the rows and the core are learnt together
// with the model, and rows with few cells are shrunk more, so that too high ranks cost time rather than
// accuracy. The objective then depends on the learnt variances, and may increase.
#pragma once

#include <tulle/model/tucker.hpp>
#include <tulle/solve/fit.hpp>
#include <tulle/tensor/sparse.hpp>

#include <optional>
#include <vector>

namespace tulle {

struct TuckerCompletionAlsOptions {
  std::vector<int> ranks;       // one per mode
  std::optional<double> ridge;  // empty: learnt from the data
  double core_ridge = 0.001;    // this and per_cell have an effect with a ridge only
  bool per_cell = true;

  // A level common to all cells and an offset for each position of each mode, fitted together with the rest.
  // The shrinkage of offsets is estimated from the data. Without offsets, a constant in the data takes up a
  // component.
  bool biases = true;

  double scale = 0;  // 0: the standard deviation of the values, so that the ridges do not depend on their
                     // unit; 1: unscaled
  Start start = Start::random;
  const Tucker* from =
      nullptr;            // a model of the same shape for a warm start, with its ranks, instead of a start
  std::vector<int> held;  // modes of `from` that stay fixed, offsets included
  Control control;        // Iteration::change is the relative change of the objective, or of the learnt noise

  // Held-out cells: the fit stops after `patience` iterations without a smaller error there, and returns its
  // best model.
  const SparseTensor* validation = nullptr;
  int patience = 5;
};

Fit<Tucker> complete_tucker_als(const SparseTensor& observed, const TuckerCompletionAlsOptions& options);

}  // namespace tulle
