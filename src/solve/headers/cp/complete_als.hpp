// CP completion: fits the observed cells of a tensor by alternating least squares, row by row of the factors.
#pragma once

#include <tulle/model/cp.hpp>
#include <tulle/solve/fit.hpp>
#include <tulle/tensor/sparse.hpp>

#include <optional>
#include <vector>

namespace tulle {

struct CpCompletionAlsOptions {
  int rank = 10;                // maximum; see below
  std::optional<double> ridge;  // empty: learnt from the data
  bool biases = true;           // a global level and an offset for every position of every mode
  Start start = Start::random;
  const Cp* from = nullptr;  // a model of the same shape for a warm start, with its rank, instead of a start
  std::vector<int> held;     // modes of `from` that stay fixed, offsets included
  const SparseTensor* validation = nullptr;  // if given, the iteration with the least error on it is returned
  int patience = 5;  // with validation: stop after this many iterations without improvement
  Control control;
};

// With a ridge: minimises sum (x - model)^2 + ridge (|factors|^2 + |offsets|^2) over the observed cells x, in
// their unit.
//
// Without a ridge: variational Bayes. The variances of the noise and of every column of every factor are
// learnt together with the factors, and rows with few cells are shrunk more. Columns that the data do not
// support shrink to zero, so too high a rank costs time rather than accuracy. The first sweeps try a few
// ridges and continue from the best.
//
// Iteration::objective is the root mean square error on the observed cells, in their unit; Iteration::change
// is the relative change of that error, or of the learnt noise.
Fit<Cp> complete_cp_als(const SparseTensor& observed, const CpCompletionAlsOptions& options = {});

}  // namespace tulle
