// Tucker completion from the observed cells only, by alternating least squares.
//
// Minimises, over factors A, B, C, .. and the core G, the sum over observed cells (i, j, k, ..) of
//   (x - xhat)^2  +  ridge (|a_i|^2 + |b_j|^2 + |c_k|^2 + ..)  +  core_ridge ||G||^2,
// which is wei2022, equation 7, as stochastic gradients meet it: with every cell they visit. Without per_cell
// the penalty counts once and not once a cell: the equation as printed. Values are divided by `scale` first.
// Each row of a factor, and the core, is the solution of a ridge regression given everything else, so the
// objective never rises.
//
// Without a ridge: empirical Bayes. The noise and how much rows and core vary are learnt along with the
// model, and rows that few cells speak for are trusted less, so that ranks that are too high cost time rather
// than accuracy. The objective then changes with what is learnt, and may rise.
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
  double core_ridge = 0.001;    // this and per_cell only matter with a ridge
  bool per_cell = true;

  // A level common to all cells and an offset for each position of each mode, fitted together with the rest;
  // how far offsets are shrunk is told by the data. Without them a constant in the data takes up a rank of
  // its own.
  bool biases = true;

  double scale = 0;  // 0: the standard deviation of the values, so that the ridges do not depend on their
                     // unit; 1: as they are
  Start start = Start::random;
  const Tucker* from =
      nullptr;            // a model of the same shape for a warm start, with its ranks, instead of a start
  std::vector<int> held;  // modes of it that stay as they are, offsets included
  Control control;        // Iteration::change is the relative change of the objective, or of the learnt noise

  // Held-out cells: the fit stops after `patience` iterations without a smaller error there, and returns its
  // best model.
  const SparseTensor* validation = nullptr;
  int patience = 5;
};

Fit<Tucker> complete_tucker_als(const SparseTensor& observed, const TuckerCompletionAlsOptions& options);

}  // namespace tulle
