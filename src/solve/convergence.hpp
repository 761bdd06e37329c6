// The convergence report of a fit, and its stopping rule.
#pragma once

#include <tulle/solve/fit.hpp>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <deque>

namespace tulle {

// The largest difference between a measure and its values in the last `look_back` iterations, relative to the
// measure; 1 until there are that many. Stochastic methods look back further than one iteration, because a
// single step may be small by chance.
class RelativeChange {
 public:
  explicit RelativeChange(std::size_t look_back = 1) : look_back_(look_back) {}

  double operator()(double measure) {
    double change = 1;
    if (before_.size() == look_back_) {
      const auto [least, most] = std::ranges::minmax(before_);
      change = std::max(most - measure, measure - least) / std::max(std::abs(measure), 1e-300);
      before_.pop_front();
    }
    before_.push_back(measure);
    return change;
  }

 private:
  std::size_t look_back_;
  std::deque<double> before_;
};

inline constexpr std::size_t kStochasticLookBack = 5;

class Convergence {
 public:
  explicit Convergence(const Control& control, int patience = std::numeric_limits<int>::max())
      : control_(control), patience_(patience) {}

  // Records an iteration and returns true if the fit should go on. The observer, the tolerance or the number
  // of iterations ends it, as does a validation error (NaN without validation data) that has not improved by
  // the tolerance for `patience` iterations.
  bool record(double objective, double change,
              double validation_rmse = std::numeric_limits<double>::quiet_NaN()) {
    const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - began_;
    history_.push_back({static_cast<int>(history_.size()) + 1, objective, change, validation_rmse,
                        elapsed.count(), control_.max_iterations});
    improved_ = validation_rmse < best_;
    const bool clearly = validation_rmse < best_ * (1 - std::max(0.0, control_.tolerance));
    if (improved_) best_ = validation_rmse;
    since_best_ = clearly ? 0 : since_best_ + 1;
    if (control_.observer && !control_.observer(history_.back())) return false;
    converged_ = change < control_.tolerance || (!std::isnan(validation_rmse) && since_best_ >= patience_);
    return !converged_ && history_.back().number < control_.max_iterations;
  }

  // True if the last recorded iteration has the least validation error so far, so that its model is kept.
  bool improved() const { return improved_; }

  template <class M>
  Fit<M> finish(M model) && {
    return {std::move(model), std::move(history_), converged_};
  }

 private:
  Control control_;
  int patience_;
  std::chrono::steady_clock::time_point began_ = std::chrono::steady_clock::now();
  std::vector<Iteration> history_;
  double best_ = std::numeric_limits<double>::infinity();
  int since_best_ = 0;
  bool improved_ = false;
  bool converged_ = false;
};

}  // namespace tulle
