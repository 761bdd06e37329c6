// The parts that the CP completion solvers share: start, convergence and result.
#pragma once

#include "../convergence.hpp"

#include <tulle/solve/cp/completion_state.hpp>
#include <tulle/solve/fit.hpp>

#include <optional>

namespace tulle {

// Elements of factors have this precision, offsets the precision 1: the start of fits that learn their prior.
Prior weak_prior(const CompletionState& state, double precision);

// The prior under which the fit minimises sum (x - model)^2 + ridge (|factors|^2 + |offsets|^2) in the unit
// of the data: Wei et al. 2022, equation 6.
Prior fixed_prior(const CompletionState& state, double ridge);

// Checks the arguments, standardises and draws the start.
CompletionState begin_completion(const SparseTensor& observed, const SparseTensor* validation, int rank,
                                 double ridge, bool biases, Start start, std::uint64_t seed);

// Starts from the factors, offsets and level of a model instead; held modes stay fixed.
void start_from(const Cp& model, const std::vector<int>& held, CompletionState& state);

// Redraws the factors. Positions without an observed cell get zeros.
void draw_start(const SparseTensor& observed, Start start, std::uint64_t seed, CompletionState& state);

// The convergence of a completion; keeps the state with the least validation error, if there is one.
class CompletionProgress {
 public:
  CompletionProgress(int patience, const Control& control, RelativeChange change = RelativeChange())
      : convergence_(control, patience), change_(std::move(change)) {}

  // Returns true if the fit should go on. `rmse` is the training error, in the unit of the data; `criterion`
  // is the measure of convergence; `validation_rmse` may be NaN. Calls state() only for the best state so
  // far.
  template <class State>
  bool record(double rmse, double criterion, double validation_rmse, const State& state) {
    const bool go_on = convergence_.record(rmse, change_(criterion), validation_rmse);
    if (convergence_.improved()) best_ = state();
    return go_on;
  }
  Fit<Cp> finish(const CompletionState& last) {
    return std::move(convergence_).finish((best_ ? *best_ : last).model());
  }

 private:
  Convergence convergence_;
  std::optional<CompletionState> best_;
  RelativeChange change_;
};

}  // namespace tulle
