// The parts that the Tucker completion solvers share: the fit of scaled values, its start and its result.
#pragma once

#include <tulle/model/tucker.hpp>
#include <tulle/solve/fit.hpp>
#include <tulle/tensor/sparse.hpp>

#include <optional>
#include <vector>

namespace tulle {

// A model of the values divided by `scale`, so that ridges and steps do not depend on the unit of the data.
struct ScaledTucker {
  Tucker model;
  double scale = 1;

  Tucker unscaled() const;
};

// The penalty that a fit adds to the squared errors:
//   sum_m sum_i sum_p (row_ridge[m] + counts[m][i] cell_ridge[m][p]) A_m[i, p]^2
//   + sum_j (core_ridge + cells core_cell_ridge[j]) G[j]^2  +  sum_m offset_ridge[m] |offsets m|^2.
struct Penalty {
  std::vector<double> row_ridge;
  std::vector<Vector> cell_ridge;
  double core_ridge = 0;
  Vector core_cell_ridge;            // in C order
  std::vector<double> offset_ridge;  // none without biases
  std::vector<Vector> counts;        // by mode: cells of every row
  double cells = 0;

  Vector of_row(int mode, Eigen::Index row) const;  // the ridge of each element
  Vector of_core() const;
  double of(const Tucker& model) const;
};

struct CompletionProblem {
  const SparseTensor& observed;
  const SparseTensor* validation;
  const std::vector<int>& ranks;
  std::optional<double> ridge;  // empty: learnt
  double core_ridge;
  bool per_cell;
  bool biases;
  double scale;  // 0: the standard deviation of the values
  Start start;
  const Control& control;
  int patience;
  const Tucker* from = nullptr;  // instead of a start
  bool some_held = false;        // some modes of `from` are held; CompletionSteps has the list
};

template <class Options>
CompletionProblem completion_problem(const SparseTensor& observed, const Options& options) {
  return {observed,           options.validation, options.ranks,   options.ridge,
          options.core_ridge, options.per_cell,   options.biases,  options.scale,
          options.start,      options.control,    options.patience};
}

// The passes of one solver, for the loop of run_completion.
class CompletionSteps {
 public:
  virtual ~CompletionSteps() = default;

  // Lowers the objective under this penalty. Passes are numbered 0, 1, .. in the exploration, and in the fit.
  virtual void pass(int number, bool exploring, const Penalty& penalty, ScaledTucker& fit) = 0;

  // The sum of squared errors, of scaled values.
  virtual double squares(const ScaledTucker& fit) const = 0;

  virtual int exploring_passes() const = 0;
  virtual std::size_t look_back() const = 0;  // see RelativeChange
};

// Checks the arguments, draws the start, and runs passes until the fit ends. Positions without an observed
// cell start with zero rows and keep them, as a ridge requires.
Fit<Tucker> run_completion(const CompletionProblem& problem, CompletionSteps& steps);

}  // namespace tulle
