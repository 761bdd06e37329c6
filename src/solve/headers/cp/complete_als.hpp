// CP completion: fits the observed cells of a tensor by alternating least squares, row by row of the factors.
#pragma once

#include <tulle/model/cp.hpp>
#include <tulle/solve/fit.hpp>
#include <tulle/tensor/sparse.hpp>

#include <optional>
#include <vector>

namespace tulle {

struct CpCompletionAlsOptions {
  int rank = 10;                // at most; see below
  std::optional<double> ridge;  // empty: learnt from the data
  bool biases = true;           // a global level and an offset for every position of every mode
  Start start = Start::random;
  const Cp* from = nullptr;  // a model of the same shape for a warm start, with its rank, instead of a start
  std::vector<int> held;     // modes of it that stay as they are, offsets included
  const SparseTensor* validation =
      nullptr;       // when given, the iteration with the least error there is returned
  int patience = 5;  // with validation: stop after so many iterations without a better one
  Control control;
};

// With a ridge: minimises sum (x - model)^2 + ridge (|factors|^2 + |offsets|^2) over the observed cells x, in
// their unit.
//
// Without one: variational Bayes. The noise and how much every column of every factor varies are learnt along
// with the factors, and rows that few cells speak for are trusted less. Columns that the data do not bear out
// fade, so a rank that is too high costs time rather than accuracy. The first sweeps try a few ridges and go
// on from the best.
//
// Iteration::objective is the root mean square error on the observed cells, in their unit; Iteration::change
// is the relative change of that error, or of the learnt noise.
Fit<Cp> complete_cp_als(const SparseTensor& observed, const CpCompletionAlsOptions& options = {});

}  // namespace tulle
