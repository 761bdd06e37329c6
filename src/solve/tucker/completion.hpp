// What the Tucker completion solvers share: the fit on scaled values, its start and its end.
#pragma once

#include <tulle/model/tucker.hpp>
#include <tulle/solve/fit.hpp>
#include <tulle/tensor/sparse.hpp>

#include <vector>

namespace tulle {

// A model of the values divided by `scale`, so that ridges and steps mean the same whatever the unit of the
// data.
struct ScaledTucker {
  Tucker model;
  double scale = 1;

  Tucker unscaled() const;
};

// ridge sum_m sum_i weights[m][i] |row i of factor m|^2  +  core_ridge ||G||^2  +  sum_m offset_ridge[m]
// |offsets m|^2.
struct Penalty {
  double ridge, core_ridge;
  std::vector<Vector> weights;
  std::vector<double> offset_ridge;  // none without biases

  double of(const Tucker& model) const;
};

struct CompletionProblem {
  const SparseTensor& observed;
  const SparseTensor* validation;
  const std::vector<int>& ranks;
  double ridge, core_ridge;
  bool per_cell;
  bool biases;
  double scale;  // 0: chosen here
  Start start;
  std::uint64_t seed;
};

template <class Options>
CompletionProblem completion_problem(const SparseTensor& observed, const Options& options) {
  return {observed,         options.validation, options.ranks, options.ridge, options.core_ridge,
          options.per_cell, options.biases,     options.scale, options.start, options.control.seed};
}

// Checks the arguments, makes the start and weighs the penalty. Positions without an observed cell have zero
// rows, and keep them: that is what the ridge asks for.
struct CompletionStart {
  ScaledTucker fit;
  Penalty penalty;
};
CompletionStart begin_completion(const CompletionProblem& problem);

// Root mean square error, in the unit of the data; NaN without cells to look at.
double rmse(const ScaledTucker& fit, const SparseTensor* cells);

}  // namespace tulle
