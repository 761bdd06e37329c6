// Ridges estimated from the data.
#pragma once

#include "completion.hpp"

#include <vector>

namespace tulle {

// Empirical Bayes for a Tucker model. The rows of a factor with P columns are modelled as normal with mean 0
// and covariance 1 / P, the entries of the core as normal with one variance, and cells as observed with
// noise; the variances maximise the likelihood of the data. As only the product of core and factors is
// observed, fixing the covariance of the rows is no restriction: the core absorbs it.
//
// Rows and core are not known exactly, least of all rows with few cells. The uncertainty of the other modes
// adds to the ridge of a row, once for every cell (variational Bayes: Ilin and Raiko 2010 for matrices;
// cp/complete_als.cpp does the same cell by cell). Here the sum over the cells of a row is approximated by
// their number times the mean over all cells, so that the cost is that of a few products of the core.
class Evidence {
 public:
  explicit Evidence(const Penalty& penalty);  // for its counts

  // Before learning, while the model has not found its directions yet: the noise is the mean squared error,
  // and rows and core count as known exactly.
  void explore(double squares, Tucker& model, Penalty& penalty);

  // Updates noise, variances and uncertainties from the sum of squared errors of the model, and sets the
  // resulting ridges. Transforms the model, without changing its predictions, so that its rows have the
  // covariance 1 / P.
  void learn(double squares, Tucker& model, Penalty& penalty);

  double noise() const { return noise_; }

  // The effective number of parameters of the model under the penalty.
  double freedom(const Tucker& model, const Penalty& penalty) const;

 private:
  std::vector<Matrix> second_moments(const Tucker& model) const;
  std::vector<Matrix> with_spread(std::vector<Matrix> moments) const;
  void standardise(int mode, bool uncertain, std::vector<Matrix>& moments, Tucker& model);
  void learn_core(const Tucker& model, const std::vector<Matrix>& moments, bool uncertain);
  void set_ridges(const std::vector<Matrix>& moments, const Tucker& model, Penalty& penalty) const;
  void add_spread_of_core(const std::vector<Matrix>& moments, Penalty& penalty) const;

  std::vector<Vector> counts_;  // by mode: cells of every row
  double cells_;
  double noise_ = 1, core_variance_ = 1, core_freedom_ = 0;
  std::vector<Vector> spread_;  // by mode: mean variance of each column over the cells
};

}  // namespace tulle
