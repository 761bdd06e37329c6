// What the Tucker completion solvers share: the fit on scaled values, its start and its end.
#pragma once

#include <tulle/model/tucker.hpp>
#include <tulle/solve/fit.hpp>
#include <tulle/tensor/sparse.hpp>

#include <optional>
#include <vector>

namespace tulle {

// A model of the values divided by `scale`, so that ridges and steps mean the same whatever the unit of the
// data.
struct ScaledTucker {
  Tucker model;
  double scale = 1;

  Tucker unscaled() const;
};

// What a fit minimises besides the squared errors:
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

  Vector of_row(int mode, Eigen::Index row) const;  // the ridge of each of its numbers
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
  double scale;  // 0: chosen here
  Start start;
  const Control& control;
  int patience;
  const Tucker* from = nullptr;  // instead of a start
  bool some_held = false;        // modes of it: the steps know which
};

template <class Options>
CompletionProblem completion_problem(const SparseTensor& observed, const Options& options) {
  return {observed,           options.validation, options.ranks,   options.ridge,
          options.core_ridge, options.per_cell,   options.biases,  options.scale,
          options.start,      options.control,    options.patience};
}

// One solver's way to a better model, as the loop below sees it.
class CompletionSteps {
 public:
  virtual ~CompletionSteps() = default;

  // Lowers the objective with this penalty: pass 0, 1, .. of those that explore, or of the fit.
  virtual void pass(int number, bool exploring, const Penalty& penalty, ScaledTucker& fit) = 0;

  // The sum of squared errors, of scaled values.
  virtual double squares(const ScaledTucker& fit) const = 0;

  virtual int exploring_passes() const = 0;
  virtual std::size_t look_back() const = 0;  // see RelativeChange
};

// Checks the arguments, makes the start, and takes passes until the fit ends. Positions without an observed
// cell have zero rows, and keep them: that is what a ridge asks for.
Fit<Tucker> run_completion(const CompletionProblem& problem, CompletionSteps& steps);

}  // namespace tulle
