// What the CP completion solvers share: the state of a fit on standardised values, its start, its errors and
// its end.
#pragma once

#include "../convergence.hpp"

#include <tulle/model/cp.hpp>
#include <tulle/solve/fit.hpp>
#include <tulle/tensor/panel.hpp>
#include <tulle/tensor/sparse.hpp>

#include <optional>
#include <vector>

namespace tulle {

// A value is modelled as level + scale * (sum_r prod_m factors[m][i_m, r] + sum_m offsets[m][i_m]). Level and
// scale are those of the observed values, so that ridges and steps mean the same whatever the unit of the
// data.
struct CompletionState {
  double level = 0;
  double scale = 1;
  bool biases = false;
  std::vector<Panel> factors;
  std::vector<Vector> offsets;  // zeros without biases
  std::vector<int> fitted;      // modes that change

  int order() const { return static_cast<int>(factors.size()); }
  double rmse(const SparseTensor& cells) const;  // in the unit of the data
  Cp model() const;
};

// What the numbers of a model are taken to be before the data are seen: normal with mean 0 and these
// variances, observed under noise. The ridge on a number is the noise divided by its variance. All in
// standardised units.
struct Prior {
  double noise = 1;
  std::vector<Vector> variances;  // one per mode: of each column of the factor, then of the offsets

  Vector ridge(int mode) const { return noise * variances[mode].cwiseInverse(); }
};

// Numbers have this precision, offsets a precision of 1: where fits start that learn their own prior.
Prior weak_prior(const CompletionState& state, double precision);

// The prior under which the fit minimises sum (x - model)^2 + ridge (|factors|^2 + |offsets|^2) in the unit
// of the data: Wei et al. 2022, equation 6.
Prior fixed_prior(const CompletionState& state, double ridge);

// Checks the arguments, standardises and draws the start.
CompletionState begin_completion(const SparseTensor& observed, const SparseTensor* validation, int rank,
                                 double ridge, bool biases, Start start, std::uint64_t seed);

// Takes the factors, offsets and level of a model instead; modes that are held change no more.
void start_from(const Cp& model, const std::vector<int>& held, CompletionState& state);

// Draws the factors anew. Positions without an observed cell get zeros.
void draw_start(const SparseTensor& observed, Start start, std::uint64_t seed, CompletionState& state);

// The convergence of a completion: measures the validation error, where there is data for it, and keeps the
// best state.
class CompletionProgress {
 public:
  CompletionProgress(const SparseTensor* validation, int patience, const Control& control,
                     RelativeChange change = RelativeChange());

  // True when the fit should go on. `rmse` is the training error, in the unit of the data; `criterion` what
  // must settle.
  bool record(double rmse, double criterion, const CompletionState& state);
  Fit<Cp> finish(const CompletionState& last);

 private:
  const SparseTensor* validation_;
  Convergence convergence_;
  std::optional<CompletionState> best_;
  RelativeChange change_;
};

}  // namespace tulle
